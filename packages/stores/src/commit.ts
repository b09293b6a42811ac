import type { Commit, Committed, ContactChange, ExecutionRecord, HistoryRecord, Json } from '@hilo/engine/contract';
import { rowOf } from './execution-row.ts';
import { historyBody, packerOf } from './history-body.ts';
import { queueRowOf } from './queue-row.ts';
import type { Sharing } from './sharing.ts';
import { type ContactValues, forget, learnContact, learnContacts, remember } from './statements/contacts.ts';
import { executionIdOf, insertExecution, updateExecution } from './statements/executions.ts';
import { insertHistory } from './statements/histories.ts';
import { othersIn } from './statements/lanes.ts';
import { listOf } from './statements/listed.ts';
import { dequeue } from './statements/queue.ts';
import { insertSeen, seenAnswer } from './statements/seen.ts';
import { ask, askEach, askOne, sideBySide, type Steps } from './statements/steps.ts';
import { StoreUnavailable } from './store-unavailable.ts';
import { keyOf, written } from './texts.ts';

/**
 * Writes everything one event leads to (P3). Each write is conditional and says itself whether it happened: nothing is
 * read first and decided on. What is answered other than `committed` is to be undone.
 *
 * Every commit takes what it locks in the same order, so that two processes never wait for each other.
 *
 * @throws {StoreUnavailable} when it advances an execution in another process's lane: this one was taken for dead (P8)
 */
export function* commitSteps(commit: Commit, sharing: Sharing): Steps<Committed> {
  const me = sharing.me();
  const histories = Map.groupBy(commit.history, identity);
  const [repeated, ids, isDequeued, isForeign] = yield* sideBySide(
    see(commit.seen),
    save(commit.saves, histories),
    dequeueAll(commit.dequeue),
    isInOthers(commit.saves, me),
  );
  if (isForeign) throw new StoreUnavailable("the lane is another process's: this one was taken for dead");
  if (repeated !== undefined) return repeated;
  if (ids === undefined || !isDequeued) return { kind: 'conflict' };
  const [enqueued] = yield* sideBySide(
    askEach(
      sharing.enqueue,
      commit.enqueue.map((queued) => ({ ...queueRowOf(queued), me })),
    ),
    record(histories, ids, new Set(commit.saves.filter(isNew).map(identity))),
    learn(commit.contacts),
  );
  return { kind: 'committed', seqs: enqueued.flat().map(({ seq }) => seq) };
}

/** @returns the answer to the first delivery id that was seen before */
function* see(seen: Commit['seen']): Steps<Committed | undefined> {
  if (seen === undefined) return undefined;
  const keys = [...new Set(seen.keys.map(keyOf))];
  const answer = JSON.stringify(seen.answer);
  const inserted = yield* askEach(
    insertSeen,
    keys.toSorted().map((key) => ({ key, untilMs: seen.untilMs, answer })),
  );
  const mine = new Set(inserted.flat().map(({ key }) => key));
  const repeated = keys.filter((key) => !mine.has(key));
  if (repeated.length === 0) return undefined;
  const [first] = (yield* askEach(
    seenAnswer,
    repeated.map((key) => ({ key })),
  )).flat();
  // Without an answer its time was over in this very moment.
  return { kind: 'duplicate', answer: first === undefined ? null : (JSON.parse(first.answer) as Json) };
}

/** @returns the numbers of the rows; nothing when another writer was faster */
function* save(
  records: readonly ExecutionRecord[],
  histories: ReadonlyMap<string, readonly HistoryRecord[]>,
): Steps<ReadonlyMap<string, number> | undefined> {
  const ordered = inLockOrder(records);
  const saved = yield* sideBySide(...ordered.map((record) => saveOne(record, histories.get(identity(record)))));
  const ids = new Map<string, number>();
  for (const [index, record] of ordered.entries()) {
    const id = saved[index]?.id;
    if (id === undefined) return undefined;
    ids.set(identity(record), id);
  }
  return ids;
}

const saveOne = (record: ExecutionRecord, history: readonly HistoryRecord[] | undefined): Steps<{ readonly id: number } | undefined> =>
  isNew(record)
    ? askOne(insertExecution, rowOf(record, history))
    : askOne(updateExecution, { ...rowOf(record), before: record.revision - 1 });

const isNew = ({ revision }: ExecutionRecord): boolean => revision === 1;

/** @returns whether all were there */
function* dequeueAll(seqs: readonly number[]): Steps<boolean> {
  const ordered = [...new Set(seqs)].sort((a, b) => a - b);
  const gone = yield* askEach(
    dequeue,
    ordered.map((seq) => ({ seq })),
  );
  return gone.flat().length === ordered.length;
}

/** Whether a member advances an execution in a lane that is another's. What begins may begin anywhere. */
function* isInOthers(saves: readonly ExecutionRecord[], me: number): Steps<boolean> {
  if (me === 0) return false;
  const lanes = new Set(saves.filter((record) => !isNew(record)).map(({ lane }) => written(lane)));
  const owners = yield* askEach(
    othersIn,
    [...lanes].map((lane) => ({ lane, me })),
  );
  return owners.flat().length > 0;
}

/** @param begun - executions whose rows have their history already */
function* record(
  histories: ReadonlyMap<string, readonly HistoryRecord[]>,
  ids: ReadonlyMap<string, number>,
  begun: ReadonlySet<string>,
): Steps<void> {
  const others = [...histories].filter(([name]) => !begun.has(name));
  yield* sideBySide(...others.map(([name, records]) => recordOne(records, ids.get(name))));
}

/** @param saved - the number of the row, where the commit saves the execution too */
function* recordOne(records: readonly HistoryRecord[], saved: number | undefined): Steps<void> {
  const { companyId = '', executionId = '' } = records[0] ?? {};
  const execution = saved ?? (yield* askOne(executionIdOf, { companyId: written(companyId), executionId: written(executionId) }))?.id;
  if (execution === undefined) throw new Error(`A history was given for the execution "${executionId}", which does not exist`);
  yield* ask(insertHistory, { execution, body: historyBody(records, packerOf({ companyId, executionId })) });
}

function* learn(changes: readonly ContactChange[]): Steps<void> {
  if (changes.length > 1 && isEachOnce(changes) && changes.every(({ memory }) => memory === undefined)) {
    yield* ask(learnContacts, { contacts: listOf(changes.map((change) => contactColumns(contactValues(change)))) });
    return;
  }
  const known = yield* askEach(learnContact, changes.map(contactValues));
  yield* sideBySide(
    ...changes.flatMap(({ memory }, index) => {
      const contact = known[index]?.[0]?.id;
      return contact === undefined ? [] : Object.entries(memory ?? {}).map(([name, entry]) => keepInMind(contact, name, entry));
    }),
  );
}

const contactValues = ({ companyId, botId, userId, names, phone, bsuid, windowUntilMs }: ContactChange): ContactValues => ({
  companyId: written(companyId),
  botId: written(botId),
  userKey: keyOf(userId),
  userId: written(userId),
  names: names === undefined ? null : written(names),
  phone: phone === undefined ? null : written(phone),
  phoneKey: phone === undefined ? null : keyOf(phone),
  bsuid: bsuid === undefined ? null : written(bsuid),
  bsuidKey: bsuid === undefined ? null : keyOf(bsuid),
  windowUntilMs: windowUntilMs ?? null,
});

/** In the order in which {@link learnContacts} takes them. */
const contactColumns = (given: ContactValues) => [
  given.companyId,
  given.botId,
  given.userKey,
  given.userId,
  given.names,
  given.phone,
  given.phoneKey,
  given.bsuid,
  given.bsuidKey,
  given.windowUntilMs,
];

/** One statement writes no row twice. */
const isEachOnce = (changes: readonly ContactChange[]): boolean =>
  new Set(changes.map(({ companyId, botId, userId }) => JSON.stringify([companyId, botId, userId]))).size === changes.length;

function* keepInMind(contact: number, name: string, entry: (ContactChange['memory'] & {})[string]): Steps<void> {
  const key = { contact, nameKey: keyOf(name) };
  if (entry === null) yield* ask(forget, key);
  else yield* ask(remember, { ...key, name: written(name), value: JSON.stringify(entry.value), expiresAtMs: entry.expiresAtMs });
}

interface Identified {
  readonly companyId: string;
  readonly executionId: string;
}

const identity = ({ companyId, executionId }: Identified): string => `${companyId}\0${executionId}`;

/** What is there already, always in the same order; then what is new, in the order in which it is to be listed. */
const inLockOrder = (saves: readonly ExecutionRecord[]): readonly ExecutionRecord[] => [
  ...saves.filter((record) => !isNew(record)).sort((a, b) => (identity(a) < identity(b) ? -1 : 1)),
  ...saves.filter(isNew),
];
