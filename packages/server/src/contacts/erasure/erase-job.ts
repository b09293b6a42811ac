// Erases a person, step by step and page by page: what is kept of how far it is has no id of theirs but the contact's own. The row that says
// who they are goes last, in a transaction in which nothing else of theirs is left, so that whatever dies on the way finds the rest again.
import { isHiloError, type Json } from '@hilo/engine/contract';
import {
  asCondition,
  type Call,
  decodeText,
  encodeList,
  encodeText,
  type ErasedExecution,
  eraseExecutions,
  eraseLanes,
  findExecutionsOf,
  integer,
  plain,
  type ReadOf,
  text,
  textColumn,
  decodeRows,
} from '@hilo/stores';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { type HistoryPlace, readObjects, writeTombstone } from '../../executions/executions.ts';
import { type CompanyDatabase, companyQuery } from '../../platform/database/schema.ts';
import { defineJob, type JobPage, type PageCall } from '../../platform/jobs/define-job.ts';
import type { KeptFiles } from '../../platform/name-files.ts';
import type { Platform } from '../../platform/platform.ts';
import { files } from '../../platform/tables/files.ts';
import { leaveGroups } from '../../platform/tables/contacts.ts';
import { people } from '../../platform/tables/companies.ts';
import { erasedExecutions } from '../../platform/tables/erasure.ts';
import { findPersonById } from '../people.ts';
import { clearSeen, clearSignals, findNaming, renameActs, renameJobs } from './named-texts.ts';
import { clearMessages, clearRows, pageMessages } from './person-rows.ts';
import type { PersonalTable } from './personal-tables.ts';
import { findSubject, type HostTables, type Subject } from './subject.ts';

/** What an erasure works with. */
export interface EraseParts extends Pick<Platform, 'store' | 'engine' | 'clock'>, HostTables {
  /** Where histories go, if they go anywhere. */
  readonly historyPlace?: HistoryPlace | undefined;
  /** Keeps bytes of files outside the store, where there is a bucket. */
  readonly files?: Pick<KeptFiles, 'removeObjects'>;
}

const Spec = z.strictObject({ contactId: z.string() });
type Spec = z.output<typeof Spec>;

interface Work {
  readonly call: PageCall<Spec>;
  readonly parts: EraseParts;
  readonly subject: Subject;
  /** Where the step goes on; null at its beginning. */
  readonly from: Json;
}

/** What a page of a step has done. `next` is where the step goes on; without it, the next step begins. */
interface StepPage extends Partial<Pick<JobPage, 'read' | 'counts' | 'problems'>> {
  readonly next?: Json;
  /** Something of the person has come meanwhile: all begins again. */
  readonly isAgain?: boolean;
}

/** Executions of one transaction. */
const executionsAtOnce = 200;
/** Messages of one transaction. */
const messagesAtOnce = 500;

const isOpen = ({ status }: ErasedExecution): boolean => status === 'running' || status === 'waiting' || status === 'quarantined';

/** A place in a list of ids, and behind a number: where nothing was kept, at the beginning. */
const readPlace = (from: Json): readonly [index: number, after: number] =>
  Array.isArray(from) && typeof from[0] === 'number' && typeof from[1] === 'number' ? [from[0], from[1]] : [0, 0];

/** Cancels what is open, after what waits to be sent is taken back. */
async function cancelOpen({ call: page, parts: { store, engine }, subject, from }: Work): Promise<StepPage> {
  const [index, after] = readPlace(from);
  const userId = subject.userIds[index];
  if (userId === undefined) return {};
  if (index === 0 && after === 0) await store.runner.write(clearRows(subject, ({ name }) => name === 'outbox'));
  const rows = await store.runner.read(findExecutionsOf(subject.companyId, userId, after, executionsAtOnce));
  const open = rows.filter(isOpen);
  await page.each(open, (one) => cancel({ engine }, page, one));
  const last = rows.at(-1)?.id;
  return {
    next: rows.length < executionsAtOnce || last === undefined ? [index + 1, 0] : [index, last],
    counts: { cancelled: open.length },
  };
}

async function cancel({ engine }: Pick<EraseParts, 'engine'>, { companyId, createdBy }: PageCall<Spec>, one: ErasedExecution) {
  try {
    await engine.company(companyId).cancel(decodeText(one.execution_id), 'Its person is erased', { by: createdBy });
  } catch (error) {
    if (!isHiloError(error, 'EXECUTION_NOT_FOUND')) throw error; // it could not be read, or is gone: it is removed all the same
  }
}

/** Removes executions, and puts their ids on the list of those that were erased. */
async function removeExecutions({ store, clock }: EraseParts, subject: Subject, executions: readonly ErasedExecution[]): Promise<void> {
  const { companyId } = subject;
  const ids = executions.map((one) => decodeText(one.execution_id));
  const owned = ({ of }: PersonalTable): boolean => of === 'execution';
  const calls: readonly Call[] = [
    ...clearRows(
      subject,
      owned,
      executions.map((one) => one.execution_id),
    ),
    ...eraseExecutions(executions),
    ...eraseLanes(
      companyId,
      ids.map((id) => `${companyId}/execution/${id}`),
    ),
    ...erasedExecutions.insertMissing(ids.map((executionId) => ({ companyId, executionId, erasedAtMs: clock.now() }))),
  ];
  if (executions.length > 0) await store.runner.write(calls);
}

async function eraseOwn({ parts, subject, from }: Work): Promise<StepPage> {
  const [index] = readPlace(from);
  const userId = subject.userIds[index];
  if (userId === undefined) return {};
  const rows = await parts.store.runner.read(findExecutionsOf(subject.companyId, userId, 0, executionsAtOnce));
  if (rows.some(isOpen)) return { isAgain: true }; // begun meanwhile: cancelled first
  await removeExecutions(parts, subject, rows);
  return { next: [rows.length < executionsAtOnce ? index + 1 : index, 0], read: rows.length, counts: { executions: rows.length } };
}

/** Erases executions without a user that name the person, such as those of a webhook with their id in its body. */
async function eraseNaming({ call: page, parts, subject, from }: Work): Promise<StepPage> {
  const [index, after] = readPlace(from);
  const text = subject.searched[index];
  if (text === undefined) return {};
  const { found, next } = await findNaming(parts.store.runner, subject, text, after);
  await page.each(found.filter(isOpen), (one) => cancel(parts, page, one));
  await removeExecutions(parts, subject, found);
  return { next: next === undefined ? [index + 1, 0] : [index, next], read: found.length, counts: { executions: found.length } };
}

async function eraseMessages({ parts: { store }, subject, from }: Work): Promise<StepPage> {
  const [index] = readPlace(from);
  const pairs = subject.botIds.flatMap((botId) => subject.userIds.map((userId) => ({ botId, userId })));
  const pair = pairs[index];
  if (pair === undefined) return {};
  const page = await store.runner.read(pageMessages(subject.companyId, pair.botId, pair.userId, 0, messagesAtOnce));
  if (page.length > 0) await store.runner.write(clearMessages(subject, page));
  return { next: [page.length < messagesAtOnce ? index + 1 : index, 0], counts: { messages: page.length } };
}

/** Ends the conversations that an operator has with the person: their rows are counted, and stay. */
const endConversations = companyQuery({ userKeys: plain(), nowMs: integer() }, {}, (company, { userKeys, nowMs }) =>
  company
    .updateTable('conversations')
    .set({ state: 'closed', end_at_ms: nowMs, due_at_ms: null, tell_at_ms: null, waiting_since_ms: null })
    .where('user_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(userKeys)).select(textColumn(0).as('user_key')))
    .where('state', '=', 'active'),
);

const listKeys = ({ userKeys }: Subject): string => encodeList(userKeys.map((key) => [key]));

/** Tables whose rows are found by the person, but for those with a step of their own. */
const hasNoStep = ({ name, of }: PersonalTable): boolean =>
  of !== 'execution' && of !== 'message' && !['people', 'messages', 'history_objects'].includes(name);

/** What is found by a conversation or a room goes first: their rows say whose it is. */
const clearOthers = (subject: Subject): readonly Call[] => [
  ...clearRows(subject, (table) => hasNoStep(table) && (table.of === 'conversation' || table.of === 'room')),
  ...clearRows(subject, (table) => hasNoStep(table) && table.of !== 'conversation' && table.of !== 'room'),
  ...eraseLanes(subject.companyId, subject.lanes),
];

const inBucket = files.read(['id'], { botId: text(), userKey: files.columns.userKey }, (rows, { botId, userKey }) =>
  rows.where('bot_id', '=', botId).where('user_key', '=', userKey).where('place', '=', 'bucket'),
);

/** Removes what is kept of files outside the store; their rows, which say where, go with those of other tables. */
async function removeObjects({ parts: { store, files: kept }, subject }: Work): Promise<StepPage> {
  const { companyId, botIds, userIds } = subject;
  let objects = 0;
  for (const botId of botIds)
    for (const userKey of userIds)
      for (const { id } of await store.runner.read(inBucket({ companyId, botId, userKey }))) {
        const row = await store.runner.readOne(files.find({ companyId, id }));
        if (row === undefined) continue;
        await kept?.removeObjects([row]);
        objects += 1;
      }
  return { counts: { files: objects } };
}

async function eraseOthers({ parts: { store, clock }, subject }: Work): Promise<StepPage> {
  const { companyId } = subject;
  await store.runner.write([endConversations({ companyId, userKeys: listKeys(subject), nowMs: clock.now() }), ...clearOthers(subject)]);
  return {};
}

async function forgetAnswers({ parts: { store }, subject, from }: Work): Promise<StepPage> {
  const { calls, next } = await clearSeen(store.runner, subject, typeof from === 'string' ? from : '');
  if (calls.length > 0) await store.runner.write(calls);
  return { ...(next !== undefined && { next }), counts: { answers: calls.length } };
}

async function dropSignals({ parts: { store }, subject }: Work): Promise<StepPage> {
  const calls = await clearSignals(store.runner, subject);
  if (calls.length > 0) await store.runner.write(calls);
  return { counts: { signals: calls.length } };
}

async function renameInActs({ parts: { store }, subject, from }: Work): Promise<StepPage> {
  const { calls, next } = await renameActs(store.runner, subject, Number(from ?? 0));
  if (calls.length > 0) await store.runner.write(calls);
  return { ...(next !== undefined && { next }) };
}

async function renameInJobs({ parts: { store }, subject }: Work): Promise<StepPage> {
  const calls = await renameJobs(store.runner, subject);
  if (calls.length > 0) await store.runner.write(calls);
  return {};
}

/** Says which files of the history outbox are to be deleted, in a file beside them; without an outbox, as problems of the job. */
async function buryHistories({ call: page, parts: { store, clock, historyPlace }, subject }: Work): Promise<StepPage> {
  const objects = await readObjects(store.runner, subject);
  if (historyPlace !== undefined)
    await writeTombstone(
      historyPlace,
      page.jobId,
      { companyId: subject.companyId, contactId: subject.contactId, erasedAt: new Date(clock.now()).toISOString(), objects },
      page.signal,
    );
  await store.runner.write(clearRows(subject, ({ name }) => name === 'history_objects'));
  if (historyPlace !== undefined) return { counts: { objects: objects.length } };
  const message = (object: string): string => `The file ${object} of an earlier history outbox has histories of the person: delete it`;
  return {
    counts: { objects: objects.length },
    problems: objects.map((object) => ({ executionId: '', code: 'HISTORY_OBJECT', message: message(object) })),
  };
}

/** The contacts of a person: lists of bots and of keys, and the key of the person. */
const contactKeys = { botIds: plain(), userKeys: plain(), personKey: plain() };

const contactsOf = (company: CompanyDatabase, { botIds, userKeys, personKey }: ReadOf<typeof contactKeys>) =>
  company
    .selectFrom('contacts')
    .select('contacts.id')
    .where('contacts.bot_id', 'in', ({ selectFrom }) => selectFrom(decodeRows(botIds)).select(textColumn(0).as('bot_id')))
    .where('contacts.user_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(userKeys)).select(textColumn(0).as('user_key')))
    .where(sql<SqlBool>`coalesce(contacts.person_key, contacts.user_key) = ${personKey}`);

const deleteMemories = companyQuery(contactKeys, {}, (company, given, db) =>
  db.deleteFrom('memories').where('contact', 'in', contactsOf(company, given)),
);
const deleteContacts = companyQuery(contactKeys, {}, (company, given) =>
  company.deleteFrom('contacts').where('contacts.id', 'in', contactsOf(company, given)),
);

/** Removes the person, if nothing else of theirs is left: what came meanwhile is erased first. */
async function removePerson({ parts: { store }, subject }: Work): Promise<StepPage> {
  const { companyId, personKey, userId } = subject;
  const given = {
    companyId,
    botIds: encodeList(subject.botIds.map((botId) => [encodeText(botId)])),
    userKeys: listKeys(subject),
    personKey,
  };
  // A commit that names the contacts has them read again by whoever keeps them in memory.
  const contacts = subject.contacts.map((contact) => ({ companyId, ...contact }));
  const isLeft: readonly Call[] = [
    ...subject.userIds.map((id) => findExecutionsOf(companyId, id, 0, 1)),
    ...clearRows(subject, ({ name, of }) => of !== 'execution' && of !== 'message' && name !== 'people'),
    ...eraseLanes(companyId, subject.lanes),
  ];
  const { kind } = await store.commitWith({ saves: [], history: [], contacts, enqueue: [], dequeue: [] }, [
    ...isLeft.map((one) => asCondition(one, 0)),
    deleteMemories(given),
    deleteContacts(given),
    leaveGroups({ companyId, personKey: userId }),
    people.remove({ companyId, personKey: userId }),
  ]);
  return kind === 'committed' ? { counts: { contacts: 1 } } : { isAgain: true };
}

/** A database file keeps the bytes of what was removed until it is written anew. */
async function rewriteStore({ parts: { store } }: Pick<Work, 'parts'>): Promise<StepPage> {
  await store.rewrite?.();
  return {};
}

const steps: readonly { readonly name: string; readonly page: (work: Work) => Promise<StepPage> }[] = [
  { name: 'cancel', page: cancelOpen },
  { name: 'executions', page: eraseOwn },
  { name: 'naming', page: eraseNaming },
  { name: 'messages', page: eraseMessages },
  { name: 'files', page: removeObjects },
  { name: 'others', page: eraseOthers },
  { name: 'answers', page: forgetAnswers },
  { name: 'signals', page: dropSignals },
  { name: 'acts', page: renameInActs },
  { name: 'jobs', page: renameInJobs },
  { name: 'histories', page: buryHistories },
  { name: 'person', page: removePerson },
];

const rewriting = 'rewriting';
const Place = z.tuple([z.string(), z.json()]);

/** Erases a contact with all that is kept of the person. */
export const eraseJob = defineJob({
  kind: 'erase',
  queue: 'erasures',
  rate: 10_000,
  spec: Spec,
  async page(page: PageCall<Spec>, parts: EraseParts): Promise<JobPage> {
    const [name, from] = page.place === null ? [steps[0]?.name ?? '', null] : Place.parse(page.place);
    const person = name === rewriting ? undefined : await findPersonById(parts, page.companyId, page.spec.contactId);
    if (person === undefined) {
      await rewriteStore({ parts });
      return { next: null };
    }
    const subject = await findSubject(parts, person);
    const index = steps.findIndex((step) => step.name === name);
    const step = steps[Math.max(0, index)] ?? { name, page: rewriteStore };
    const { next, isAgain = false, ...done } = await step.page({ call: page, parts, subject, from });
    const following = isAgain ? steps[0]?.name : (steps[index + 1]?.name ?? rewriting);
    return { ...done, next: next === undefined ? [following ?? rewriting, null] : [step.name, next] };
  },
});
