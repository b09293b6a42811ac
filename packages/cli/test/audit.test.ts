import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDirectory, exampleWorkspace } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const actor = `command line (${userInfo().username})`;

describe('hilo audit', () => {
  it('lists and exports what commands did in the store, with the user of the machine', async () => {
    using data = emptyDirectory();
    const of = (...args: readonly string[]) => hiloHere([...args, '--data', data.path]);
    await of('import', exampleWorkspace);
    const cancelled = await of('executions', 'cancel', '0123456789abcdef0123456789abcdef');
    expect(cancelled).toMatchObject({ code: 1 });
    const listed = await of('audit', 'list', '--json', '--actor', actor);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const { results, nextCursor } = JSON.parse(listed.stdout) as { readonly results: readonly object[]; readonly nextCursor: unknown };
    expect(results).toMatchObject([
      { action: 'cancelExecution', via: 'store', outcome: '404' },
      { action: 'cancelExecution', via: 'store', outcome: 'asked', object: { kind: 'execution' } },
      { action: 'importWorkspace', via: 'store', outcome: '200' },
      { action: 'importWorkspace', via: 'store', outcome: 'asked', object: { kind: 'file', id: exampleWorkspace } },
    ]);
    expect(nextCursor).toBeNull();
    const shown = await of('audit', 'list', '--action', 'importWorkspace', '--limit', '1');
    expect(shown.stdout).toMatch(/^at +actor +via +action +object +outcome\n/);
    expect(shown.stdout).toMatch(/There are more: --cursor audit-\d+\n$/);
    expect((await of('audit', 'list', '--actor', 'operator maria')).stdout).toBe('No operator did anything that fits.\n');

    const file = join(data.path, 'audit.ndjson');
    expect(await of('audit', 'export', file)).toMatchObject({ code: 0, stdout: `✔ 4 rows are in ${file}\n` });
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(results);
    expect((await of('audit', 'export', '--action', 'cancelExecution')).stdout.trim().split('\n')).toHaveLength(2);
    expect(await of('audit', 'export', join(data.path, 'none', 'file'))).toMatchObject({ code: 1, stdout: '' });
  });
});
