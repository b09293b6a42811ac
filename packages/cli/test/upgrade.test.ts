import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { historyRecords } from '../../stores/src/rows.ts';
import { createPacker } from '../../stores/test/first-format-packer.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { serviceAt, storeAt } from './store-at.ts';

describe('hilo upgrade', () => {
  it('replays every history of a store with this release', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const of = (...args: readonly string[]) => hiloHere(['upgrade', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--check')).toEqual({ code: 0, stderr: '', stdout: '✔ 2 of 2 histories lead to the same with this release\n' });
    expect(JSON.parse((await of('--check', '--json')).stdout)).toEqual({ read: 2, equal: 2, differs: 0, unreadable: 0, different: [] });
  });

  it('fails where a history leads elsewhere, and names the execution', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const file = new DatabaseSync(join(data.path, 'hilo.db'));
    // As where the nodes of this release do something else: the content differs from the one that the histories were made with.
    const written = String(file.prepare('select canvas from contents').get()?.['canvas']);
    const canvas = JSON.parse(written) as { readonly nodes: readonly { readonly id: string }[] };
    const nodes = canvas.nodes.map((node) => (node.id === 'done' ? { ...node, data: { outputs: { said: 1 } } } : node));
    file.prepare('update contents set canvas = ?').run(JSON.stringify({ ...canvas, nodes }));
    file.close();
    const of = (...args: readonly string[]) => hiloHere(['upgrade', ...args, '--data', data.path], { cwd: data.path });
    const inWords = await of('--check');
    expect(inWords).toMatchObject({ code: 1, stderr: '' });
    const [head, ...lines] = inWords.stdout.trimEnd().split('\n');
    expect(head).toBe('✖ 2 of 2 histories lead elsewhere with this release. Keep the earlier one, and report it');
    expect(lines).toEqual([1, 2].map(() => expect.stringMatching(/^ {4}\w+ logging version 1 of company 1, completed$/) as unknown));
    const inJson = await of('--check', '--json');
    expect(inJson).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(inJson.stdout)).toMatchObject({ read: 2, equal: 0, differs: 2, different: [{ workflowId: 'logging' }, {}] });
  });

  it('writes what an earlier release wrote anew, once, and not under a service that runs', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const of = (...args: readonly string[]) => hiloHere(['upgrade', ...args, '--data', data.path], { cwd: data.path });
    expect(await of()).toEqual({ code: 0, stderr: '', stdout: '✔ 2 executions are in the format of this release already\n' });
    const file = new DatabaseSync(join(data.path, 'hilo.db'));
    const [row] = file.prepare('select id, company_id, execution_id, begun from executions order by id').all();
    const named = { companyId: String(row?.['company_id']), executionId: String(row?.['execution_id']) };
    const lines = historyRecords(named, String(row?.['begun'])).map(({ revision, event, entries }) => [revision, event, entries]);
    const pack = createPacker([named.executionId, named.companyId]);
    file.prepare('update executions set begun = ? where id = ?').run(pack(lines), Number(row?.['id']));
    file.close();
    const service = await serviceAt(data.path);
    await expect(of()).resolves.toMatchObject({ code: 1, stderr: expect.stringContaining('in use') as string });
    await service.close();
    expect(await of()).toMatchObject({ code: 0, stdout: '✔ 2 executions were read, 1 row written anew\n' });
    expect(JSON.parse((await of('--json')).stdout)).toEqual({ executions: 2, rewritten: 0, unreadable: 0 });
    expect(await of('--check')).toMatchObject({ stdout: '✔ 2 of 2 histories lead to the same with this release\n' });
  });
});
