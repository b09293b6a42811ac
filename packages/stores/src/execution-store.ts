import type { Contact, ExecutionRecord, ExecutionStore, Json } from '@hilo/engine/contract';
import { answerOf, commitWith } from './commit.ts';
import { due } from './due.ts';
import type { RecordRow } from './execution-row.ts';
import { historyRecords } from './history-body.ts';
import { listPage } from './list-page.ts';
import { createRowDecoder, readOr } from './row-decoder.ts';
import { type Sharing, unshared } from './sharing.ts';
import { call, type Call, type Runner } from './statements/call.ts';
import { contactOfAlias, contactOfUser, type ContactRow, type NamedContact } from './statements/contacts.ts';
import { awaitingReply, awaitingSignal, executionOf } from './statements/executions.ts';
import { historyOf } from './statements/histories.ts';
import { clearCrashCounts, countTakeUp, takeUpsOf } from './statements/lane-sql.ts';
import { nextInternal, nextQueued } from './statements/queue.ts';
import { keyOf, decodeText, encodeText } from './text-encoding.ts';
import { unfinished, unfinishedIn } from './unfinished.ts';

/** Gives the contact that an id names: by the user's own id, else as a phone or a business-scoped id. */
export type LookUpContact = (named: NamedContact) => Contact | undefined | Promise<Contact | undefined>;

/** The engine's {@link ExecutionStore} over a database. */
export function createExecutionStore(
  runner: Runner,
  sharing: Sharing = unshared,
  lookUpContact: LookUpContact = ownIdFirst(runner),
): ExecutionStore {
  const decoder = createRowDecoder(runner);
  const records = async (rows: Call<RecordRow>): Promise<readonly ExecutionRecord[]> => decoder.records(await runner.read(rows));
  return {
    ...(sharing.leases !== undefined && { leases: sharing.leases }),
    commit: (commit) => commitWith(runner, sharing.fence(commit.saves), commit),
    load: async (companyId, executionId) =>
      (await records(call(executionOf, { companyId: encodeText(companyId), executionId: encodeText(executionId) })))[0],
    async list(companyId, filter) {
      const { rows, nextCursor } = await listPage(runner, companyId, filter);
      return { results: await decoder.records(rows), nextCursor };
    },
    async history(companyId, executionId) {
      const named = { companyId: encodeText(companyId), executionId: encodeText(executionId) };
      const rows = await runner.read(call(historyOf, named));
      // An unreadable record is skipped: the rest of the history is still useful (P17).
      return rows.flatMap(({ body }) => (body === null ? [] : (readOr(() => historyRecords({ companyId, executionId }, body)) ?? [])));
    },
    contact: (companyId, botId, ids) => contactOf(lookUpContact, companyId, botId, ids),
    async awaitingReply(companyId, botId, userId) {
      const user = { companyId: encodeText(companyId), botKey: keyOf(botId), userKey: keyOf(userId) };
      for (;;) {
        const rows = await runner.read(call(awaitingReply, user));
        const [record] = await decoder.records(rows);
        if (record !== undefined || rows.length === 0) return record;
      }
    },
    awaitingSignal: (companyId, name, value) =>
      records(call(awaitingSignal, { companyId: encodeText(companyId), name: keyOf(name), value: keyOf(value) })),
    due: (atMs, limit) => due(runner, decoder, sharing, atMs, limit),
    nextDueMs: async () => (await runner.readOne(call(sharing.questions.earliestDue, { me: sharing.me() })))?.due_at_ms ?? undefined,
    async nextQueued(lane, filter) {
      for (;;) {
        const row = await runner.readOne(call(filter === undefined ? nextQueued : nextInternal, { lane: encodeText(lane) }));
        const queued = row === undefined ? undefined : await decoder.queued(row);
        if (queued !== undefined || row === undefined) return queued;
      }
    },
    unfinished: (after, limit) => unfinished(runner, decoder, sharing, after, limit),
    unfinishedIn: (lane) => unfinishedIn(runner, decoder, lane),
    seenAnswer: (keys) => answerOf(runner, keys),
    async crashCounts(lanes) {
      const counts = await runner.readEach(lanes.map((lane) => call(takeUpsOf, { lane: encodeText(lane) })));
      return new Map(lanes.flatMap((lane, index) => (counts[index] ?? []).map(({ count }) => [lane, count] as const)));
    },
    async countCrashes(lanes) {
      await runner.write(lanes.toSorted().map((lane) => call(countTakeUp, { lane: encodeText(lane) })));
    },
    async clearCrashCounts(lanes) {
      await runner.write(lanes.toSorted().map((lane) => call(clearCrashCounts, { lane: encodeText(lane) })));
    },
  };
}

/** The contact that the first of the ids names that names any (UID-04). */
function contactOf(
  look: LookUpContact,
  companyId: string,
  botId: string,
  [id, ...others]: readonly string[],
): ReturnType<ExecutionStore['contact']> {
  if (id === undefined) return undefined;
  const orOthers = (found: Contact | undefined): ReturnType<ExecutionStore['contact']> =>
    found ?? contactOf(look, companyId, botId, others);
  const found = look({ companyId: encodeText(companyId), botId: encodeText(botId), key: keyOf(id) });
  return found instanceof Promise ? found.then(orOthers) : orOthers(found);
}

/** Most users are named by their own id. */
export const ownIdFirst =
  (runner: Runner): LookUpContact =>
  async (named) => {
    const own = await runner.read(call(contactOfUser, named));
    return contactFrom(own.length > 0 ? own : await runner.read(call(contactOfAlias, named)));
  };

/** @param rows - of one contact */
export function contactFrom(rows: readonly ContactRow[]): Contact | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    botId: decodeText(row.bot_id),
    userId: decodeText(row.user_id),
    names: row.names === null ? null : decodeText(row.names),
    phone: row.phone === null ? null : decodeText(row.phone),
    bsuid: row.bsuid === null ? null : decodeText(row.bsuid),
    timeZone: row.time_zone,
    locale: row.locale,
    windowUntilMs: row.window_until_ms,
    memory: Object.fromEntries(
      rows.flatMap(({ name, value, expires_at_ms }) =>
        name === null || value === null
          ? []
          : [[decodeText(name), { value: JSON.parse(value) as Json, expiresAtMs: expires_at_ms }] as const],
      ),
    ),
  };
}
