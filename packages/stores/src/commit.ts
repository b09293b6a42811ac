import type { Commit, Committed, ContactChange, ExecutionRecord, HistoryRecord, Json } from '@hilo/engine/contract';
import { rowOf } from './execution-row.ts';
import { historyBody } from './history-body.ts';
import { forget, learnContact, remember } from './statements/contacts.ts';
import { executionIdOf, insertExecution, updateExecution } from './statements/executions.ts';
import { insertHistory } from './statements/histories.ts';
import { dequeue, enqueue } from './statements/queue.ts';
import { insertSeen, seenAnswer } from './statements/seen.ts';
import { ask, askOne, type Steps } from './statements/steps.ts';
import { keyOf, written } from './texts.ts';

/**
 * Writes everything one event leads to (P3). Each write is conditional and says itself whether it happened: nothing is
 * read first and decided on. What is answered other than `committed` is to be undone.
 *
 * Every commit takes what it locks in the same order, so that two processes never wait for each other.
 */
export function* commitSteps(commit: Commit): Steps<Committed> {
  const repeated = commit.seen === undefined ? undefined : yield* see(commit.seen);
  if (repeated !== undefined) return repeated;
  const ids = new Map<string, number>();
  for (const record of inLockOrder(commit.saves)) {
    const id = yield* save(record);
    if (id === undefined) return { kind: 'conflict' };
    ids.set(identity(record), id);
  }
  for (const seq of new Set(commit.dequeue.toSorted((a, b) => a - b))) {
    if ((yield* askOne(dequeue, { seq })) === undefined) return { kind: 'conflict' };
  }
  for (const records of Map.groupBy(commit.history, identity).values()) yield* record(records, ids);
  for (const change of commit.contacts) yield* learn(change);
  const seqs: number[] = [];
  for (const { companyId, lane, acceptedAtMs, accepted } of commit.enqueue) {
    const values = { companyId: written(companyId), lane: written(lane), acceptedAtMs, accepted: JSON.stringify(accepted) };
    for (const { seq } of yield* ask(enqueue, values)) seqs.push(seq);
  }
  return { kind: 'committed', seqs };
}

/** @returns the answer to the first delivery id that was seen before */
function* see({ keys, untilMs, answer }: Commit['seen'] & {}): Steps<Committed | undefined> {
  const mine = new Set<string>();
  let isRepeated = false;
  for (const key of new Set(keys.map(keyOf).toSorted())) {
    if ((yield* askOne(insertSeen, { key, untilMs, answer: JSON.stringify(answer) })) === undefined) isRepeated = true;
    else mine.add(key);
  }
  if (!isRepeated) return undefined;
  for (const key of keys.map(keyOf)) {
    const first = mine.has(key) ? undefined : yield* askOne(seenAnswer, { key });
    if (first !== undefined) return { kind: 'duplicate', answer: JSON.parse(first.answer) as Json };
  }
  return { kind: 'duplicate', answer: null }; // its time was over in this very moment
}

/** @returns the number of the row; none when another writer was faster */
function* save(record: ExecutionRecord): Steps<number | undefined> {
  const row = rowOf(record);
  const saved =
    record.revision === 1 ? yield* askOne(insertExecution, row) : yield* askOne(updateExecution, { ...row, before: record.revision - 1 });
  return saved?.id;
}

function* record(records: readonly HistoryRecord[], ids: ReadonlyMap<string, number>): Steps<void> {
  const [first] = records;
  if (first === undefined) return;
  const { companyId, executionId } = first;
  const execution =
    ids.get(identity(first)) ?? (yield* askOne(executionIdOf, { companyId: written(companyId), executionId: written(executionId) }))?.id;
  if (execution === undefined) throw new Error(`A history was given for the execution "${executionId}", which does not exist`);
  yield* ask(insertHistory, { execution, body: historyBody(records) });
}

function* learn({ companyId, botId, userId, names, phone, bsuid, windowUntilMs, memory }: ContactChange): Steps<void> {
  const known = yield* askOne(learnContact, {
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
  if (known === undefined) return;
  for (const [name, entry] of Object.entries(memory ?? {})) {
    const key = { contact: known.id, nameKey: keyOf(name) };
    if (entry === null) yield* ask(forget, key);
    else yield* ask(remember, { ...key, name: written(name), value: JSON.stringify(entry.value), expiresAtMs: entry.expiresAtMs });
  }
}

interface Identified {
  readonly companyId: string;
  readonly executionId: string;
}

const identity = ({ companyId, executionId }: Identified): string => `${companyId}\0${executionId}`;

/** What is there already, always in the same order; then what is new, in the order in which it is to be listed. */
const inLockOrder = (saves: readonly ExecutionRecord[]): readonly ExecutionRecord[] => [
  ...saves.filter(({ revision }) => revision !== 1).sort((a, b) => (identity(a) < identity(b) ? -1 : 1)),
  ...saves.filter(({ revision }) => revision === 1),
];
