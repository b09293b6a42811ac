// Tests of both databases: rows of an earlier format are written anew, and say the same.
import { describe, expect, it } from 'vitest';
import { advance, commitAll, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { createUnpacker } from '../src/first-format.ts';
import { isFirstFormat } from '../src/row-text.ts';
import { rewriteRows } from '../src/rows-anew.ts';
import type { Tampered } from './describe-unreadable.ts';
import { createPacker } from './first-format-packer.ts';

interface Row {
  readonly id: number;
  readonly company_id: string;
  readonly execution_id: string;
  readonly begun: string | null;
  readonly state: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The rows of a store of an earlier release become those of this one, and say the same. */
export function describeRowsAnew(name: string, open: () => Promise<Tampered>): void {
  describe(`rows of ${name} that are of the first format`, () => {
    it('are written anew, in pages, and read as before; those that cannot be read stay (migrated row, old reader)', async () => {
      const { store, run, close } = await open();
      const { executions } = store;
      // One that has begun, one that has advanced since, and enough others for a second page.
      const variables = {
        $context: { text: "a text that isn't short", list: [1, 'a text that stands twice', 'a text that stands twice'] },
      };
      await commitAll(executions, {
        saves: [executionRecord({ id: 'begun', variables, wait: { dueAtMs: 5_000 } })],
        history: [advance('begun', 1, 'a text that stands twice')],
      });
      await commitAll(executions, { saves: [executionRecord({ id: 'advanced', variables })], history: [advance('advanced', 1)] });
      await commitAll(executions, {
        saves: [executionRecord({ id: 'advanced', revision: 2, variables, status: 'completed' })],
        history: [advance('advanced', 2, 'said')],
      });
      const others = Array.from({ length: 250 }, (_, n) => `other ${n}`);
      for (const id of [...others, 'broken'])
        await commitAll(executions, { saves: [executionRecord({ id, variables })], history: [advance(id, 1)] });
      const ids = ['begun', 'advanced', ...others];
      const everything = async () =>
        Promise.all(ids.map(async (id) => [await executions.load('c1', id), await executions.history('c1', id)]));
      const before = await everything();

      const rows = (await run('select id, company_id, execution_id, begun, state from executions order by id')) as readonly Row[];
      for (const { id, execution_id: executionId, company_id: companyId } of rows) {
        const [begun, ...later] = (await executions.history('c1', executionId)) ?? [];
        const linesOf = (records: readonly (typeof begun)[]) => records.map((one) => [one?.revision, one?.event, one?.entries]);
        const { state } = (await executions.load('c1', executionId)) ?? {};
        const pack = createPacker([executionId, companyId]);
        const packed = [pack(linesOf([begun])), executionId === 'broken' ? '{"status":"running' : `+${pack(state)}`] as const;
        const alone = executionId === 'advanced' ? createPacker([executionId, companyId])(state) : packed[1];
        await run(`update executions set begun = ${quote(packed[0])}, state = ${quote(alone)} where id = ${id}`);
        if (later.length > 0)
          await run(`update histories set body = ${quote(createPacker([executionId, companyId])(linesOf(later)))} where execution = ${id}`);
      }
      expect(await everything()).toEqual(before);

      // A process that dies after the first page leaves rows of both formats. One that has read a row before it was written anew goes on with it.
      const readBefore = await executions.load('c1', 'begun');
      const killed = new Error('killed');
      const dying = rewriteRows(store.runner, () => {
        throw killed;
      });
      await expect(dying).rejects.toBe(killed);
      expect(await everything()).toEqual(before);
      const [migrated] = (await run("select state from executions where execution_id = 'begun'")) as readonly Pick<Row, 'state'>[];
      expect(() => createUnpacker(['begun', 'c1']).unpack(migrated?.state ?? '[]')).toThrow(SyntaxError); // refused, not misread

      const progress: number[] = [];
      const anew = await rewriteRows(store.runner, (read) => void progress.push(read));
      expect(anew).toEqual({ executions: 253, rewritten: 52, unreadable: 1 });
      expect(progress).toEqual([200, 253]);
      const after = (await run('select execution_id, begun, state from executions')) as readonly Row[];
      expect(
        after.filter(({ begun, state }) => isFirstFormat(state) || isFirstFormat(begun ?? 'b')).map((row) => row.execution_id),
      ).toEqual(['broken']);
      const histories = (await run('select body from histories')) as readonly { readonly body: string }[];
      expect(histories.map(({ body }) => isFirstFormat(body))).toEqual([false]);
      expect(await everything()).toEqual(before);
      expect(await rewriteRows(store.runner)).toEqual({ executions: 253, rewritten: 0, unreadable: 1 });
      const next = executionRecord({ id: 'begun', revision: (readBefore?.revision ?? 0) + 1, variables, status: 'completed' });
      await commitAll(executions, { saves: [next], history: [advance('begun', next.revision)] });
      expect(await executions.load('c1', 'begun')).toEqual(next);
      expect(await executions.history('c1', 'begun')).toHaveLength(2);
      await close();
    });
  });
}
