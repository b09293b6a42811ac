import type { Contact, ExecutionRecord, ExecutionStore, Json } from '@hilo/engine/contract';
import { due } from './due.ts';
import type { RecordRow } from './execution-row.ts';
import { historyRecords } from './history-body.ts';
import { listPage } from './list-page.ts';
import { createReadable, readOr } from './readable.ts';
import { type Sharing, unshared } from './sharing.ts';
import { contactRows, contactsNamed } from './statements/contacts.ts';
import { awaitingReply, awaitingSignal, earliestDue, executionOf } from './statements/executions.ts';
import { begunOf, historyOf } from './statements/histories.ts';
import { countTakeUp, clearCrashCounts, takeUpsOf } from './statements/lanes.ts';
import { nextInternal, nextQueued } from './statements/queue.ts';
import { seenAnswer } from './statements/seen.ts';
import { ask, askEach, askOne, type Runner, sideBySide, type Steps } from './statements/steps.ts';
import { keyOf, read, written } from './texts.ts';
import { together } from './together.ts';
import { unfinished, unfinishedIn } from './unfinished.ts';

/** The engine's {@link ExecutionStore} over a database. */
export function createExecutionStore(runner: Runner, sharing: Sharing = unshared): ExecutionStore {
  const readable = createReadable(runner);
  const records = async (rows: () => Steps<readonly RecordRow[]>): Promise<readonly ExecutionRecord[]> =>
    readable.records(await runner.read(rows));
  return {
    ...(sharing.leases !== undefined && { leases: sharing.leases }),
    commit: (commit) => together(runner, sharing, commit),
    load: async (companyId, executionId) =>
      (await records(() => ask(executionOf, { companyId: written(companyId), executionId: written(executionId) })))[0],
    async list(companyId, filter) {
      const { rows, nextCursor } = await runner.read(() => listPage(companyId, filter));
      return { results: await readable.records(rows), nextCursor };
    },
    history: (companyId, executionId) =>
      runner.read(function* () {
        const named = { companyId: written(companyId), executionId: written(executionId) };
        const [begun, rows] = yield* sideBySide(askOne(begunOf, named), ask(historyOf, named));
        const bodies = [begun?.begun ?? undefined, ...rows.map(({ body }) => body)].filter((body) => body !== undefined);
        // What cannot be read back is passed over: the rest still says what happened (P17).
        return bodies.flatMap((body) => readOr(() => historyRecords({ companyId, executionId }, body)) ?? []);
      }),
    contact: (companyId, botId, ids) => runner.read(() => contactSteps(companyId, botId, ids)),
    async awaitingReply(companyId, botId, userId) {
      const user = { companyId: written(companyId), botKey: keyOf(botId), userKey: keyOf(userId) };
      for (;;) {
        const rows = await runner.read(() => ask(awaitingReply, user));
        const [record] = await readable.records(rows);
        if (record !== undefined || rows.length === 0) return record;
      }
    },
    awaitingSignal: (companyId, name, value) =>
      records(() => ask(awaitingSignal, { companyId: written(companyId), name: keyOf(name), value: keyOf(value) })),
    due: (atMs, limit) => due(runner, readable, sharing, atMs, limit),
    nextDueMs: () =>
      runner.read(function* () {
        return (yield* askOne(earliestDue, { me: sharing.me() }))?.due_at_ms ?? undefined;
      }),
    async nextQueued(lane, filter) {
      for (;;) {
        const row = await runner.read(() => askOne(filter === undefined ? nextQueued : nextInternal, { lane: written(lane) }));
        const queued = row === undefined ? undefined : await readable.queued(row);
        if (queued !== undefined || row === undefined) return queued;
      }
    },
    unfinished: (after, limit) => unfinished(runner, readable, sharing, after, limit),
    unfinishedIn: (lane) => unfinishedIn(runner, readable, lane),
    seenAnswer: (keys) =>
      runner.read(function* () {
        const found = yield* askEach(
          seenAnswer,
          keys.map(keyOf).map((key) => ({ key })),
        );
        const [first] = found.flat();
        return first === undefined ? undefined : { answer: JSON.parse(first.answer) as Json };
      }),
    crashCounts: (lanes) =>
      runner.read(function* () {
        const counts = yield* askEach(takeUpsOf, lanes.map(laneColumn));
        return new Map(lanes.flatMap((lane, index) => (counts[index] ?? []).map(({ count }) => [lane, count] as const)));
      }),
    countCrashes: (lanes) =>
      runner.write(function* () {
        yield* askEach(countTakeUp, lanes.toSorted().map(laneColumn));
      }),
    clearCrashCounts: (lanes) =>
      runner.write(function* () {
        yield* askEach(clearCrashCounts, lanes.toSorted().map(laneColumn));
      }),
  };
}

const laneColumn = (lane: string) => ({ lane: written(lane) });

function* contactSteps(companyId: string, botId: string, ids: readonly string[]): Steps<Contact | undefined> {
  for (const id of ids) {
    const named = yield* askOne(contactsNamed, { companyId: written(companyId), botId: written(botId), key: keyOf(id) });
    const aliases = [named?.by_phone, named?.by_bsuid].filter((found) => typeof found === 'number');
    const found = named?.by_user ?? (aliases.length === 0 ? undefined : Math.min(...aliases));
    if (found !== undefined) return yield* contactOf(found);
  }
  return undefined;
}

function* contactOf(id: number): Steps<Contact | undefined> {
  const rows = yield* ask(contactRows, { id });
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    botId: read(row.bot_id),
    userId: read(row.user_id),
    names: row.names === null ? null : read(row.names),
    phone: row.phone === null ? null : read(row.phone),
    bsuid: row.bsuid === null ? null : read(row.bsuid),
    windowUntilMs: row.window_until_ms,
    memory: Object.fromEntries(
      rows.flatMap(({ name, value, expires_at_ms }) =>
        name === null || value === null ? [] : [[read(name), { value: JSON.parse(value) as Json, expiresAtMs: expires_at_ms }] as const],
      ),
    ),
  };
}
