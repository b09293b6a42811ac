import type { Commit, Committed, ContactChange, ExecutionRecord, HistoryRecord, Json } from '@hilo/engine/contract';
import { rowOf } from './execution-row.ts';
import { historyBody, packerOf } from './history-body.ts';
import { queueRowOf } from './queue-row.ts';
import type { Sharing } from './sharing.ts';
import { call, type Call, condition, type Runner } from './statements/call.ts';
import { type ContactValues, forget, learnContact, learnContacts, remember } from './statements/contacts.ts';
import { insertExecution, updateExecution } from './statements/executions.ts';
import { insertHistory } from './statements/histories.ts';
import { othersIn } from './statements/lane-sql.ts';
import { listOf } from './statements/listed.ts';
import { dequeue } from './statements/queue.ts';
import { insertSeen, seenAnswer } from './statements/seen.ts';
import { StoreUnavailable } from './store-unavailable.ts';
import { keyOf, written } from './text-encoding.ts';

/**
 * Writes everything one event leads to (P3), and `others` with it: all of it or nothing. What it depends on are conditions, at
 * the beginning of the list: nothing is read first and decided on.
 *
 * Every commit takes what it locks in the same order, so that two processes never wait for each other.
 *
 * @throws {StoreUnavailable} when it advances an execution in another process's lane: this one was taken for dead (P8)
 */
export async function commitWith(
  runner: Runner,
  { me, enqueue }: Sharing,
  commit: Commit,
  others: readonly Call[] = [],
): Promise<Committed> {
  const { seen } = commit;
  const histories = Map.groupBy(commit.history, identity);
  const foreign = notInOthers(commit.saves, me());
  const seeing = seen === undefined ? [] : see(seen);
  const recording = record(histories, new Set(commit.saves.filter(isNew).map(identity)));
  const enqueuing = commit.enqueue.map((queued) => call(enqueue, { ...queueRowOf(queued), me: me() }));
  const { failed, rowsOf } = await runner.write([
    ...foreign,
    ...seeing,
    ...inLockOrder(commit.saves).map((one) => save(one, histories.get(identity(one)))),
    ...dequeueAll(commit.dequeue),
    ...recording,
    ...enqueuing,
    ...learn(commit.contacts),
    ...others,
  ]);
  if (failed === undefined) return { kind: 'committed', seqs: enqueuing.flatMap((one) => rowsOf(one).map(({ seq }) => seq)) };
  if (foreign.includes(failed)) throw new StoreUnavailable("the lane is another process's: this one was taken for dead");
  if (recording.includes(failed)) throw new Error('A history was given for an execution that does not exist');
  return seen !== undefined && seeing.includes(failed)
    ? { kind: 'duplicate', answer: (await answerOf(runner, seen.keys))?.answer ?? null } // without one its time was over in this very moment
    : { kind: 'conflict' };
}

/** The answer to the first of the delivery ids that was seen before. */
export async function answerOf(runner: Runner, keys: readonly string[]): Promise<{ readonly answer: Json } | undefined> {
  const found = await runner.readEach(keys.map((key) => call(seenAnswer, { key: keyOf(key) })));
  const [first] = found.flat();
  return first === undefined ? undefined : { answer: JSON.parse(first.answer) as Json };
}

/** None of the delivery ids was seen before. */
function see({ keys, untilMs, answer }: Commit['seen'] & {}): readonly Call[] {
  const text = JSON.stringify(answer);
  return [...new Set(keys.map(keyOf))].toSorted().map((key) => condition(insertSeen, { key, untilMs, answer: text }));
}

/** Nobody was faster. */
const save = (record: ExecutionRecord, history: readonly HistoryRecord[] | undefined): Call =>
  isNew(record)
    ? condition(insertExecution, rowOf(record, history))
    : condition(updateExecution, { ...rowOf(record), before: record.revision - 1 });

const isNew = ({ revision }: ExecutionRecord): boolean => revision === 1;

/** All of them are still there. */
const dequeueAll = (seqs: readonly number[]): readonly Call[] =>
  [...new Set(seqs)].sort((a, b) => a - b).map((seq) => condition(dequeue, { seq }));

/** No execution is advanced in a lane that is another member's. What begins may begin anywhere. */
function notInOthers(saves: readonly ExecutionRecord[], me: number): readonly Call[] {
  if (me === 0) return [];
  const lanes = new Set(saves.filter((record) => !isNew(record)).map(({ lane }) => written(lane)));
  return [...lanes].map((lane) => condition(othersIn, { lane, me }, 0));
}

/** @param begun - executions whose rows have their history already */
const record = (histories: ReadonlyMap<string, readonly HistoryRecord[]>, begun: ReadonlySet<string>): readonly Call[] =>
  [...histories].flatMap(([name, records]) => {
    if (begun.has(name)) return [];
    const { companyId = '', executionId = '' } = records[0] ?? {};
    const body = historyBody(records, packerOf({ companyId, executionId }));
    return [condition(insertHistory, { companyId: written(companyId), executionId: written(executionId), body })];
  });

function learn(changes: readonly ContactChange[]): readonly Call[] {
  if (changes.length > 1 && isEachOnce(changes) && changes.every(({ memory }) => memory === undefined))
    return [call(learnContacts, { contacts: listOf(changes.map((change) => contactColumns(contactValues(change)))) })];
  return changes.flatMap((change) => {
    const values = contactValues(change);
    const { companyId, botId, userKey } = values;
    return [
      call(learnContact, values),
      ...Object.entries(change.memory ?? {}).map(([name, entry]) => {
        const place = { companyId, botId, userKey, nameKey: keyOf(name) };
        if (entry === null) return call(forget, place);
        return call(remember, { ...place, name: written(name), value: JSON.stringify(entry.value), expiresAtMs: entry.expiresAtMs });
      }),
    ];
  });
}

const contactValues = ({
  companyId,
  botId,
  userId,
  names,
  phone,
  bsuid,
  timeZone,
  locale,
  windowUntilMs,
}: ContactChange): ContactValues => ({
  companyId: written(companyId),
  botId: written(botId),
  userKey: keyOf(userId),
  userId: written(userId),
  names: names === undefined ? null : written(names),
  phone: phone === undefined ? null : written(phone),
  phoneKey: phone === undefined ? null : keyOf(phone),
  bsuid: bsuid === undefined ? null : written(bsuid),
  bsuidKey: bsuid === undefined ? null : keyOf(bsuid),
  timeZone: timeZone ?? null,
  locale: locale ?? null,
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
  given.timeZone,
  given.locale,
  given.windowUntilMs,
];

/** One statement writes no row twice. */
const isEachOnce = (changes: readonly ContactChange[]): boolean =>
  new Set(changes.map(({ companyId, botId, userId }) => JSON.stringify([companyId, botId, userId]))).size === changes.length;

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
