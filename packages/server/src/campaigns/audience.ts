// The audience of a campaign: people named one by one, a group, a segment, or the rows of a CSV; and what its template is filled with for each.
import { setImmediate as turn } from 'node:timers/promises';
import {
  compileJson,
  type ContactField,
  findNearestName,
  getPath,
  isHiloError,
  type Json,
  type JsonObject,
  type JsonTemplate,
  type Path,
  phoneNumberChannels,
  suggest,
} from '@hilo/engine/contract';
import { templateParameters, userIdProblem } from '@hilo/nodes/effects';
import { encodeList, personKeyOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { explainNumber, findPerson, openCsv, type Person, readWrittenPhone, selectPeople } from '../contacts/contacts.ts';
import { HttpError, invalidFields } from '../platform/http/errors.ts';
import { explainUnknownOfUser, type FindingParts, findAllPeople, readVariables, writeScopes } from '../segments/segments.ts';
import type { Bot, Company, MessageTemplate } from '../tenants/companies.ts';

const kinds = ['users', 'group', 'segment', 'csv'] as const;

/** Users that a body names one by one, at most. */
const maxUsers = 100_000;

/** Room for the longest id that a provider gives, behind the name of its bot. */
const maxUserChars = 512;

/** The audience of a campaign: one of the four. */
export const Audience = z
  .object(
    {
      users: z
        .array(z.string('a user is a text').min(1, 'a user is empty').max(maxUserChars, `a user is longer than ${maxUserChars} characters`))
        .max(maxUsers, `at most ${maxUsers} users`)
        .optional(),
      group: z.string().min(1, 'group is empty').max(100).optional(),
      segment: z.string().min(1, 'segment is empty').max(100).optional(),
      csv: z.string('csv is a text: its first line names the columns').optional(),
    },
    `the audience is an object with one of ${kinds.join(', ')}`,
  )
  .superRefine((audience, context) => {
    const given = kinds.filter((kind) => audience[kind] !== undefined);
    if (given.length !== 1)
      context.addIssue({
        code: 'custom',
        message: `the audience is one of ${kinds.join(', ')}, ${given.length === 0 ? 'and it has none' : `not ${given.join(' and ')} together`}`,
      });
    if (audience.users?.length === 0)
      context.addIssue({ code: 'custom', path: ['users'], message: 'the audience is empty: it names no user' });
  });
export type Audience = z.output<typeof Audience>;

/** Somebody of an audience. */
export interface Addressee {
  readonly userId: string;
  readonly personKey: string;
  /** What is known of them; nothing of somebody who never wrote and was never brought in. */
  readonly person: Person | undefined;
  /** The columns of their row in a CSV. */
  readonly row: JsonObject;
}

/** People that are looked up in one statement. */
const pageSize = 1_000;

/** Columns of all rows of a page: each row is made an object of all columns, however few of them it has. */
const cellsOfPage = 50_000;

/**
 * Reads an audience page by page.
 *
 * @param columns - of a CSV: those that are read of its rows
 * @throws {HttpError} 404 for an unknown group, segment or contact; 422 for a CSV that cannot be read, or lacks a column
 */
export async function* readAudience(
  parts: FindingParts,
  company: Company,
  bot: Bot,
  audience: Audience,
  columns: readonly string[],
): AsyncGenerator<readonly Addressee[], void, undefined> {
  const { users, group, segment, csv } = audience;
  if (csv === undefined && columns.length > 0)
    throw invalidFields({ parameters: ['row is a line of a CSV, which this audience is not: read user, such as {{user.names}}'] });
  if (group !== undefined || segment !== undefined) {
    const wanted = group === undefined ? { segment: segment ?? '' } : { group };
    for await (const people of findAllPeople(parts, company.id, wanted))
      yield people.map((person) => ({ userId: addressOf(person, bot), personKey: person.personKey, person, row: {} }));
    return;
  }
  const { header, rows } =
    users === undefined ? await readRows(csv ?? '') : { header: [], rows: users.map((user) => ({ user, values: [] })) };
  const missing = columns.find((name) => !header.includes(name));
  if (missing !== undefined) {
    const nearest = suggest(findNearestName(missing, header)) ?? `it has ${header.slice(0, 20).join(', ')}`;
    throw invalidFields({ parameters: [`"${missing}" is no column of the CSV: ${nearest}`] });
  }
  const rowsOfPage = Math.max(1, Math.min(pageSize, Math.floor(cellsOfPage / Math.max(1, header.length))));
  const nameCells = (values: readonly string[]): JsonObject => Object.fromEntries(header.map((name, index) => [name, values[index] ?? '']));
  for (let from = 0; from < rows.length; from += rowsOfPage) {
    const some = await Promise.all(
      rows
        .slice(from, from + rowsOfPage)
        .map(async ({ user, values }) => ({ userId: await resolveUser(parts, company, bot, user), row: nameCells(values) })),
    );
    const known = await findKnown(
      parts,
      company,
      some.map(({ userId }) => personKeyOf(userId)),
    );
    yield some.map(({ userId, row }) => {
      const personKey = personKeyOf(userId);
      return { userId, personKey, person: known.get(personKey), row };
    });
    await turn(); // over SQLite, pages follow one another without a turn of the event loop
  }
}

/** The id by which the bot reaches a person. */
const addressOf = ({ userId, phone }: Person, bot: Bot): string =>
  phone !== undefined && userIdProblem(userId, bot.channel, bot.settings.userIdFormat) !== undefined ? phone : userId;

/** A user by the id of their bot, which may be a phone number as people write it, or a contact by one of the names that the routes of contacts take. */
async function resolveUser(parts: FindingParts, company: Company, bot: Bot, user: string): Promise<string> {
  if (!/^(?:con_[0-9a-f]{23}$|phone:|bsuid:)/.test(user) && !user.startsWith(`${bot.id}:`)) {
    const isId = !phoneNumberChannels.has(bot.channel) || userIdProblem(user, bot.channel, bot.settings.userIdFormat) === undefined;
    return (isId ? null : readWrittenPhone(user)) ?? user;
  }
  const person = await findPerson(parts, company.id, user);
  if (person === undefined) {
    if (user.startsWith('phone:')) return user.slice('phone:'.length).replaceAll(/[^\d]/g, '');
    throw new HttpError(404, 'CONTACT_NOT_FOUND', `Company ${company.id} has no contact "${user}"`);
  }
  return addressOf(person, bot);
}

async function findKnown({ store }: FindingParts, company: Company, keys: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  const list = encodeList([...new Set(keys)].map((key) => [key]));
  const rows = await store.runner.read(selectPeople({ companyId: company.id, keys: list }));
  return new Map(rows.map((row) => [row.personKey, row]));
}

/** Lines that a refusal tells of. */
const shownProblems = 100;

/** Columns that say who a row is of, as people name them. */
const userColumns = ['user', 'userid', 'user_id', 'phone', 'id'];

/** Why a cell names nobody. */
function explainUser(user: string): string | undefined {
  if (user === '') return 'it names no user';
  if (user.length > maxUserChars) return `its user is longer than ${maxUserChars} characters`;
  return explainNumber(user);
}

/** A row of a CSV as it came: without the columns that it lacks. */
interface CsvUser {
  readonly user: string;
  readonly values: readonly string[];
}

async function readRows(csv: string): Promise<{ readonly header: readonly string[]; readonly rows: readonly CsvUser[] }> {
  const file = await openCsv([new TextEncoder().encode(csv)]).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 422 ? invalidFields({ audience: error.fields['file'] ?? [error.message] }) : error;
  });
  const column = file.header.findIndex((name) => userColumns.includes(name.toLowerCase()));
  if (column < 0)
    throw invalidFields({ audience: [`the CSV has no column "user" or "phone"; it has ${file.header.slice(0, 20).join(', ')}`] });
  const rows: CsvUser[] = [];
  const problems: string[] = [];
  for await (const found of file.rows()) {
    if ('problem' in found) {
      if (problems.length < shownProblems) problems.push(`line ${found.line}: ${found.problem}`);
      continue;
    }
    const user = (found.values[column] ?? '').trim();
    const problem = explainUser(user);
    if (problem === undefined) rows.push({ user, values: found.values });
    else if (problems.length < shownProblems) problems.push(`line ${found.line}: ${problem}`);
    if (rows.length > maxUsers) throw invalidFields({ audience: [`the CSV has more than ${maxUsers} rows: send it in parts`] });
  }
  if (problems.length > 0) throw invalidFields({ audience: problems });
  if (rows.length === 0) throw invalidFields({ audience: ['the audience is empty: the CSV has no row below its first line'] });
  return { header: file.header, rows };
}

/** What fills the parameters of a template for everybody. */
export interface Filling {
  readonly templates: ReadonlyMap<string, JsonTemplate>;
  readonly required: ReadonlySet<string>;
  /** The paths of a person that are read for it. */
  readonly paths: readonly Path[];
  /** The columns of a CSV that are read for it. */
  readonly columns: readonly string[];
}

/**
 * Compiles what a campaign gives for the parameters of its template: texts with `{{user.names}}`, `{{user.fields.city}}` or `{{row.COLUMN}}`.
 *
 * @param fields - what the company keeps of contacts
 * @throws {HttpError} 422 for an expression that is none, or reads what nobody has; 400 `INVALID_PARAMETERS` for a parameter that the template has not
 */
export function compileFilling(
  template: MessageTemplate,
  given: { readonly [name: string]: string },
  fields: readonly ContactField[],
): Filling {
  const { required, optional } = templateParameters(template);
  const surplus = Object.keys(given).filter((name) => !required.has(name) && !optional.has(name));
  if (surplus.length > 0)
    throw new HttpError(
      400,
      'INVALID_PARAMETERS',
      `The parameters of template "${template.id}" do not match: ${surplus.join(', ')} not known`,
    );
  const templates = new Map(Object.entries(given).map(([name, text]) => [name, compileParameter(name, text, fields)]));
  const paths = [...templates.values()].flatMap(({ reads }) => reads.map(({ path }) => path));
  const columns = paths.flatMap(([scope, column]) => (scope === '$input' && column !== undefined ? [String(column)] : []));
  return { templates, required, paths, columns };
}

/** The text with the scopes of each of its expressions written out. */
const writeScopesIn = (text: string): string =>
  text
    .split('{{')
    .map((part, at) => {
      const end = part.indexOf('}}');
      if (at === 0) return part;
      return end === -1 ? `{{${part}` : `${writeScopes(`{{${part.slice(0, end)}}}`)}${part.slice(end + 2)}`;
    })
    .join('');

/** Braces that open and never close are what somebody forgot: they would be sent to everybody as they stand. */
const hasNoEnd = (text: string): boolean => text.lastIndexOf('{{') > text.lastIndexOf('}}');

function compileParameter(name: string, text: string, fields: readonly ContactField[]): JsonTemplate {
  if (hasNoEnd(text))
    throw invalidFields({ parameters: [`${name}: the "}}" behind "${text.slice(text.lastIndexOf('{{')).slice(0, 60)}" is missing`] });
  try {
    const template = compileJson(writeScopesIn(text));
    const wrong = template.reads.find(({ path: [scope] }) => scope !== '$user' && scope !== '$input');
    if (wrong !== undefined) throw invalidFields({ parameters: [`${name}: a parameter reads user or row, not ${String(wrong.path[0])}`] });
    const unknown = template.reads
      .filter(({ path: [scope, part] }) => scope === '$user' && part !== undefined)
      .map(({ path }) => explainUnknownOfUser(fields, path))
      .find((found) => found !== undefined);
    if (unknown !== undefined) throw invalidFields({ parameters: [`${name}: ${unknown}`] });
    return template;
  } catch (error) {
    throw isHiloError(error, 'EXPRESSION') ? invalidFields({ parameters: [`${name}: ${error.message}`] }) : error;
  }
}

/** The parameters of one person, and those for which nothing is known of them. */
export interface Filled {
  readonly parameters: { readonly [name: string]: string };
  readonly missing: readonly string[];
}

/** Fills the parameters for a page of people. */
export async function fillParameters(
  parts: FindingParts,
  company: Company,
  { templates, required, paths }: Filling,
  addressees: readonly Addressee[],
): Promise<readonly Filled[]> {
  const people = addressees.map(({ person }) => person).filter((person) => person !== undefined);
  const known = new Map<Person, JsonObject>();
  const variables = paths.length === 0 ? [] : await readVariables(parts, company, people, paths);
  for (const [index, person] of people.entries()) known.set(person, variables[index] ?? {});
  const nowMs = parts.clock.now();
  return addressees.map(({ userId, person, row }) => {
    const user = (person === undefined ? undefined : known.get(person)) ?? { id: userId, phone: userId };
    const scopes: JsonObject = { $user: user, $input: row };
    const get = (path: Path): Json | undefined => getPath(scopes, path);
    const filled = [...templates].map(([name, template]) => [name, render(template, { nowMs, get })] as const);
    const parameters = Object.fromEntries(filled.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
    return { parameters, missing: [...required].filter((name) => !Object.hasOwn(parameters, name)) };
  });
}

/** The text of a parameter; undefined where what it needs is missing or empty. */
function render(template: JsonTemplate, variables: Parameters<JsonTemplate>[0]): string | undefined {
  try {
    const value = template(variables);
    const text =
      typeof value === 'string' ? value : value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return text.trim() === '' ? undefined : text;
  } catch (error) {
    if (isHiloError(error, 'EXPRESSION')) return undefined;
    throw error;
  }
}
