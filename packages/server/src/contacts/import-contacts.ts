// Brings contacts in from a CSV, some hundreds at a time, in memory that does not grow with the file. The same file again changes nothing.
import {
  type Channel,
  type ContactField,
  type Json,
  type JsonObject,
  Locale,
  phoneNumberChannels,
  TimeZone,
  tidyName,
} from '@hilo/engine/contract';
import { Bsuid } from '@hilo/nodes';
import { groupName } from '@hilo/nodes/effects';
import { type Call, changePerson, decodeRows, encodeList, fillPeopleFields, personKeyOf, textColumn, pick, plain } from '@hilo/stores';
import { isDeepStrictEqual } from 'node:util';
import { companyQuery } from '../platform/database/schema.ts';
import { HttpError, invalidFields } from '../platform/http/errors.ts';
import { personEvents } from '../platform/events/commit-events.ts';
import { telling } from '../platform/events/telling.ts';
import { people } from '../platform/tables/companies.ts';
import { groupMembers } from '../platform/tables/contacts.ts';
import type { Company } from '../tenants/companies.ts';
import { fieldProblems } from '../tenants/contact-fields.ts';
import { writeUsers } from '../tenants/workspace/write-users.ts';
import { grantUnlessRevoked } from './keep-consent.ts';
import { type PeopleParts, type Person, selectPeople } from './people.ts';
import { type CsvProblem, explainNumber, openCsv, readWrittenPhone } from './read-csv.ts';
import { createSeenKeys, type SeenKeys } from './seen-keys.ts';

/** The parts of a contact that a column may have, beside the fields of the company. */
const own = ['phone', 'id', 'bsuid', 'names', 'locale', 'timeZone', 'groups', 'consent'] as const;
type Own = (typeof own)[number];
const isOwn = (name: string): name is Own => own.some((one) => one === name);

/** Rows of one transaction: others are served in between. */
const batchRows = 200;
/** Problems that an answer names. */
const maxProblems = 1_000;
/** Characters of the name of a column that an answer shows. */
const maxShownChars = 100;
/** Rows between two lines of progress. */
const progressRows = 10_000;

/** How far an import is, and what it was at the end. */
export interface ContactImport {
  readonly isDryRun: boolean;
  /** Rows below the first line. */
  readonly rows: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows of people who came before in the file: the first one counts. */
  readonly duplicates: number;
  /** Rows that were left out, for a problem. */
  readonly refused: number;
  /** By line; so many at most. */
  readonly problems: readonly CsvProblem[];
  /** Columns of the file that nothing was read of, where there are any. */
  readonly ignored?: readonly string[];
}

/** What the columns of a file mean: `phone=Celular,city=Ciudad`. */
export function readMap(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  const wrong = pairs.find(([name = '', column = '', ...more]) => name.trim() === '' || column.trim() === '' || more.length > 0);
  if (wrong !== undefined) throw invalidFields({ map: [`map is NAME=COLUMN with commas between, such as phone=Celular,city=Ciudad`] });
  const map = new Map(pairs.map(([name = '', column = '']) => [name.trim().replace(/^fields\./, ''), column.trim()]));
  if (map.size < pairs.length) throw invalidFields({ map: ['map names something twice'] });
  return map;
}

/** A column of the file, and what its values are of a contact. */
interface MappedColumn {
  readonly name: string;
  readonly index: number;
}

/** @throws {HttpError} 422 for a name or a column that there is not, or where nothing says who a row is of */
function mapColumns(
  header: readonly string[],
  fields: readonly ContactField[],
  map: ReadonlyMap<string, string> | undefined,
): readonly MappedColumn[] {
  const known = [...own, ...fields.map(({ key }) => key)];
  const wanted = map ?? new Map(known.filter((name) => header.includes(name)).map((name) => [name, name]));
  const problems = [...wanted].flatMap(([name, column]) => [
    ...(known.includes(name) ? [] : [`"${name}" is nothing of a contact: there are ${known.slice(0, 40).join(', ')}`]),
    ...(header.includes(column) ? [] : [`the file has no column "${column}": it has ${header.slice(0, 40).join(', ')}`]),
  ]);
  if (!['phone', 'id', 'bsuid'].some((name) => wanted.has(name))) problems.push('no column says who a row is of: map phone, id or bsuid');
  if (problems.length > 0) throw invalidFields({ map: problems });
  return [...wanted].map(([name, column]) => ({ name, index: header.indexOf(column) }));
}

/** A row that was read: a person, and what the file says of them. */
interface ReadRow {
  readonly line: number;
  readonly userId: string;
  readonly phone?: string;
  readonly bsuid?: string;
  readonly names?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly groups: readonly string[];
  readonly consent?: 'granted' | 'revoked';
  readonly fields: JsonObject;
}

/** @returns the row, or why it is none */
function readRow(
  columns: readonly MappedColumn[],
  fields: readonly ContactField[],
  line: number,
  values: readonly string[],
): ReadRow | CsvProblem {
  const told = new Map(
    columns.flatMap(({ name, index }) => ((values[index] ?? '').trim() === '' ? [] : [[name, (values[index] ?? '').trim()]])),
  );
  const refuse = (problem: string): CsvProblem => ({ line, problem });
  const [written, bsuid, id] = [told.get('phone'), told.get('bsuid'), told.get('id')];
  const noName = [written, id].map((text) => explainNumber(text ?? '')).find((problem) => problem !== undefined);
  if (noName !== undefined) return refuse(noName);
  const phone = written === undefined ? undefined : readWrittenPhone(written);
  if (phone === null) return refuse(`"${written?.slice(0, 40)}" is no phone number: write its digits, country code first`);
  if (bsuid !== undefined && !Bsuid.safeParse(bsuid).success) return refuse(`"${bsuid.slice(0, 40)}" is no business-scoped id`);
  const userId = id ?? phone ?? bsuid;
  if (userId === undefined) return refuse('it says nobody: phone, id or bsuid is empty');
  if (userId.length > 200) return refuse('its id has more than 200 characters');
  const [locale, timeZone, consent] = [told.get('locale'), told.get('timeZone'), told.get('consent')];
  const names = tidyName(told.get('names') ?? '') || undefined;
  if ((names?.length ?? 0) > 500) return refuse('its names have more than 500 characters');
  const wrong = [
    locale === undefined ? undefined : Locale.safeParse(locale).error?.issues[0]?.message,
    timeZone === undefined ? undefined : TimeZone.safeParse(timeZone).error?.issues[0]?.message,
  ].find((problem) => problem !== undefined);
  if (wrong !== undefined) return refuse(wrong);
  if (consent !== undefined && consent !== 'granted' && consent !== 'revoked')
    return refuse(`consent is granted or revoked, not "${consent.slice(0, 40)}"`);
  const groups = (told.get('groups') ?? '').split(/[;|,]/).flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  const noGroup = groups.find((name) => !groupName.pattern.test(name));
  if (noGroup !== undefined) return refuse(`"${noGroup.slice(0, 40)}" cannot be a group`);
  const read: { [key: string]: Json } = {};
  for (const field of fields) {
    const text = isOwn(field.key) ? undefined : told.get(field.key);
    if (text === undefined) continue;
    const value = readValue(field, text);
    if (value === undefined) return refuse(explainNumber(text) ?? `"${text.slice(0, 40)}" is no ${field.type} for "${field.key}"`);
    read[field.key] = value;
  }
  const [problem] = Object.values(fieldProblems(fields, read));
  if (problem !== undefined) return refuse(problem);
  return {
    line,
    userId,
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
    ...(names !== undefined && { names }),
    ...(locale !== undefined && { locale }),
    ...(timeZone !== undefined && { timeZone }),
    ...(consent !== undefined && { consent }),
    groups: [...new Set(groups)],
    fields: read,
  };
}

const yes = new Set(['true', 'yes', 'y', '1', 'sí', 'si', 'sim', 'verdadero']);
const no = new Set(['false', 'no', 'n', '0', 'não', 'nao', 'falso']);

/** A value of a field, from its text; undefined for a text that is none. */
function readValue({ type }: ContactField, text: string): Json | undefined {
  switch (type) {
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'bool':
      return yes.has(text.toLowerCase()) ? true : no.has(text.toLowerCase()) ? false : undefined;
    case 'list':
      return text.split(/[;|]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
    default:
      return text;
  }
}

/**
 * Imports a file, or says what it would be.
 *
 * @param onProgress - called after some thousands of rows
 * @throws {HttpError} 422 for a file that cannot be read to its end, with what was imported until there
 */
export async function importContacts(
  parts: PeopleParts,
  company: Company,
  file: AsyncIterable<Uint8Array>,
  { map, isDryRun }: { readonly map: ReadonlyMap<string, string> | undefined; readonly isDryRun: boolean },
  onProgress: (progress: ContactImport) => Promise<void>,
): Promise<ContactImport> {
  const fields = company.fields ?? [];
  const counts = { rows: 0, created: 0, changed: 0, unchanged: 0, duplicates: 0, refused: 0 };
  const problems: CsvProblem[] = [];
  const seen = createSeenKeys();
  const note = (problem: CsvProblem): void => {
    if (problems.length < maxProblems) problems.push(problem);
  };
  let ignored: readonly string[] = [];
  const result = (): ContactImport => ({
    isDryRun,
    ...counts,
    problems: problems.toSorted((left, right) => left.line - right.line),
    ...(ignored.length > 0 && { ignored }),
  });
  let batch: ReadRow[] = [];
  const flush = async (): Promise<void> => {
    const { created, changed, kept } = await writeBatch(parts, company, batch, isDryRun);
    for (const row of kept) note({ line: row.line, problem: keepsStop });
    counts.created += created;
    counts.changed += changed;
    counts.unchanged += batch.length - created - changed;
    batch = [];
  };
  const take = async (found: ReadRow | CsvProblem): Promise<void> => {
    counts.rows += 1;
    if ('problem' in found) {
      counts.refused += 1;
      return note(found);
    }
    if (!isNew(seen, found)) {
      counts.duplicates += 1;
      return note({ line: found.line, problem: `"${found.userId.slice(0, 40)}" came before in the file: the first row counts` });
    }
    batch.push(found);
    if (batch.length >= batchRows) await flush();
  };
  try {
    const csv = await openCsv(file);
    const columns = mapColumns(csv.header, fields, map);
    const read = new Set(columns.map(({ index }) => index));
    ignored = csv.header.flatMap((name, index) => (read.has(index) || name.trim() === '' ? [] : [name.slice(0, maxShownChars)]));
    for await (const row of csv.rows()) {
      await take('problem' in row ? row : readRow(columns, fields, row.line, row.values));
      if (counts.rows % progressRows === 0) await onProgress({ ...result(), problems: [] });
    }
    await flush();
    return result();
  } catch (error) {
    if (!(error instanceof HttpError) || counts.rows === 0) throw error;
    const done = counts.created + counts.changed;
    const said = isDryRun
      ? 'nothing was written'
      : `${done} contacts of the ${counts.rows} rows before it were imported, and the file again goes on from there`;
    throw new HttpError(error.status, error.code, `${error.message}; ${said}`, {
      fields: { file: [...Object.values(error.fields).flat(), said] },
    });
  }
}

const isNew = (seen: SeenKeys, { userId }: ReadRow): boolean => seen.add(personKeyOf(userId));

const selectGroups = companyQuery(
  { keys: plain() },
  pick(groupMembers.columns, 'personKey', 'groupName'),
  (_company, { companyId, keys }, db) =>
    db
      .selectFrom(decodeRows(keys))
      .crossJoin('contact_groups')
      .select(['contact_groups.person_key', 'contact_groups.group_name'])
      .where('contact_groups.company_id', '=', companyId)
      .where('contact_groups.person_key', '=', textColumn(0)),
);

const keepsStop = 'this person has stopped marketing messages, and a file does not lift that: the rest of the row counts';

/** Writes some rows, unless it is a dry run. @returns how many people are new, how many are changed, and whose STOP stays against the file */
async function writeBatch(
  { store, clock }: PeopleParts,
  { id: companyId }: Company,
  given: readonly ReadRow[],
  isDryRun: boolean,
): Promise<{ readonly created: number; readonly changed: number; readonly kept: readonly ReadRow[] }> {
  const asked = { companyId, keys: encodeList(given.map(({ userId }) => [personKeyOf(userId)])) };
  const known = new Map((await store.runner.read(selectPeople(asked))).map((row) => [row.personKey, row]));
  const kept = given.filter(({ userId, consent }) => consent === 'granted' && known.get(personKeyOf(userId))?.marketing === 'revoked');
  const withoutConsent = ({ consent: _consent, ...row }: ReadRow): ReadRow => row;
  const rows = given.map((row) => (kept.includes(row) ? withoutConsent(row) : row));
  const hasGroups = rows.some(({ groups }) => groups.length > 0);
  const inGroups = hasGroups ? await store.runner.read(selectGroups(asked)) : [];
  const memberships = new Set(inGroups.map(({ personKey, groupName }) => JSON.stringify([personKey, groupName])));
  const isMember = (row: ReadRow, name: string): boolean => memberships.has(JSON.stringify([personKeyOf(row.userId), name]));
  const find = (userId: string): Person | undefined => (known.size === 0 ? undefined : known.get(personKeyOf(userId)));
  const created = rows.filter(({ userId }) => find(userId) === undefined);
  const changed = rows.filter((row) => {
    const person = find(row.userId);
    return person !== undefined && (isChanged(person, row) || row.groups.some((name) => !isMember(row, name)));
  });
  const counts = { created: created.length, changed: changed.length, kept };
  const written = [...created, ...changed];
  if (isDryRun || written.length === 0) return counts;
  const users = written.map((row) => {
    const person = find(row.userId);
    return {
      id: person?.userId ?? row.userId,
      names: row.names ?? person?.names,
      phone: row.phone ?? person?.phone,
      bsuid: row.bsuid ?? person?.bsuid,
      timeZone: row.timeZone ?? person?.timeZone,
      locale: row.locale ?? person?.locale,
      lastMessageAt: {},
    };
  });
  // A number is of no bot but those of phones; an id may be of any that takes it.
  const isById = written.some(({ userId, phone, bsuid }) => userId !== phone && userId !== bsuid);
  const isFor = ({ channel }: { readonly channel: Channel }): boolean => isById || phoneNumberChannels.has(channel);
  const idOf = (row: ReadRow): string => find(row.userId)?.userId ?? row.userId;
  const nowMs = clock.now();
  const said = (row: ReadRow): readonly Call[] => writeConsent({ companyId, userId: idOf(row) }, row, find(row.userId), nowMs);
  const news = (): ReturnType<typeof personEvents> => changed.flatMap((row) => newsOf(companyId, row, find(row.userId), nowMs));
  const filled = written.flatMap((row) => (Object.keys(row.fields).length === 0 ? [] : [{ userId: idOf(row), fields: row.fields }]));
  const joined = written.flatMap((row) => row.groups.map((name) => ({ companyId, groupName: name, userId: idOf(row) })));
  const [first] = changed;
  const tellNews = first === undefined ? [] : [telling(people.find({ companyId, personKey: idOf(first) }), news)];
  await writeUsers(
    { store, clock },
    { companyId, users: { count: users.length, inBatches: () => [users] } },
    () => undefined,
    isFor,
    () => [...fillPeopleFields(companyId, filled), ...written.flatMap(said), ...groupMembers.insertMissing(joined), ...tellNews],
  );
  return counts;
}

/** The consent of a row, told to subscribers. */
function writeConsent(
  of: { readonly companyId: string; readonly userId: string },
  { consent: marketing, line }: ReadRow,
  person: Person | undefined,
  atMs: number,
): readonly Call[] {
  if (marketing === undefined || marketing === person?.marketing) return [];
  const change = { ...of, consent: { marketing, atMs, source: 'import', evidence: `line ${line} of a CSV` } } as const;
  const calls = marketing === 'granted' ? [grantUnlessRevoked(change)] : changePerson(change); // who stops meanwhile has stopped
  return calls.map((one) => telling(one, () => personEvents(change, () => atMs)));
}

/** What subscribers hear of a row about somebody who is known. */
function newsOf(companyId: string, row: ReadRow, person: Person | undefined, atMs: number): ReturnType<typeof personEvents> {
  if (person === undefined) return [];
  const fields = changedFields(person, row);
  const news = { companyId, userId: person.userId, ...(Object.keys(fields).length > 0 && { fields }) };
  return personEvents(news, () => atMs, {}, changedNames(person, row));
}

const changedNames = (person: Person, row: ReadRow) =>
  (['names', 'locale', 'timeZone'] as const).filter((name) => row[name] !== undefined && row[name] !== person[name]);

const changedFields = (person: Person, row: ReadRow): { readonly [key: string]: Json } =>
  Object.fromEntries(Object.entries(row.fields).filter(([key, value]) => !isDeepStrictEqual(person.fields?.[key], value)));

/** Whether a row says something else of a person than what is known. */
function isChanged(person: Person, row: ReadRow): boolean {
  const isOther = (['phone', 'bsuid'] as const).some((name) => row[name] !== undefined && row[name] !== person[name]);
  const isSaid = row.consent !== undefined && row.consent !== person.marketing;
  return isOther || isSaid || changedNames(person, row).length > 0 || Object.keys(changedFields(person, row)).length > 0;
}
