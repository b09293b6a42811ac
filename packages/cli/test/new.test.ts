// `hilo new` and `hilo test --agents`: an example under another id passes its own transcripts, and its agents break no law.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, root } from '../../server/test/hilo-process.ts';
import { likes } from '../src/new.ts';
import { hiloHere } from './hilo-in-process.ts';

describe('hilo new', () => {
  it.each(Object.keys(likes))('writes a workflow like %s, whose transcripts are what happens', async (like) => {
    using folder = folderWith({});
    expect(await hiloHere(['new', 'mine', '--like', like], { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(folder.path, 'canvases/mine.json'), 'utf8'))).toMatchObject({ id: 'mine' });
    const { code, stdout } = await hiloHere(['test', 'transcripts'], { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/✔ \d+ transcripts? as /) as unknown]);
  });

  it('says how a service gets it, where there is a workspace', async () => {
    using folder = folderWith({ 'workspace.json': '{"companies":[]}' });
    const { stdout } = await hiloHere(['new', 'mine', '--like', 'agent'], { cwd: folder.path });
    const lines = ['mine', 'stock', 'place-order'].map((id) => `  {"file":"canvases/${id}.json","publish":true}`);
    expect(stdout).toContain(`"workflows" of workspace.json lists. Add there:\n${lines.join(',\n')}\n`);
    using bare = folderWith({});
    expect((await hiloHere(['new', 'mine', '--like', 'faq'], { cwd: bare.path })).stdout).not.toContain('workspace.json');
  });

  it('writes nothing over a file, and takes no id that leads elsewhere', async () => {
    using folder = folderWith({});
    await hiloHere(['new', 'mine', '--like', 'faq'], { cwd: folder.path });
    const before = readFileSync(join(folder.path, 'canvases/mine.json'), 'utf8');
    expect(await hiloHere(['new', 'mine', '--like', 'agent'], { cwd: folder.path })).toMatchObject({ code: 1 });
    expect(readFileSync(join(folder.path, 'canvases/mine.json'), 'utf8')).toBe(before);
    expect(existsSync(join(folder.path, 'canvases/stock.json'))).toBe(false);
    for (const id of ['../out', 'a:b', '']) expect((await hiloHere(['new', id, '--like', 'faq'], { cwd: folder.path })).code).not.toBe(0);
    expect(await hiloHere(['new', 'other', '--like', 'poem'], { cwd: folder.path })).toMatchObject({ code: 2 });
  });
});

describe('hilo test --agents', () => {
  it('prints a line for each agent, and says what is not explored', async () => {
    using folder = folderWith({});
    await hiloHere(['new', 'mine', '--like', 'agent'], { cwd: folder.path });
    writeFileSync(join(folder.path, 'other.json'), '{"nodes":"odd"}');
    const told = await hiloHere(['test', '--agents', '--depth', '1'], { cwd: folder.path });
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✔ canvases\/mine\.json talk: [\d,]+ steps, no law is broken/) as unknown,
    });
    const { stdout } = await hiloHere(['test', '--agents', '--depth', '1', '--json', 'canvases/mine.json'], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ agents: [{ agent: 'talk', isComplete: true, breaches: [] }] });
    expect(await hiloHere(['test', '--agents', '--depth', '5'], { cwd: folder.path })).toMatchObject({ code: 2 });
    using empty = folderWith({});
    symlinkSync(join(root, 'LICENSE'), join(empty.path, 'x.txt'));
    expect(await hiloHere(['test', '--agents'], { cwd: empty.path })).toMatchObject({ code: 0, stdout: 'There is no agent here.\n' });
  });
});
