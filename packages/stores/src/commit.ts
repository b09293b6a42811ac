// A commit of the engine as rows and statements, for every database.
import type { Commit, Committed, ContactChange, ExecutionRecord, HistoryRecord, Json } from '@hilo/engine/contract';
import { areEachOnce } from './each-once.ts';
import { type Named, RowWriter } from './row-writer.ts';
import { createHeldRow, createQueueRow, createRow } from './rows.ts';
import type { Fence } from './sharing.ts';
import { call, type Call, condition, type Runner } from './statements/call.ts';
import {
  changeConsent,
  changeFields,
  type ContactValues,
  fillFields,
  forget,
  learnContact,
  learnContacts,
  type MemoryPlace,
  remember,
} from './statements/contacts.ts';
import { type HeldValues, insertHeld } from './statements/held-signals.ts';
import { type ExecutionValues, type HistoryValues, insertExecution, insertHistory, updateExecution } from './statements/executions.ts';
import { dequeue, enqueue, insertSeen, type QueuedPlace, type QueueValues, seenAnswer, type SeenValues } from './statements/inbox.ts';
import { ownPart } from './statements/lane-sql.ts';
import { encodeList } from './statements/row-list.ts';
import { storeUnavailable } from './store-error.ts';
import { learnedColumns } from './schema/row-types.ts';
import { encodeDeliveryKey, encodeText, encodeKey, orNull, personKeyOf } from './text-encoding.ts';

/** A commit as rows, for any database: in the order in which they are written. */
export interface CommitRows {
  /** Delivery ids and claims, each once, by name: none may have been seen before. */
  readonly seen: readonly SeenValues[];
  /** Existing rows, always in the same order; then new ones, in the order in which they are listed. */
  readonly saves: readonly ExecutionValues[];
  /** Of executions whose rows do not contain their first record. */
  readonly histories: readonly HistoryValues[];
  readonly enqueue: readonly QueueValues[];
  /** Each once, from the first to the last: all must still be there. */
  readonly dequeue: readonly QueuedPlace[];
  /** Signals to hold. */
  readonly hold: readonly HeldValues[];
  readonly contacts: readonly ContactValues[];
  readonly memories: readonly MemoryChange[];
  /** Changes of people: fields and consent. */
  readonly people: readonly Call[];
}

/** What becomes of a name that is remembered of a user: `value` null forgets it. */
export type MemoryChange = MemoryPlace & { readonly name: string; readonly value: string | null; readonly expires_at_ms: number | null };

export function rowsOfCommit({ saves, history, contacts, enqueue, dequeue, hold = [], seen, claims }: Commit): CommitRows {
  const later = history.filter((one) => !saves.some((record) => isNew(record) && isOf(one, record)));
  return {
    seen: seen === undefined && claims === undefined ? none : createSeenRows(seen, claims),
    saves: sortSaves(saves).map((record) => createRow(record, isNew(record) ? history.filter((one) => isOf(one, record)) : undefined)),
    histories: later.length === 0 ? none : [...Map.groupBy(later, identity).values()].map(historyValues),
    enqueue: enqueue.map(createQueueRow),
    dequeue: dequeue.length === 0 ? none : createDequeueRows(dequeue),
    hold: hold.map(createHeldRow),
    contacts: contacts.map(contactValues),
    memories: contacts.flatMap(memoryChanges),
    people: contacts.flatMap(changePerson),
  };
}

const none: readonly never[] = [];

const createDequeueRows = (items: Commit['dequeue']): readonly QueuedPlace[] =>
  [...new Map(items.map(({ lane, seq }) => [seq, { lane: encodeText(lane), seq }])).values()].sort((a, b) => a.seq - b.seq);

/**
 * Writes all consequences of one event (P3), and `others` with it: all or nothing. Its preconditions are conditions at the beginning of
 * the list: no separate read decides.
 *
 * Every commit locks rows in the same order, so that two processes never deadlock.
 *
 * @throws {HiloError} `STORE_UNAVAILABLE` when it advances an execution in another process's lane: this one was declared dead, or released
 *   the lane (P8)
 */
export async function commitWith(
  runner: Runner,
  { me, parts }: Fence,
  commit: Commit,
  others: readonly Call[] = [],
  rows: CommitRows = rowsOfCommit(commit),
): Promise<Committed> {
  const owning: readonly Call[] = parts.map(({ part, epoch }) => condition(ownPart, { part, me, epoch }));
  const seeing: readonly Call[] = rows.seen.map((one) => condition(insertSeen, one));
  const recording: readonly Call[] = rows.histories.map((one) => condition(insertHistory, one));
  const enqueuing = rows.enqueue.map((one) => call(enqueue, one));
  const saving = rows.saves.map(save);
  const dequeuing = rows.dequeue.map((place) => condition(dequeue, place));
  const holding = rows.hold.map((one) => call(insertHeld, one));
  // A list of spreads takes several times as long, and most of these have nothing in them.
  const { failed, rowsOf } = await runner.write(
    owning.concat(seeing, saving, dequeuing, recording, enqueuing, holding, learn(rows), others),
  );
  if (failed === undefined) return { kind: 'committed', seqs: enqueuing.flatMap((one) => rowsOf(one).map(({ seq }) => seq)) };
  if (owning.includes(failed)) throw storeUnavailable(inOthersLane);
  if (recording.includes(failed)) throw new Error('A history was given for an execution that does not exist');
  return seeing.includes(failed) ? duplicate(runner, commit) : { kind: 'conflict' };
}

/** The error of a process that advances an execution in a lane which it does not own. */
export const inOthersLane = "the lane is another process's: nothing was written";

function createSeenRows(seen: Commit['seen'], claims: Commit['claims']): readonly SeenValues[] {
  const answer = seen === undefined ? '' : JSON.stringify(seen.answer);
  const rows = [
    ...(claims?.keys ?? []).map((key) => ({ key: encodeDeliveryKey(key), until_ms: claims?.untilMs ?? 0, answer: 'null' })),
    ...(seen?.keys ?? []).map((key) => ({ key: encodeDeliveryKey(key), until_ms: seen?.untilMs ?? 0, answer })),
  ];
  return [...new Map(rows.map((row) => [row.key, row])).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * Why a commit was refused whose delivery id or claim was there before: what the repetition of a delivery is answered, `null` where its
 * time was over in this very moment; else another commit took the claim.
 */
export async function duplicate(runner: Runner, { seen, claims }: Commit): Promise<Committed> {
  const found = await findAnswer(runner, seen?.keys ?? []);
  return found === undefined && claims !== undefined ? { kind: 'conflict' } : { kind: 'duplicate', answer: found?.answer ?? null };
}

/** The answer to the first of the delivery ids that was seen before. */
export async function findAnswer(runner: Runner, keys: readonly string[]): Promise<{ readonly answer: Json } | undefined> {
  const found = await runner.readEach(keys.map((key) => call(seenAnswer, { key: encodeDeliveryKey(key) })));
  const [first] = found.flat();
  return first === undefined ? undefined : { answer: JSON.parse(first.answer) as Json };
}

/** Whether no concurrent writer won. */
const save = (values: ExecutionValues): Call =>
  values.revision === 1 ? condition(insertExecution, values) : condition(updateExecution, { ...values, before: values.revision - 1 });

const isNew = ({ revision }: ExecutionRecord): boolean => revision === 1;

function historyValues(records: readonly HistoryRecord[]): HistoryValues {
  const { companyId = '', executionId = '' } = records[0] ?? {};
  const body = new RowWriter({ companyId, executionId }).history(records);
  return { company_id: encodeText(companyId), execution_id: encodeText(executionId), body };
}

function learn({ contacts, memories, people }: CommitRows): readonly Call[] {
  if (contacts.length === 0) return none;
  if (contacts.length > 1 && memories.length === 0 && people.length === 0 && isEachOnce(contacts))
    return [call(learnContacts, { contacts: encodeList(contacts.map((given) => learnedColumns.map((name) => given[name]))) })];
  return [
    ...contacts.map((one) => call(learnContact, one)),
    ...memories.map(({ value, ...memory }) => (value === null ? call(forget, memory) : call(remember, { ...memory, value }))),
    ...people,
  ];
}

/** A text without what no JSON of PostgreSQL has. */
const cleanText = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;

/** The writes of what is said of a person, whichever bots know them. */
export function changePerson({
  companyId,
  userId,
  fields,
  consent,
}: Pick<ContactChange, 'companyId' | 'userId' | 'fields' | 'consent'>): readonly Call[] {
  if (fields === undefined && consent === undefined) return [];
  const person = { company_id: encodeText(companyId), person_key: personKeyOf(userId), user_id: encodeText(userId) };
  return [
    ...(fields === undefined ? [] : [call(changeFields, { ...person, fields: JSON.stringify(fields, cleanText) })]),
    ...(consent === undefined
      ? []
      : [
          call(changeConsent, {
            ...person,
            marketing: consent.marketing,
            consent_at_ms: consent.atMs,
            consent_source: consent.source,
            consent_evidence: orNull(consent.evidence, encodeText),
          }),
        ]),
  ];
}

/** The writes of values of fields of many people at once, each listed once; none is removed. */
export function fillPeopleFields(
  companyId: string,
  filled: readonly { readonly userId: string; readonly fields: NonNullable<ContactChange['fields']> }[],
): readonly Call[] {
  if (filled.length === 0) return [];
  const company = encodeText(companyId);
  const rows = filled.map(({ userId, fields }) => [company, personKeyOf(userId), encodeText(userId), JSON.stringify(fields, cleanText)]);
  return [call(fillFields, { people: encodeList(rows) })];
}

function memoryChanges(change: ContactChange): readonly MemoryChange[] {
  const { company_id, bot_id, user_key } = contactValues(change);
  return Object.entries(change.memory ?? {}).map(([name, entry]) => ({
    company_id,
    bot_id,
    user_key,
    name_key: encodeKey(name),
    name: encodeText(name),
    value: entry === null ? null : JSON.stringify(entry.value),
    expires_at_ms: entry?.expiresAtMs ?? null,
  }));
}

const contactValues = (change: ContactChange): ContactValues => ({
  company_id: encodeText(change.companyId),
  bot_id: encodeText(change.botId),
  user_key: encodeKey(change.userId),
  user_id: encodeText(change.userId),
  names: orNull(change.names, encodeText),
  phone: orNull(change.phone, encodeText),
  phone_key: orNull(change.phone, encodeKey),
  bsuid: orNull(change.bsuid, encodeText),
  bsuid_key: orNull(change.bsuid, encodeKey),
  time_zone: change.timeZone ?? null,
  locale: change.locale ?? null,
  person_key: personKeyOf(change.userId),
  window_until_ms: change.windowUntilMs ?? null,
});

/** One statement writes no row twice. */
export const isEachOnce = (contacts: readonly ContactValues[]): boolean => areEachOnce(contacts.map(nameOfContact));

export const nameOfContact = ({ company_id, bot_id, user_key }: ContactValues): string => JSON.stringify([company_id, bot_id, user_key]);

const isOf = (one: Named, other: Named): boolean => one.executionId === other.executionId && one.companyId === other.companyId;

const identity = ({ companyId, executionId }: Named): string => `${companyId}\0${executionId}`;

/** Existing rows, always in the same order; then new ones, in the order in which they are listed. */
function sortSaves(saves: readonly ExecutionRecord[]): readonly ExecutionRecord[] {
  if (saves.length < 2) return saves;
  const advanced = saves.filter((record) => !isNew(record)).sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
  return advanced.concat(saves.filter(isNew));
}
