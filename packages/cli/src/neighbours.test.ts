import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canvasesBeside } from './neighbours.ts';

it('canvases of a folder are found by files and links, past what would wait for somebody who writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hilo-beside-'));
  try {
    const at = (name: string): string => join(folder, name);
    const canvas = { schemaVersion: 1, id: 'one', name: 'One', nodes: [{ id: 'begin', type: 'start' }], edges: [] };
    await writeFile(at('one.json'), JSON.stringify(canvas));
    await writeFile(at('target.txt'), JSON.stringify({ ...canvas, id: 'two' }));
    await symlink(at('target.txt'), at('linked.json'));
    await symlink(at('nothing'), at('dangling.json'));
    execFileSync('mkfifo', [at('pipe.json')]);
    expect([...(await canvasesBeside([at('one.json')])).keys()].toSorted()).toEqual(['one', 'two']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
