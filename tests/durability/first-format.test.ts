import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEngine } from '@hilo/engine';
import type { ExecutionRecord, HistoryRecord } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { openOver } from '../../packages/stores/src/sqlite/open-sqlite-store.ts';
import { temporaryDirectory, withDirectory } from '../../packages/stores/test/temporary-directory.ts';
import { watchedConnection } from '../../packages/stores/test/watched-connection.ts';
import { placesOf } from '../../scripts/vitest/part-of.ts';

/** What the release that wrote the store read from it, by what became of the execution. */
type Read = Readonly<
  Record<'waiting' | 'completed' | 'sent' | 'pending', { readonly record: ExecutionRecord; readonly history: readonly HistoryRecord[] }>
>;
const read = JSON.parse(await readFile(join(import.meta.dirname, 'first-format.json'), 'utf8')) as Read;
const written = await readFile(join(import.meta.dirname, 'first-format.sql'), 'utf8');

/** The store that the last release with rows of the first format wrote. */
async function restore(directory: string): Promise<string> {
  const path = join(directory, 'hilo.db');
  const database = new DatabaseSync(path);
  database.exec(`begin; ${written}; commit`);
  database.close();
  return path;
}

/** All that the release which wrote it reads of executions. */
function rowsIn(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = ['select begun, state from executions', 'select body from histories'].map((sql) => database.prepare(sql).all());
  database.close();
  return rows;
}

const rowOf = (path: string, executionId: string) => {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('select begun, state from executions where execution_id = ?').get(executionId);
  database.close();
  return { begun: String(row?.['begun']), state: String(row?.['state']) };
};

/** The statements at which a process dies: at each, or at every fifth, from one that the seed draws. */
const { first, step } = placesOf();

describe('a store with rows of the first format', () => {
  it(
    'opens, and says of everything what the release said that wrote it',
    withDirectory(async (directory) => {
      const store = await openSqliteStore({ path: await restore(directory), mustExist: true });
      for (const { record, history } of Object.values(read)) {
        expect(await store.executions.load('1', record.executionId)).toEqual(record);
        expect(await store.executions.history('1', record.executionId)).toEqual(history);
      }
      expect((await store.executions.list('1', { limit: 10 })).results).toHaveLength(4);
      await store.close();
    }),
  );

  it.each(['before', 'after'] as const)(
    'has no row that its release cannot read while that may open it: a death %s any statement of the migration',
    async (side) => {
      for (let number = 1 + first; ; number += step) {
        const directory = await temporaryDirectory();
        const path = await restore(directory);
        const before = rowsIn(path);
        const connection = watchedConnection();
        connection.watch((at) => (at === number ? side : undefined));
        const opened = await openOver(connection.connect, { path, mustExist: true }).catch(() => undefined);
        await opened?.close();
        expect(rowsIn(path)).toEqual(before);
        const store = await openSqliteStore({ path, mustExist: true });
        for (const { record } of Object.values(read)) expect(await store.executions.load('1', record.executionId)).toEqual(record);
        await store.close();
        await rm(directory, { recursive: true });
        if (connection.statements.length < number) return;
      }
    },
  );

  it(
    'tells of the one execution whose row a later release wrote what to do, and all others go on',
    withDirectory(async (directory) => {
      const path = await restore(directory);
      const unreadable: unknown[] = [];
      const first = await openSqliteStore({ path, mustExist: true });
      await first.close();
      const database = new DatabaseSync(path);
      const { executionId } = read.waiting.record;
      database.prepare("update executions set state = 'c12[]' where execution_id = ?").run(executionId);
      database.close();
      const store = await openSqliteStore({ path, mustExist: true, onUnreadable: (row) => void unreadable.push(row) });
      for (let times = 0; times < 2; times += 1) expect((await store.executions.list('1', { limit: 10 })).results).toHaveLength(3);
      const reason =
        'A row cannot be read: it is of format "c", and this release reads up to "b": run the release that wrote it, or a later one';
      expect(unreadable).toEqual([{ companyId: '1', executionId, reason }]);
      await store.close();
    }),
  );

  it(
    'goes on where it was, and writes rows of its own format beside the first',
    withDirectory(async (directory) => {
      const path = await restore(directory);
      const store = await openSqliteStore({ path, mustExist: true });
      const engine = createEngine({ nodes: standardNodes, store });
      const { executionId } = read.waiting.record;
      await engine.receiveWebhook({
        companyId: '1',
        workflowId: 'parking',
        nodeId: 'hook',
        route: 'production',
        channel: 'whatsapp',
        botId: 'bot',
        request: { method: 'POST', headers: {}, query: {}, body: { id: 'B', executionId } },
      });
      await engine.whenIdle();
      const history = await store.executions.history('1', executionId);
      expect(history.slice(0, 2)).toEqual(read.waiting.history);
      expect(history.map(({ event }) => event.type)).toEqual(['execution.accepted', 'execution.started', 'webhook.received']);
      expect((await store.executions.load('1', executionId))?.state.status).toBe('completed');
      await engine.stop();
      await store.close();
      const { begun, state } = rowOf(path, executionId);
      expect([begun.slice(0, 1), state.slice(0, 1)]).toEqual(['[', 'b']);
    }),
  );
});
