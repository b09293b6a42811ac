// Everything that is kept of a person, as one JSON file that is written while it is read: a page of it at a time is in memory.
import { setImmediate as turn } from 'node:timers/promises';
import { type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import {
  type Call,
  call,
  decodeText,
  encodeText,
  type ErasedExecution,
  findExecutionsOf,
  type PersonalOwner,
  type Runner,
  text,
  pick,
} from '@hilo/stores';
import { describeExecution, describeHistory, readObjects } from '../../executions/executions.ts';
import { ofCompany } from '../../platform/database/schema.ts';
import { chatFiles, files } from '../../platform/tables/files.ts';
import type { KeptFiles } from '../../platform/name-files.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Company, Tenancy } from '../../tenants/companies.ts';
import { describePeople, type PeopleParts, type Person } from '../people.ts';
import { findNaming, findSignals, readActs } from './named-texts.ts';
import { pageMessages, type PersonRow, readRows } from './person-rows.ts';
import { findSubject, type HostTables, type Subject } from './subject.ts';

export type ExportParts = PeopleParts &
  Pick<Platform, 'store' | 'clock'> &
  Tenancy &
  HostTables & { readonly files?: Pick<KeptFiles, 'kept'> };

/** Executions, and messages, that are read at once. */
const atOnce = { executions: 50, messages: 200 };

/** Tables that have a part of their own in the file, or are only for the service: their keys say nothing. */
const ownPart = new Set(['people', 'messages', 'chat_files', 'files', 'file_parts', 'history_objects', 'outbox']);

/** Columns that only look-ups use. */
const isLookedUpBy = (column: string): boolean => column === 'company_id' || column === 'part' || column.endsWith('_key');

const camelCase = (column: string): string => column.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A row as the file has it: names as the interface writes them, JSON as JSON. */
const describeRow = (row: PersonRow): JsonObject =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !isLookedUpBy(column))
      .map(([column, value]) => [camelCase(column), typeof value === 'string' ? readValue(value) : value]),
  );

function readValue(column: string): Json {
  const text = decodeText(column);
  if (!/^[[{]/.test(text)) return text;
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

/** The pieces of a list in the file. */
async function* writeList(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(item)}`;
    isFirst = false;
    await turn();
  }
  yield ']';
}

/** The rows of other tables that belong to an execution or a message, by table. */
async function readBeside(runner: Runner, subject: Subject, of: PersonalOwner, id: string): Promise<JsonObject> {
  const owned = readRows(subject, (table) => table.of === of, [id]);
  const rowsOf = await runner.readEach(owned.map((one) => one.call));
  return Object.fromEntries(owned.map(({ table }, index) => [camelCase(table), (rowsOf[index] ?? []).map(describeRow)]));
}

async function* describeWhole(
  { executions, runner }: ExportParts['store'],
  subject: Subject,
  { execution_id: column }: Pick<ErasedExecution, 'execution_id'>,
): AsyncGenerator<object> {
  const executionId = decodeText(column);
  const record = await executions.load(subject.companyId, executionId);
  if (record === undefined) return;
  const { entries } = describeHistory(executionId, await executions.history(subject.companyId, executionId));
  yield { ...describeExecution(record), ...(await readBeside(runner, subject, 'execution', column)), history: entries };
}

/** Executions without a user that name the person. */
async function* readNaming({ store }: ExportParts, subject: Subject): AsyncGenerator<object> {
  for (const text of subject.searched)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Awaited<ReturnType<typeof findNaming>> = await findNaming(store.runner, subject, text, after);
      for (const row of page.found) yield* describeWhole(store, subject, row);
      after = page.next;
    }
}

/** Signals that are held for the person. */
async function* readSignals({ store: { runner } }: ExportParts, subject: Subject): AsyncGenerator<object> {
  for (const { signal } of await findSignals(runner, subject)) yield { signal: readValue(signal) };
}

async function* readExecutions({ store }: ExportParts, subject: Subject): AsyncGenerator<object> {
  const { companyId, userIds } = subject;
  for (const userId of userIds)
    for (let after = 0; ; ) {
      const rows = await store.runner.read(findExecutionsOf(companyId, userId, after, atOnce.executions));
      for (const row of rows) yield* describeWhole(store, subject, row);
      const last = rows.at(-1)?.id;
      if (rows.length < atOnce.executions || last === undefined) break;
      after = last;
    }
}

async function* readMessages({ store: { runner } }: ExportParts, subject: Subject): AsyncGenerator<object> {
  const { companyId, botIds, userIds } = subject;
  for (const botId of botIds)
    for (const userId of userIds)
      for (let after = 0; ; ) {
        const rows = await runner.read(pageMessages(companyId, botId, userId, after, atOnce.messages));
        for (const row of rows) yield { ...describeRow(row), ...(await readBeside(runner, subject, 'message', String(row['message_id']))) };
        const last = rows.at(-1)?.['id'];
        if (rows.length < atOnce.messages || typeof last !== 'number') break;
        after = last;
      }
}

const fileIds = chatFiles.read(['fileId'], pick(chatFiles.columns, 'botId', 'userKey'), (rows, { botId, userKey }) =>
  rows.where('bot_id', '=', botId).where('user_key', '=', userKey).orderBy('file_id'),
);
const oneFile = ofCompany<{ readonly fileId: string }>()((company, { fileId }) =>
  company.selectFrom('chat_files').selectAll().where('file_id', '=', fileId),
);

/** Files one by one, their bytes in base64. */
async function* readFiles({ store: { runner } }: ExportParts, { companyId, botIds, userKeys }: Subject): AsyncGenerator<object> {
  for (const botId of botIds)
    for (const userKey of userKeys)
      for (const { fileId } of await runner.read(fileIds({ companyId, botId, userKey }))) {
        const row = await runner.readOne(call(oneFile, { companyId: encodeText(companyId), fileId }));
        if (row !== undefined) yield { ...describeRow({ ...row, content: null }), content: row.content };
      }
}

async function* readAllFiles(parts: ExportParts, subject: Subject): AsyncGenerator<object> {
  yield* readFiles(parts, subject);
  yield* readHandled(parts, subject);
}

const idsOfUser = files.read(['id'], { botId: text(), userKey: files.columns.userKey }, (rows, { botId, userKey }) =>
  rows.where('bot_id', '=', botId).where('user_key', '=', userKey).orderBy('id'),
);

/** Files with handles; of those that were fetched, the bytes in base64. */
async function* readHandled(
  { store: { runner }, files: handled }: ExportParts,
  { companyId, botIds, userIds }: Subject,
): AsyncGenerator<object> {
  for (const botId of botIds)
    for (const userKey of userIds)
      for (const { id } of await runner.read(idsOfUser({ companyId, botId, userKey }))) {
        const row = await runner.readOne(files.find({ companyId, id }));
        if (row === undefined) continue;
        const { name, type, bytes, createdAtMs, source } = row;
        const kept = await handled?.kept(row);
        yield { id, botId, name, type, bytes, createdAtMs, source, ...(kept && { content: Buffer.from(kept.content).toString('base64') }) };
      }
}

/** What each bot remembers. */
async function* readMemory({ store: { executions } }: ExportParts, { companyId, contacts }: Subject): AsyncGenerator<object> {
  for (const { botId, userId } of contacts) {
    const contact = await executions.contact(companyId, botId, [userId]);
    for (const [name, { value, expiresAtMs }] of Object.entries(contact?.memory ?? {})) yield { botId, name, value, expiresAtMs };
  }
}

async function* readAudit({ store: { runner } }: ExportParts, subject: Subject): AsyncGenerator<object> {
  for await (const row of readActs(runner, subject)) yield describeRow({ ...row });
}

/** The file, in pieces. */
export async function* exportPerson(parts: ExportParts, company: Company, person: Person): AsyncGenerator<string> {
  const subject = await findSubject(parts, person);
  const [contact] = await describePeople(parts, company, [person]);
  yield `{"exportedAt": ${JSON.stringify(new Date(parts.clock.now()).toISOString())}`;
  yield `,\n"companyId": ${JSON.stringify(company.id)}`;
  yield `,\n"contact": ${JSON.stringify(contact)}`;
  yield* writeList('memory', readMemory(parts, subject));
  yield* writeList('executions', readExecutions(parts, subject));
  yield* writeList('executionsNamingThem', readNaming(parts, subject));
  yield* writeList('signals', readSignals(parts, subject));
  yield* writeList('messages', readMessages(parts, subject));
  yield* writeList('files', readAllFiles(parts, subject));
  for (const { table, call: read } of readRows(subject, ({ of, name }) => of !== 'execution' && of !== 'message' && !ownPart.has(name)))
    yield* writeList(camelCase(table), readTable(parts, read));
  yield* writeList('audit', readAudit(parts, subject));
  yield `,\n"historyObjects": ${JSON.stringify(await readObjects(parts.store.runner, subject))}}\n`;
}

async function* readTable({ store: { runner } }: ExportParts, read: Call<PersonRow>): AsyncGenerator<object> {
  for (const row of await runner.read(read)) yield describeRow(row);
}
