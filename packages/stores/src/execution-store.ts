// Executions over a database.
import {
  type DueWait,
  type ExecutionFilter,
  type ExecutionRecord,
  type ExecutionStore,
  executionStatuses,
  type HeldSignal,
  nodeOfWait,
  type StandingExecution,
  type UnfinishedLane,
} from '@hilo/engine/contract';
import { findAnswer, commitWith } from './commit.ts';
import { findContact, type LookUpContact, ownIdFirst, readPerson } from './contacts.ts';
import { createRowDecoder, historyRecords, type OnUnreadable, readHeld, readOr, type RecordRow } from './rows.ts';
import { type Sharing, unshared } from './sharing.ts';
import { call, type Call, type Runner } from './statements/call.ts';
import {
  awaitingReplies,
  awaitingReply,
  awaitingSignal,
  selectExecution,
  selectHistory,
  type ListFilter,
  listExecutions,
  standingExecutions,
  unsettledExecutions,
} from './statements/executions.ts';
import { selectPerson } from './statements/contacts.ts';
import { awaitedHeld, countHeld, dropHeld, heldOf, type HeldValues } from './statements/held-signals.ts';
import { nextInternal, nextQueued, queuedCounts } from './statements/inbox.ts';
import { clearCrashCounts, companiesWithTimers, countCrash, selectCrashCount } from './statements/lane-sql.ts';
import { decodeText, encodeText, encodeKey, personKeyOf } from './text-encoding.ts';

/** The engine's {@link ExecutionStore} over a database: a method each, and the statements behind it in their own files. */
export function createExecutionStore(
  runner: Runner,
  sharing: Sharing = unshared,
  lookUpContact: LookUpContact = ownIdFirst(runner),
  onUnreadable?: OnUnreadable,
): ExecutionStore {
  const decoder = createRowDecoder(runner, onUnreadable);
  const reads: Reads = {
    runner,
    sharing,
    decoder,
    records: async (rows) => decoder.records(await runner.read(rows)),
  };
  return {
    ...(sharing.leases !== undefined && { leases: sharing.leases }),
    commit: (commit) => commitWith(runner, sharing.fence(commit.saves), commit),
    seenAnswer: (keys) => findAnswer(runner, keys),
    contact: (companyId, botId, ids) => findContact(lookUpContact, companyId, botId, ids),
    ...createLists(reads),
    ...createReplyReads(reads),
    ...createSignals(reads),
    ...createTimerReads(reads),
    ...createLaneReads(reads),
    ...createCrashCounts(reads),
  };
}

/** What all parts of the store read with. */
interface Reads {
  readonly runner: Runner;
  readonly sharing: Sharing;
  readonly decoder: ReturnType<typeof createRowDecoder>;
  readonly records: (rows: Call<RecordRow>) => Promise<readonly ExecutionRecord[]>;
}

/** Executions of a company, their histories and their people. */
const createLists = ({ runner, decoder, records }: Reads): Pick<ExecutionStore, 'load' | 'list' | 'standing' | 'history' | 'person'> => ({
  load: async (companyId, executionId) =>
    (await records(call(selectExecution, { companyId: encodeText(companyId), executionId: encodeText(executionId) })))[0],
  async list(companyId, filter) {
    const found = await runner.read(createPageCall(companyId, filter));
    const rows = found.slice(0, filter.limit);
    const nextCursor = found.length > filter.limit ? String(rows.at(-1)?.id ?? '') : null;
    return { results: await decoder.records(rows), nextCursor };
  },
  async standing(companyId, workflowId, limit, after) {
    const place = { companyId: encodeText(companyId), workflowId: encodeText(workflowId) };
    const found = await runner.read(
      call(standingExecutions, { ...place, after: after === undefined ? 0 : parseCursor(after), limit: limit + 1 }),
    );
    const rows = found.slice(0, limit);
    const results = rows.flatMap((row): readonly StandingExecution[] => {
      const status = executionStatuses.find((one) => one === row.status);
      const waitNodeId = row.wait_id === null ? null : nodeOfWait(decodeText(row.wait_id));
      const stands = {
        executionId: decodeText(row.execution_id),
        lane: decodeText(row.lane),
        version: row.version ?? ('draft' as const),
        sinceMs: row.updated_at_ms,
      };
      return status === undefined ? [] : [{ ...stands, status, waitNodeId }];
    });
    return { results, nextCursor: found.length > limit ? String(rows.at(-1)?.id ?? '') : null };
  },
  async history(companyId, executionId) {
    const named = { companyId: encodeText(companyId), executionId: encodeText(executionId) };
    const rows = await runner.read(call(selectHistory, named));
    // An unreadable record is skipped: the rest of the history is still useful (P17).
    return rows.flatMap(({ body }) => (body === null ? [] : (readOr(() => historyRecords({ companyId, executionId }, body)) ?? [])));
  },
  async person(companyId, userId) {
    const row = await runner.readOne(call(selectPerson, { companyId: encodeText(companyId), personKey: personKeyOf(userId) }));
    return row === undefined ? {} : readPerson(row);
  },
});

/** Executions that accept a reply of a user. */
const createReplyReads = ({ runner, decoder, records }: Reads): Pick<ExecutionStore, 'awaitingReply' | 'awaitingReplies'> => ({
  async awaitingReply(companyId, botId, userId) {
    const user = { companyId: encodeText(companyId), botKey: encodeKey(botId), userKey: encodeKey(userId) };
    for (;;) {
      const rows = await runner.read(call(awaitingReply, user));
      const [record] = await decoder.records(rows);
      if (record !== undefined || rows.length === 0) return record;
    }
  },
  awaitingReplies: (companyId, botId, userId) =>
    records(call(awaitingReplies, { companyId: encodeText(companyId), botKey: encodeKey(botId), userKey: encodeKey(userId) })),
});

/** Executions that await a signal, and signals that came before anything awaited them. */
const createSignals = ({
  runner,
  records,
}: Reads): Pick<ExecutionStore, 'awaitingSignal' | 'heldSignals' | 'countHeldSignals' | 'awaitedSignals' | 'dropHeldSignal'> => ({
  awaitingSignal: (companyId, name, value) =>
    records(call(awaitingSignal, { companyId: encodeText(companyId), name: encodeKey(name), value: encodeKey(value) })),
  async heldSignals(companyId, name, correlation) {
    const topic = { companyId: encodeText(companyId), name: encodeKey(name), value: encodeKey(correlation) };
    return readable(await runner.read(call(heldOf, topic)));
  },
  countHeldSignals: async (companyId, atMs) =>
    (await runner.readOne(call(countHeld, { companyId: encodeText(companyId), atMs })))?.held ?? 0,
  awaitedSignals: async () => readable(await runner.read(call(awaitedHeld, {}))),
  async dropHeldSignal(companyId, id) {
    await runner.write([call(dropHeld, { companyId: encodeText(companyId), id: encodeText(id) })]);
  },
});

/** Open waits that have a due time. */
const createTimerReads = ({ runner, sharing, decoder }: Reads): Pick<ExecutionStore, 'due' | 'companiesWithTimers' | 'nextDueMs'> => ({
  async due(atMs, limit, fromMs = 0, companyId) {
    const waits: DueWait[] = [];
    const { dueWaits, dueWaitsOf } = sharing.queries;
    const given = { atMs, fromMs, me: sharing.me(), limit };
    const due = companyId === undefined ? call(dueWaits, given) : call(dueWaitsOf, { ...given, companyId: encodeText(companyId) });
    for (const row of await runner.read(due)) {
      const wait = readOr(() => ({
        companyId: decodeText(row.company_id),
        executionId: decodeText(row.execution_id),
        lane: decodeText(row.lane),
        waitId: decodeText(row.wait_id ?? ''),
        dueAtMs: row.due_at_ms ?? atMs,
      }));
      if (wait === undefined) await decoder.setAside(row);
      else waits.push(wait);
    }
    return waits;
  },
  async companiesWithTimers(atMs, after, limit) {
    const rows = await runner.read(call(companiesWithTimers, { atMs, after: encodeText(after), limit }));
    return rows.map((row) => ({ companyId: decodeText(row.company_id ?? ''), isDue: row.due_at_ms !== null }));
  },
  nextDueMs: async (fromMs = 0) =>
    (await runner.readOne(call(sharing.queries.earliestDue, { fromMs, me: sharing.me() })))?.due_at_ms ?? undefined,
});

/** What lanes have left to do. */
function createLaneReads({ runner, sharing, decoder, records }: Reads): Pick<ExecutionStore, 'nextQueued' | 'unfinished' | 'unfinishedIn'> {
  /** What is unfinished in the lanes from `first` to `last`, however much waits elsewhere. */
  const unfinishedBetween = async (first: string, last: string) => {
    const unsettled = Map.groupBy(await records(call(unsettledExecutions, { first, last })), ({ lane }) => lane);
    const counts = await runner.read(call(queuedCounts, { first, last }));
    const queued = new Map(counts.map((one) => [one.lane, one.queued]));
    return (column: string): UnfinishedLane => {
      const lane = decodeText(column);
      return { lane, unsettled: unsettled.get(lane) ?? [], queued: queued.get(column) ?? 0 };
    };
  };

  return {
    async nextQueued(lane, filter) {
      for (;;) {
        const row = await runner.readOne(call(filter === undefined ? nextQueued : nextInternal, { lane: encodeText(lane) }));
        const queued = row === undefined ? undefined : await decoder.queued(row);
        if (queued !== undefined || row === undefined) return queued;
      }
    },
    async unfinished(after, limit) {
      const page = { after: encodeText(after), me: sharing.me(), limit };
      const lanes = (await runner.read(call(sharing.queries.unfinishedLanes, page))).map(({ lane }) => lane);
      return lanes.map(await unfinishedBetween(lanes[0] ?? '', lanes.at(-1) ?? ''));
    },
    unfinishedIn: async (lane) => (await unfinishedBetween(encodeText(lane), encodeText(lane)))(encodeText(lane)),
  };
}

/** How often lanes have ended their process. */
const createCrashCounts = ({ runner }: Reads): Pick<ExecutionStore, 'crashCounts' | 'countCrashes' | 'clearCrashCounts'> => ({
  async crashCounts(lanes) {
    const counts = await runner.readEach(lanes.map((lane) => call(selectCrashCount, { lane: encodeText(lane) })));
    return new Map(lanes.flatMap((lane, index) => (counts[index] ?? []).map(({ count }) => [lane, count] as const)));
  },
  async countCrashes(lanes) {
    await runner.write(lanes.toSorted().map((lane) => call(countCrash, { lane: encodeText(lane) })));
  },
  async clearCrashCounts(lanes) {
    await runner.write(lanes.toSorted().map((lane) => call(clearCrashCounts, { lane: encodeText(lane) })));
  },
});

/** Signals that can be read back; one that cannot is passed over, and goes when its time is over (P17). */
const readable = (rows: readonly HeldValues[]): readonly HeldSignal[] => rows.flatMap((row) => readOr(() => readHeld(row)) ?? []);

/** One statement for each combination of filters, compiled at first use. */
const lists = new Map<string, ReturnType<typeof listExecutions>>();

/** A page of a company's executions, newest first, and one more; the cursor is the number of the last row of the page before. */
function createPageCall(companyId: string, { workflowId, status, userId, limit, cursor }: ExecutionFilter): Call<RecordRow> {
  const filters: ListFilter[] = [];
  if (userId !== undefined) filters.push('userKey');
  if (workflowId !== undefined) filters.push('workflowId');
  if (status !== undefined) filters.push('status');
  const list = lists.get(filters.join()) ?? listExecutions(filters);
  lists.set(filters.join(), list);
  return call(list, {
    companyId: encodeText(companyId),
    workflowId: encodeText(workflowId ?? ''),
    status: status ?? '',
    userKey: encodeKey(userId ?? ''),
    before: parseCursor(cursor),
    limit: limit + 1,
  });
}

/** A malformed cursor begins at the newest. */
const parseCursor = (cursor: string | undefined): number =>
  cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER;
