// Who is in a group or a segment: found page by page, so that others are served in between and the memory does not grow with the number.
import { setImmediate as turn } from 'node:timers/promises';
import { type Bound, type Condition, getPath, type JsonObject, type Path, phoneSpellings } from '@hilo/engine/contract';
import {
  decodeRows,
  encodeKey,
  encodeList,
  encodeText,
  type Runner,
  textColumn,
  integerColumn,
  integer,
  optional,
  type Parametered,
  plain,
  type ReadOf,
  sum,
  text,
} from '@hilo/stores';
import { sql } from 'kysely';
import { describeConsentOf, formatInstant, instantOfId, lastOfWindow, type Person, personColumns } from '../contacts/contacts.ts';
import { peopleAfter } from '../platform/database/people.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { segments } from '../platform/tables/segments.ts';
import { requireCompany, type Company, type Tenancy } from '../tenants/companies.ts';
import { readFields } from '../tenants/contact-fields.ts';
import { compileSegment } from './segment-condition.ts';

/** What these functions work with. */
export type FindingParts = Pick<Platform, 'store' | 'clock'> & Tenancy;

/** The people wanted: everybody in a group, or those whom a segment or a condition fits. */
export type People = { readonly group: string } | { readonly segment: string } | { readonly condition: Condition };

/** A page of people. It may have fewer than were looked at, also none, and go on. */
export interface PeoplePage {
  readonly people: readonly Person[];
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined;
}

/** People that one page looks through: others are served in between. */
const pageRows = 1_000;

/**
 * The next page of the people of a group or a segment, in the order of their keys.
 *
 * @param after - the `next` of the page before; from the beginning, when left out
 * @param nowMs - the instant that `now()` is: the same for all pages of one search
 * @throws {HttpError} 404 for an unknown company, group or segment; 422 for a segment that no longer fits the declared fields
 */
export async function findPeoplePage(
  parts: FindingParts,
  companyId: string,
  wanted: People,
  {
    after = '',
    limit = pageRows,
    nowMs = parts.clock.now(),
  }: { readonly after?: string; readonly limit?: number; readonly nowMs?: number } = {},
): Promise<PeoplePage> {
  const company = requireCompany(parts, companyId);
  const rows = Math.min(limit, pageRows);
  if ('group' in wanted) return findMembers(parts, company, wanted.group, { after, rows });
  const condition = 'condition' in wanted ? wanted.condition : await requireSegment(parts, company, wanted.segment);
  const { runner } = parts.store;
  const given = { companyId: company.id, after, rows };
  const people = await runner.read(selectFitting({ ...given, ...buildFilter(condition.bounds) }));
  const last = await runner.readOne(lastOfWindow(given));
  const variables = await readVariables(parts, company, people, condition.paths);
  const fits = people.filter((_, index) => {
    const user = variables[index] ?? {};
    return condition({ nowMs, get: (path) => (path[0] === '$user' ? getPath(user, path, 1) : undefined) });
  });
  return { people: fits, next: last?.personKey };
}

/** All people of a group or a segment, page by page. */
export async function* findAllPeople(
  parts: FindingParts,
  companyId: string,
  wanted: People,
): AsyncGenerator<readonly Person[], void, undefined> {
  const nowMs = parts.clock.now();
  let after: string | undefined = '';
  while (after !== undefined) {
    const page: PeoplePage = await findPeoplePage(parts, companyId, wanted, { after, nowMs });
    if (page.people.length > 0) yield page.people;
    await turn(); // reads of SQLite end at once: nobody else would be served before the last page
    after = page.next;
  }
}

/** The condition of a saved segment. @throws {HttpError} 404, 422 */
async function requireSegment({ store }: FindingParts, company: Company, name: string): Promise<Condition> {
  const segment = await store.runner.readOne(segments.find({ companyId: company.id, name }));
  if (segment === undefined) throw notFound('SEGMENT_NOT_FOUND', `Company ${company.id} has no segment "${name}"`);
  return compileSegment(company.fields ?? [], segment.condition);
}

async function findMembers(
  { store: { runner } }: FindingParts,
  company: Company,
  group: string,
  { after, rows }: { readonly after: string; readonly rows: number },
): Promise<PeoplePage> {
  const found = await runner.read(selectMembers({ companyId: company.id, group, after, rows }));
  if (found.length === 0 && after === '') throw notFound('GROUP_NOT_FOUND', `Company ${company.id} has no group "${group}"`);
  return { people: found, next: found.length < rows ? undefined : found.at(-1)?.personKey };
}

const window = { after: plain(), rows: integer() };
const filter = { first: plain(), second: plain(), third: plain(), marketing: plain() };
type Filter = Parametered<typeof filter>;

const selectFitting = companyQuery(
  { ...window, ...filter },
  personColumns,
  (company, { after, rows, first, second, third, marketing }, db) => {
    const hasPattern = (pattern: string) => sql<boolean>`coalesce(page.fields, '{}') like ${pattern} escape '\\'`;
    return db
      .selectFrom(peopleAfter(company, { after, rows }).as('page'))
      .selectAll()
      .where(hasPattern(first))
      .where(hasPattern(second))
      .where(hasPattern(third))
      .where(sql<boolean>`coalesce(page.marketing, 'unknown') like ${marketing}`)
      .orderBy('page.person_key');
  },
);

const selectMembers = companyQuery({ ...window, group: text() }, personColumns, (company, { group, after, rows }) =>
  company
    .selectFrom('contact_groups')
    .innerJoin('people', (join) =>
      join.onRef('people.company_id', '=', 'contact_groups.company_id').onRef('people.person_key', '=', 'contact_groups.person_key'),
    )
    .selectAll('people')
    .where('contact_groups.group_name', '=', group)
    .where('contact_groups.person_key', '>', after)
    .orderBy('contact_groups.person_key')
    .limit(rows),
);

/** Whether anybody is in a group. */
export const hasGroup = async (runner: Pick<Runner, 'readOne'>, companyId: string, group: string): Promise<boolean> =>
  (await runner.readOne(selectMembers({ companyId, group, after: '', rows: 1 }))) !== undefined;

/** What the database sorts out before anything is decoded: more may pass than fits, never less. */
function buildFilter(bounds: readonly Bound[]): Filter {
  const patterns = bounds.flatMap(({ path: [scope, name, key, ...deeper], symbol, value }) => {
    if (scope !== '$user' || name !== 'fields' || typeof key !== 'string' || deeper.length > 0) return [];
    const isPlainText = typeof value === 'string' && /^[\w .,@:-]+$/.test(value);
    const isAsked = isPlainText && (symbol === '==' || symbol === 'in');
    return [`%"${escapeLike(key)}"%${isAsked ? `"${escapeLike(value)}"%` : ''}`];
  });
  const marketing = bounds.find(({ path: [scope, name], symbol }) => scope === '$user' && name === 'consent' && symbol === '==')?.value;
  const [first = '%', second = '%', third = '%'] = patterns;
  return { first, second, third, marketing: typeof marketing === 'string' ? escapeLike(marketing).slice(0, 100) : '%' };
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The columns of what bots know of one person of a page. */
const knownToBots = {
  place: sum(),
  botId: text(),
  userKey: plain(),
  names: optional(text()),
  phone: optional(text()),
  timeZone: optional(plain()),
  locale: optional(plain()),
  windowUntilMs: optional(integer()),
};

/** The contacts that bots have of a page of people, looked up by the keys that a person may have there. */
const selectKnown = companyQuery({ keys: plain() }, knownToBots, (_company, { companyId, keys }, db) =>
  db
    .selectFrom(decodeRows(keys))
    .crossJoin('bots')
    .crossJoin('contacts')
    .where('bots.company_id', '=', companyId)
    .where('contacts.company_id', '=', companyId)
    .whereRef('contacts.bot_id', '=', 'bots.bot_id')
    .where('contacts.user_key', '=', textColumn(1))
    .where(({ fn, ref, eb }) => eb(fn.coalesce(ref('contacts.person_key'), ref('contacts.user_key')), '=', textColumn(2)))
    .select([integerColumn(0).as('place'), 'contacts.bot_id', 'contacts.user_key', 'contacts.names', 'contacts.phone'])
    .select(['contacts.time_zone', 'contacts.locale', 'contacts.window_until_ms']),
);

const selectLastTimes = (direction: 'inbound' | 'outbound') =>
  companyQuery({ keys: plain() }, { place: sum(), atMs: optional(sum()) }, (_company, { companyId, keys }, db) =>
    db
      .selectFrom(decodeRows(keys))
      .select(integerColumn(0).as('place'))
      .select(({ selectFrom }) =>
        selectFrom('messages')
          .select('messages.created_at_ms')
          .where('messages.company_id', '=', companyId)
          .where('messages.bot_id', '=', textColumn(1))
          .where('messages.user_key', '=', textColumn(2))
          .where('messages.direction', '=', sql.lit(direction))
          .orderBy('messages.id', 'desc')
          .limit(1)
          .as('at_ms'),
      ),
  );
const lastTimes = { inbound: selectLastTimes('inbound'), outbound: selectLastTimes('outbound') };

const selectGroupsOf = companyQuery({ keys: plain() }, { place: sum(), groupName: text() }, (_company, { companyId, keys }, db) =>
  db
    .selectFrom(decodeRows(keys))
    .crossJoin('contact_groups')
    .where('contact_groups.company_id', '=', companyId)
    .where('contact_groups.person_key', '=', textColumn(1))
    .select([integerColumn(0).as('place'), 'contact_groups.group_name'])
    .orderBy('contact_groups.group_name'),
);

/**
 * What expressions read as `user`, for each of a page of people. Only what the paths name is read, in a few statements for all of them.
 */
export async function readVariables(
  { store: { runner } }: Pick<FindingParts, 'store'>,
  company: Company,
  people: readonly Person[],
  paths: readonly Path[],
): Promise<readonly JsonObject[]> {
  const isRead = (...names: readonly string[]): boolean => paths.some(([scope, name]) => scope === '$user' && names.includes(String(name)));
  const asksMessages = isRead('lastInboundAt', 'lastOutboundAt');
  const known =
    isRead('names', 'phone', 'phoneNumber', 'locale', 'timeZone') || asksMessages ? await readKnown(runner, company.id, people) : [];
  const contactsOf = Map.groupBy(known, ({ place }) => place);
  const timesOf = async (direction: 'inbound' | 'outbound') => {
    const times = new Map<number, number>();
    const keys = encodeList(known.map(({ place, botId, userKey }) => [place, encodeText(botId), userKey]));
    for (const { place, atMs } of await runner.read(lastTimes[direction]({ companyId: company.id, keys })))
      if (atMs !== undefined) times.set(place, Math.max(atMs, times.get(place) ?? 0));
    return times;
  };
  const inbound = isRead('lastInboundAt') ? await timesOf('inbound') : undefined;
  const outbound = isRead('lastOutboundAt') ? await timesOf('outbound') : undefined;
  const groups = isRead('groups') ? await readGroupsOf(runner, company.id, people) : undefined;
  return people.map((person, place): JsonObject => {
    const contacts = (contactsOf.get(place) ?? []).toSorted((left, right) => (right.windowUntilMs ?? 0) - (left.windowUntilMs ?? 0));
    const learned = (name: 'names' | 'phone' | 'locale' | 'timeZone'): string | undefined =>
      contacts.map((contact) => contact[name]).find((value) => value !== undefined);
    const phone = person.phone ?? learned('phone') ?? (/^\d+$/.test(person.userId) ? person.userId : undefined);
    const optional: { readonly [name: string]: string | undefined } = {
      names: learned('names') ?? person.names,
      phone,
      phoneNumber: phone,
      locale: learned('locale') ?? person.locale,
      timeZone: learned('timeZone') ?? person.timeZone,
      lastInboundAt: instantAt(inbound?.get(place)),
      lastOutboundAt: instantAt(outbound?.get(place)),
    };
    return {
      ...Object.fromEntries(Object.entries(optional).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      id: person.userId,
      fields: readFields(company.fields ?? [], person.fields ?? {}),
      consent: describeConsentOf(person).marketing,
      firstSeenAt: formatInstant(person.firstSeenAtMs ?? instantOfId(person.id)),
      ...(groups !== undefined && { groups: groups.get(place) ?? [] }),
    };
  });
}

const instantAt = (atMs: number | undefined): string | undefined => (atMs === undefined ? undefined : formatInstant(atMs));

function readKnown(runner: Runner, companyId: string, people: readonly Person[]): Promise<readonly ReadOf<typeof knownToBots>[]> {
  const keys = people.flatMap(({ personKey, userId }, place) =>
    [...new Set([personKey, ...phoneSpellings(userId).map(encodeKey)])].map((key) => [place, key, personKey]),
  );
  return runner.read(selectKnown({ companyId, keys: encodeList(keys) }));
}

async function readGroupsOf(runner: Runner, companyId: string, people: readonly Person[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const keys = encodeList(people.map(({ personKey }, place) => [place, personKey]));
  const rows = await runner.read(selectGroupsOf({ companyId, keys }));
  const grouped = Map.groupBy(rows, ({ place }) => place);
  return new Map([...grouped].map(([place, some]) => [place, some.map(({ groupName }) => groupName)]));
}
