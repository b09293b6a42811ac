// The part of the contract of stores that compares them with the naive one.
import type { Commit, ContactChange, ExecutionRecord, ExecutionStore, UnfinishedLane } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonValue } from '../arbitraries/json-values.ts';
import { accepted, acceptedMessage, advance, executionRecord, type Open, type RecordParts, storeRuns } from './execution-records.ts';
import { createNaiveStore, type NaiveStore } from './naive-store.ts';

const companyIds = ['c1', 'c2'];
const executionIds = ['e1', 'e2', 'e3'];
const userIds = ['u1', 'u2'];
const botIds = ['b1', 'b2'];
const keys = ['k1', 'k2', 'k3'];
/** Ids that users may have besides their user ids. */
const aliases = ['phone of u1', 'phone of u2', 'bsuid of u1', 'bsuid of u2'];

/** The lanes of the executions, and one with queued items only. */
const lanes = ['c1/user/b1/u1', 'c2/user/b1/u2', 'elsewhere'];

const instant = fc.integer({ min: 0, max: 5 });

/** The open part of an execution's state. */
const standing: fc.Arbitrary<Pick<RecordParts, 'status' | 'wait' | 'pending'>> = fc.oneof(
  fc.constantFrom<Pick<RecordParts, 'status' | 'pending'>>(
    { status: 'running' },
    { status: 'running', pending: {} },
    { status: 'completed' },
    { status: 'quarantined' },
  ),
  fc.record({
    status: fc.constantFrom('waiting' as const, 'waiting' as const, 'quarantined' as const),
    wait: fc.oneof(
      fc.record({ kind: fc.constant('reply' as const), openedAtMs: instant, dueAtMs: fc.option(instant) }),
      fc.record({ kind: fc.constant('timer' as const), openedAtMs: instant, dueAtMs: instant, takesReply: fc.boolean() }),
      fc.record({
        kind: fc.constant('event' as const),
        openedAtMs: instant,
        correlation: fc.record({ name: fc.constantFrom('paid', 'sent'), value: fc.constantFrom('', '7') }),
      }),
    ),
  }),
);

/** Saves an execution; `shift` is how far its revision is from the right one. */
const save = fc.record({
  companyId: fc.constantFrom(...companyIds),
  id: fc.constantFrom(...executionIds),
  userId: fc.constantFrom(...userIds),
  workflowId: fc.constantFrom('w1', 'w2'),
  shift: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  standing,
});

const contact: fc.Arbitrary<ContactChange> = fc
  .record(
    {
      companyId: fc.constantFrom(...companyIds),
      botId: fc.constantFrom(...botIds),
      userId: fc.constantFrom(...userIds),
      names: fc.constantFrom('Ana', 'Luz'),
      phone: fc.constant('phone'),
      bsuid: fc.constant('bsuid'),
      timeZone: fc.constantFrom('America/Lima', 'Asia/Tokyo'),
      locale: fc.constantFrom('es-PE', 'ja'),
      windowUntilMs: instant,
      memory: fc.dictionary(fc.constantFrom('a', 'b'), fc.option(fc.record({ value: jsonValue, expiresAtMs: fc.option(instant) })), {
        noNullPrototype: true,
      }),
    },
    { requiredKeys: ['companyId', 'botId', 'userId'] },
  )
  .map(({ phone, bsuid, ...change }) => ({
    ...change,
    ...(phone !== undefined && { phone: `${phone} of ${change.userId}` }),
    ...(bsuid !== undefined && { bsuid: `${bsuid} of ${change.userId}` }),
  }));

/** Something accepted, internal or not, in one of three lanes. */
const queued = fc
  .record({
    lane: fc.constantFrom(...lanes),
    id: fc.constantFrom(...executionIds),
    isInternal: fc.boolean(),
  })
  .map(({ lane, id, isInternal }) => ({ ...(isInternal ? accepted(id) : acceptedMessage(id)), lane }));

/** One commit, as far as it is independent of earlier ones. */
const plan = fc.record({
  saves: fc.uniqueArray(save, { maxLength: 2, selector: ({ companyId, id }) => `${companyId} ${id}` }),
  contacts: fc.array(contact, { maxLength: 2 }),
  enqueue: fc.array(queued, { maxLength: 2 }),
  dequeue: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('none' as const, 'oldest' as const, 'all' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  seen: fc.option(fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 2 }), { freq: 4 }),
  claims: fc.option(fc.array(fc.constantFrom('n1', 'n2', 'n3'), { minLength: 1, maxLength: 2 }), { freq: 4 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

/** The plan as a commit, with the numbers that depend on the stored data. */
function createCommit({ saves, contacts, enqueue, dequeue, seen, claims }: Plan, naive: NaiveStore, index: number): Commit {
  const records = saves.map(({ companyId, id, userId, workflowId, shift, standing }) => {
    const known = naive.load(companyId, id);
    const identity = {
      companyId,
      id,
      userId: known?.state.origin.userId ?? userId,
      workflowId: known?.workflowId ?? workflowId,
      createdAtMs: known?.createdAtMs ?? index,
    };
    return executionRecord({ ...identity, revision: (known?.revision ?? 0) + 1 + shift, ...standing });
  });
  // What moves on comes before what it starts, as the engine has it: of replies opened at one instant, the last one counts.
  records.sort((a, b) => Number(a.revision === 1) - Number(b.revision === 1) || (a.revision === 1 ? 0 : byName(a, b)));
  const queued = naive.queued();
  return {
    saves: records,
    history: records.map(({ executionId, companyId }) => advance(executionId, index, '', companyId)),
    contacts,
    enqueue,
    dequeue: { none: [], oldest: queued.slice(0, 1), all: queued, unknown: [{ lane: 'elsewhere', seq: 987_654_321 }] }[dequeue],
    ...(seen !== null && { seen: { keys: seen, untilMs: 9, answer: index } }),
    ...(claims !== null && { claims: { keys: claims, untilMs: 9 } }),
  };
}

const byName = (a: ExecutionRecord, b: ExecutionRecord): number =>
  `${a.companyId} ${a.executionId}` < `${b.companyId} ${b.executionId}` ? -1 : 1;

/** Every question to a store, with its answers in an order of their own where none is promised. */
async function askAll(store: ExecutionStore) {
  return {
    loaded: await all(companyIds, executionIds, async (companyId, id) => store.load(companyId, id)),
    histories: await all(companyIds, executionIds, (companyId, id) => store.history(companyId, id)),
    contacts: await all(companyIds, botIds, (companyId, botId) =>
      Promise.all([...userIds, ...aliases].map(async (id) => store.contact(companyId, botId, [id]))),
    ),
    replies: await all(companyIds, userIds, (companyId, userId) => store.awaitingReply(companyId, 'b1', userId)),
    signals: await all(['paid', 'sent'], ['', '7'], async (name, value) => byId(await store.awaitingSignal('c1', name, value))),
    due: (await store.due(3, 100)).map(({ dueAtMs }) => dueAtMs),
    dueWaits: byId(await store.due(9, 100)),
    dueFrom: (await store.due(9, 100, 3)).map(({ dueAtMs }) => dueAtMs),
    dueOf: await Promise.all(companyIds.map(async (companyId) => byId(await store.due(9, 100, 0, companyId)))),
    withTimers: (await store.companiesWithTimers(3, '', 100)).map(({ companyId, isDue }) => `${companyId} ${isDue}`).toSorted(),
    nextDueMs: await store.nextDueMs(),
    nextDueFromMs: await store.nextDueMs(3),
    next: await Promise.all(lanes.map((lane) => store.nextQueued(lane))),
    nextInternal: await Promise.all(lanes.map((lane) => store.nextQueued(lane, { isInternal: true }))),
    unfinishedIn: await Promise.all(lanes.map((lane) => store.unfinishedIn(lane))),
    pages: await readPages(store, 1),
    unfinished: await store.unfinished('', 100),
    answers: await Promise.all(pairs(keys, keys).map((both) => store.seenAnswer(both))),
    crashCounts: await store.crashCounts(lanes),
    lists: await all(
      companyIds,
      [undefined, 'waiting' as const],
      async (companyId, status) => (await store.list(companyId, { limit: 100, ...(status !== undefined && { status }) })).results,
    ),
  };
}

/** The same questions to the model. */
const askModel = (naive: NaiveStore): Awaited<ReturnType<typeof askAll>> => ({
  loaded: pairs(companyIds, executionIds).map(([companyId, id]) => naive.load(companyId, id)),
  histories: pairs(companyIds, executionIds).map(([companyId, id]) => naive.history(companyId, id)),
  contacts: pairs(companyIds, botIds).map(([companyId, botId]) =>
    [...userIds, ...aliases].map((id) => naive.contact(companyId, botId, id)),
  ),
  replies: pairs(companyIds, userIds).map(([companyId, userId]) => naive.awaitingReply(companyId, 'b1', userId)),
  signals: pairs(['paid', 'sent'], ['', '7']).map(([name, value]) => byId(naive.awaitingSignal('c1', name, value))),
  due: naive.due(3).map(({ dueAtMs }) => dueAtMs),
  dueWaits: byId(naive.due(9)),
  dueFrom: naive.due(9).flatMap(({ dueAtMs }) => (dueAtMs < 3 ? [] : [dueAtMs])),
  dueOf: companyIds.map((companyId) => byId(naive.due(9).filter((wait) => wait.companyId === companyId))),
  withTimers: companyIds.flatMap((companyId) => {
    const own = naive.due(Number.POSITIVE_INFINITY).filter((wait) => wait.companyId === companyId);
    return own.length === 0 ? [] : [`${companyId} ${own.some(({ dueAtMs }) => dueAtMs <= 3)}`];
  }),
  nextDueMs: naive.due(Number.POSITIVE_INFINITY)[0]?.dueAtMs,
  nextDueFromMs: naive.due(Number.POSITIVE_INFINITY).find(({ dueAtMs }) => dueAtMs >= 3)?.dueAtMs,
  next: lanes.map((lane) => naive.nextQueued(lane)),
  nextInternal: lanes.map((lane) => naive.nextQueued(lane, { isInternal: true })),
  unfinishedIn: lanes.map(naive.unfinishedIn),
  pages: naive.unfinished(),
  unfinished: naive.unfinished(),
  answers: pairs(keys, keys).map(naive.seenAnswer),
  crashCounts: new Map(),
  lists: pairs(companyIds, [undefined, 'waiting' as const]).map(([companyId, status]) =>
    naive.list(companyId, { ...(status !== undefined && { status }) }),
  ),
});

/** Any commits in any order, and every question after each, against a model that is easier to believe. */
export function describeModel(open: Open<ExecutionStore>): void {
  describe('against the naive model', { timeout: 180_000 }, () => {
    it('answers every query like the model after any commits', () =>
      fc.assert(
        fc.asyncProperty(fc.array(plan, { maxLength: 12 }), async (plans) => {
          const { store, close } = await open();
          try {
            const naive = createNaiveStore();
            for (const [index, planned] of plans.entries()) {
              const commit = createCommit(planned, naive, index + 1);
              const committed = await store.commit(commit);
              expect(committed).toEqual(naive.commit(commit, committed.kind === 'committed' ? committed.seqs : []));
              expect(await askAll(store)).toEqual(askModel(naive));
            }
          } finally {
            await close();
          }
        }),
        storeRuns(),
      ));
  });
}

/** Everything unfinished, a page at a time. */
async function readPages(store: ExecutionStore, limit: number): Promise<readonly UnfinishedLane[]> {
  const found: UnfinishedLane[] = [];
  for (;;) {
    const page = await store.unfinished(found.at(-1)?.lane ?? '', limit);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

const pairs = <A, B>(firsts: readonly A[], seconds: readonly B[]): readonly (readonly [A, B])[] =>
  firsts.flatMap((first) => seconds.map((second) => [first, second] as const));

const all = <A, B, Answer>(
  firsts: readonly A[],
  seconds: readonly B[],
  ask: (first: A, second: B) => Promise<Answer>,
): Promise<readonly Answer[]> => Promise.all(pairs(firsts, seconds).map(([first, second]) => ask(first, second)));

const byId = <Item extends { readonly companyId: string; readonly executionId: string }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => (`${a.companyId} ${a.executionId}` < `${b.companyId} ${b.executionId}` ? -1 : 1));
