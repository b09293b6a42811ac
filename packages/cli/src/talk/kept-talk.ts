import { join } from 'node:path';
import type { CanvasStore, ExecutionStore } from '@hilo/engine/contract';
import { call, type DurableStore, type Extension, openSqliteStore, statementsOver } from '@hilo/stores';
import { type EarlierTalk, simulatedIds } from '@hilo/simulator';

/** A talk whose executions are in a file, so that another process can go on with it. */
export interface KeptTalk {
  readonly store: ExecutionStore;
  readonly canvasStore: CanvasStore;
  readonly earlier: EarlierTalk;
  /** Where its time stood last, in milliseconds since the Unix epoch; `undefined` for a talk that begins. */
  readonly stoodAtMs: number | undefined;
  /** Remembers what time it is in the talk: time that passes without consequence leaves no other trace. */
  keepTime(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** One row for each process that talked; its number makes its ids its own. */
const talks: Extension = {
  name: 'talk',
  migrations: [({ integer, neverAgain }) => [`create table talks (number ${neverAgain}, now_ms ${integer})`]],
};

const statement = statementsOver<{ readonly talks: { readonly number: number; readonly now_ms: number | null } }>();

const beginTalk = statement()((db) => db.insertInto('talks').defaultValues().returning('number'));
const timeOfTalks = statement()((db) => db.selectFrom('talks').select(({ fn }) => fn.max('now_ms').as('now_ms')));
const writeTime = statement<{ readonly number: number; readonly nowMs: number }>()((db, { number, nowMs }) =>
  db.updateTable('talks').set({ now_ms: nowMs }).where('number', '=', number),
);

/**
 * Opens the talk of a directory, or begins one there.
 *
 * @throws {StoreRefused} when its file is damaged, of a newer Hilo, or another process talks
 */
export async function openKeptTalk(directory: string): Promise<KeptTalk> {
  const store = await openSqliteStore({ path: join(directory, 'talk.db'), extensions: [talks] });
  const executions = await executionsIn(store.executions);
  const keptMs = (await store.runner.readOne(call(timeOfTalks, {})))?.now_ms ?? undefined;
  const number = (await store.runner.writeOne(call(beginTalk, {})))?.number ?? 1;
  const times = [...executions.map(({ updatedAtMs }) => updatedAtMs), ...(keptMs === undefined ? [] : [keptMs])];
  return {
    store: store.executions,
    canvasStore: store.canvases,
    earlier: { conversations: number - 1, executionIds: executions.map(({ executionId }) => executionId) },
    stoodAtMs: times.length === 0 ? undefined : times.reduce((latest, time) => Math.max(latest, time)),
    keepTime: async (nowMs) => void (await store.runner.write([call(writeTime, { number, nowMs })])),
    close: store.close,
  };
}

/** Every execution that is kept, oldest first. */
async function executionsIn(store: DurableStore['executions']) {
  const found = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.list(simulatedIds.companyId, { limit: 200, ...(cursor !== undefined && { cursor }) });
    found.push(...page.results.map(({ executionId, updatedAtMs }) => ({ executionId, updatedAtMs })));
    cursor = page.nextCursor;
  }
  return found.reverse();
}
