import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { serviceAt } from './store-at.ts';

/** Waits a day, and then does something. */
const nap = (last: object) => ({
  schemaVersion: 1,
  id: 'nap',
  name: 'Nap',
  kind: 'tool',
  nodes: [{ id: 'begin', type: 'start' }, { id: 'sleep', type: 'delay', data: { duration: 'P1D' } }, last, { id: 'done', type: 'end' }],
  edges: [
    { source: 'begin', target: 'sleep' },
    { source: 'sleep', sourceHandle: 'elapsed', target: 'last' },
    { source: 'last', target: 'done' },
  ],
});
const log = (name: string) => ({ id: 'last', type: 'log', data: { name } });

/** A store with two executions in version 1, and these versions after it. */
async function storeWith(path: string, later: readonly object[]): Promise<void> {
  const workspace = join(path, 'workspace.json');
  writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Acme', plan: 'enterprise' }] }));
  const service = await serviceAt(path, workspace);
  await service.company('1').publish(nap(log('slept')));
  for (let count = 0; count < 2; count += 1) await service.company('1').start('nap');
  for (const canvas of later) await service.company('1').publish(canvas);
  await service.close();
}

describe('hilo migrate', () => {
  it('plans as a table, does what is accepted, and takes it back', async () => {
    using data = emptyDirectory();
    await storeWith(data.path, [nap(log('slept well'))]);
    const of = (...args: readonly string[]) => hiloHere(['migrate', 'nap', ...args, '--data', data.path], { cwd: data.path });
    const planned = await of('--from', '1', '--to', '2');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toMatch(
      /^verdict +executions +at +since +because\nchanged +2 +sleep +\d{4}-\S+ \d\d:\d\d +"name" of node "last" differs/,
    );
    expect(planned.stdout).toMatch(/\n2 executions in all; nothing was changed\. Do it with --apply/);
    expect((await of('--from', '1', '--to', '2', '--apply')).stdout).toBe(
      '✔ 0 of 2 executions migrated (2 changed)\nWhat was not named stayed as it is. To migrate these too: --accept same,changed\n',
    );
    for (const [given, rate] of [
      [[], 100_000],
      [['--accept', 'same,enters'], 500], // whoever enters a node may hear something
      [['--rate', '200'], 200],
    ] as const)
      expect(JSON.parse((await of('--from', '1', '--to', '2', '--apply', '--json', ...given)).stdout)).toMatchObject({ rate });
    const done = await of('--from', '1', '--to', '2', '--apply', '--accept', 'same,changed');
    expect(done.stdout).toMatch(/^✔ 2 of 2 executions migrated \(2 changed\)\nTake it back with: hilo migrate nap --undo \S+\n$/);
    expect((await of('--from', '1', '--to', '2')).stdout).toBe('No execution is open in the versions to leave.\n');
    const migration = done.stdout.trim().split(' ').at(-1) ?? '';
    expect((await of('--undo', migration)).stdout).toBe('✔ 2 executions went back\n');
    expect((await of('--undo', migration)).stdout).toBe('✔ 0 executions went back; 2 others had been taken back already\n');
  });

  it('fails where a value is missing, and writes the mapping to fill in', async () => {
    using data = emptyDirectory();
    const reading = { id: 'last', type: 'set', data: { assignments: [{ path: '$context.said', value: '{{$context.brand}}' }] } };
    await storeWith(data.path, [{ ...nap(reading), variables: { brand: { type: 'any', default: 'x' } } }, nap(log('slept well'))]);
    const of = (...args: readonly string[]) => hiloHere(['migrate', 'nap', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--from', '1', '--to', '2')).toMatchObject({ code: 0 });
    const renamed = nap(log('slept'));
    expect(renamed.nodes).toHaveLength(4);
    const file = join(data.path, 'migrations', 'nap.1-3.json');
    expect(await of('--from', '1', '--to', '3', '--write-map')).toMatchObject({
      code: 0,
      stdout: '✔ The mapping is in migrations/nap.1-3.json\n',
    });
    expect(existsSync(file)).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ workflowId: 'nap', from: 1, to: 3 });
    writeFileSync(file, JSON.stringify({ at: { sleep: 'keep' } }));
    expect((await of('--from', '1', '--to', '3')).stdout).toMatch(/\nkeeps +2 +sleep/);
    writeFileSync(file, JSON.stringify({ at: { sleep: { enter: '…' } }, set: { '$context.brand': '…', '$context.shop': 'x' } }));
    expect(await of('--from', '1', '--to', '3', '--apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has 2 entries to fill in: "sleep" of "at", "$context.brand" of "set"') as unknown,
    });
    expect(await of('--from', '1', '--to', '3', '--write-map')).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ workflowId: 'nap', from: 1, to: 3, set: { '$context.shop': 'x' } });
    writeFileSync(file, JSON.stringify({ at: { none: 'keep' } }));
    expect(await of('--from', '1', '--to', '3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"at" names "none"') as unknown,
    });
  });

  it('is told how it is used', async () => {
    using data = emptyDirectory();
    await storeWith(data.path, []);
    const of = (...args: readonly string[]) => hiloHere(['migrate', 'nap', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--from', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('name both versions') as unknown });
    expect(await of('--from', '1', '--to', 'x')).toMatchObject({ code: 2 });
    expect(await of('--from', '1', '--to', '2')).toMatchObject({ code: 1, stderr: expect.stringContaining('has no version 2') as unknown });
  });
});
