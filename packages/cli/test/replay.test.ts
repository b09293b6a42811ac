import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, openService } from '@hilo/server';
import { describe, expect, it } from 'vitest';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

/** Logs something, and ends. */
const logging = (name: string) => ({
  schemaVersion: 1,
  id: 'logging',
  name: 'Logging',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'log', type: 'log', data: { name } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'log' },
    { source: 'log', target: 'done' },
  ],
});
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store in which two executions have ended. */
async function storeAt(path: string): Promise<void> {
  const workspace = join(path, 'workspace.json');
  writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Acme', plan: 'enterprise' }] }));
  const service = await openService({ ...defaultSettings, data: path, workspace, adminToken: 'admin-token-0123456789' }, { log: silent });
  await service.company('1').publish(logging('first'));
  for (let count = 0; count < 2; count += 1) await service.company('1').start('logging');
  await service.engine.whenIdle();
  await service.engine.saveDraft('1', (await service.company('1').versions('logging'))[0]?.canvas ?? never());
  await service.close();
}

function never(): never {
  throw new Error('Nothing is published');
}

describe('hilo replay', () => {
  it('counts those that go otherwise with exit code 1, and none with 0', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const of = (...args: readonly string[]) => hiloHere(['replay', 'logging', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--draft')).toEqual({ code: 0, stderr: '', stdout: '✔ 2 conversations of version 1: 2 as before\n' });
    writeFileSync(join(data.path, 'other.json'), JSON.stringify(logging('second')));
    const other = await of('--canvas', 'other.json');
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^✖ 2 conversations of version 1: 0 as before, 2 otherwise\ngroup +conversations +first +newest\nrequest:log:name +2 /,
    );
    expect(await of('--canvas', 'other.json', '--ignore', 'request:log:name')).toMatchObject({ code: 0 });
    expect(await of('--canvas', 'other.json', '--last', '1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 conversation of') as string,
    });
    expect(await of('--canvas', 'other.json', '--draft')).toMatchObject({ code: 2 });
    expect(JSON.parse((await of('--against', '1', '--json')).stdout)).toMatchObject({ read: 2, counts: { equal: 2 }, isPartial: false });
  });
});

describe('hilo upgrade', () => {
  it('replays every history of a store with this release', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const of = (...args: readonly string[]) => hiloHere(['upgrade', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--check')).toEqual({ code: 0, stderr: '', stdout: '✔ 2 of 2 histories lead to the same with this release\n' });
    expect(JSON.parse((await of('--check', '--json')).stdout)).toEqual({ read: 2, equal: 2, differs: 0, unreadable: 0, different: [] });
    expect(await of()).toMatchObject({ code: 2 });
  });
});
