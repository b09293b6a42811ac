// Contacts as management sees them: found by any of their ids, listed, described, and changed in one transaction.
import {
  canonicalPhone,
  type Channel,
  type Consent,
  type JsonObject,
  otherSpellings,
  phoneNumberChannels,
  sessionWindowMs,
} from '@hilo/engine/contract';
import { Bsuid, userIdProblem } from '@hilo/nodes';
import {
  asCondition,
  type Call,
  changePerson,
  decodeRows,
  type ItemOf,
  integer,
  lookup,
  pick,
  plain,
  sum,
  text,
  textColumn,
} from '@hilo/stores';
import { sql } from 'kysely';
import { personEvents } from '../platform/events/commit-events.ts';
import { telling, type ToldEvent } from '../platform/events/telling.ts';
import type { Platform } from '../platform/platform.ts';
import { type BotContact, readContactsOf } from '../platform/database/people.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { patternsOf, searchIn, sought } from '../platform/database/search-pattern.ts';
import { createTurns } from '../platform/turns.ts';
import { people } from '../platform/tables/companies.ts';
import { groupMembers } from '../platform/tables/contacts.ts';
import { messages } from '../platform/tables/messages.ts';
import { type Company, requireCompany, type Tenancy } from '../tenants/companies.ts';
import { readFields } from '../tenants/contact-fields.ts';
import { HttpError, notFound } from '../platform/http/errors.ts';
import { writeUsers } from '../tenants/workspace/write-users.ts';

/** What these functions work with. */
export type PeopleParts = Pick<Platform, 'store' | 'clock'> & Tenancy;

/** What is read of a person. */
const personNames = [
  ...(['companyId', 'personKey', 'userId', 'names', 'phone', 'bsuid', 'timeZone', 'locale', 'id'] as const),
  ...(['fields', 'marketing', 'consentAtMs', 'consentSource', 'consentEvidence', 'firstSeenAtMs'] as const),
] as const;

const byId = people.read(personNames, { id: people.columns.id }, (rows, { id }) => rows.where('id', '=', id));
const byKey = people.read(personNames, { personKey: people.columns.personKey }, (rows, { personKey }) =>
  rows.where('person_key', '=', personKey),
);

/** The same for statements over several tables. */
export const personColumns = pick(people.columns, ...personNames);

/** The people who have one of these keys. @param keys - as `encodeList` makes them */
export const selectPeople = companyQuery({ keys: plain() }, personColumns, (_company, { companyId, keys }, db) =>
  db
    .selectFrom(decodeRows(keys))
    .crossJoin('people')
    .selectAll('people')
    .where('people.company_id', '=', companyId)
    .where('people.person_key', '=', textColumn(0)),
);

/** A row of a person. */
export type Person = Pick<ItemOf<typeof people.columns>, 'companyId' | 'userId' | 'names' | 'phone' | 'bsuid' | 'timeZone' | 'locale'> &
  PersonOwn;
interface PersonOwn {
  readonly personKey: string;
  readonly id: string | undefined;
  readonly fields: JsonObject | undefined;
  readonly marketing: string | undefined;
  readonly consentAtMs: number | undefined;
  readonly consentSource: string | undefined;
  readonly consentEvidence: string | undefined;
  readonly firstSeenAtMs: number | undefined;
}

/** Whether a text is an id of ours, which says nothing of the person. */
const isContactId = (text: string): boolean => /^con_[0-9a-f]{23}$/.test(text);

/** How a contact is named in a path. */
type Named =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'phone' | 'bsuid' | 'user'; readonly userId: string }
  | { readonly kind: 'bot'; readonly botId: string; readonly userId: string };

/** Reads `con_…`, `phone:…`, `bsuid:…`, `BOT:ID`, or the id by which a user is known. @throws {HttpError} 400 for what is no phone number or id */
function readName({ companies }: Tenancy, companyId: string, name: string): Named {
  if (isContactId(name)) return { kind: 'id', id: name };
  if (name.startsWith('phone:')) {
    const phone = canonicalPhone(name.slice('phone:'.length));
    if (phone === null) throw new HttpError(400, 'INVALID_REQUEST', `"${name}" is no phone number: write its digits, country code first`);
    return { kind: 'phone', userId: phone };
  }
  if (name.startsWith('bsuid:')) {
    const { data, error } = Bsuid.safeParse(name.slice('bsuid:'.length));
    if (data === undefined) throw new HttpError(400, 'INVALID_REQUEST', error.issues[0]?.message ?? 'This is no business-scoped id');
    return { kind: 'bsuid', userId: data };
  }
  const bot = companies
    .bots(companyId)
    .filter(({ id }) => name.startsWith(`${id}:`))
    .toSorted((left, right) => right.id.length - left.id.length)[0];
  return bot === undefined ? { kind: 'user', userId: name } : { kind: 'bot', botId: bot.id, userId: name.slice(bot.id.length + 1) };
}

/** The person that a name of a path means; `undefined` where the company has none. */
export async function findPerson(parts: PeopleParts, companyId: string, name: string): Promise<Person | undefined> {
  const { runner, executions } = parts.store;
  const named = readName(parts, companyId, name);
  if (named.kind === 'id') return runner.readOne(byId({ companyId, id: named.id }));
  const { userId } = named;
  const own = named.kind === 'bot' ? undefined : await runner.readOne(byKey({ companyId, personKey: userId }));
  if (own !== undefined) return own;
  // By a phone number or another id that a bot knows beside the user's own.
  for (const botId of named.kind === 'bot' ? [named.botId] : parts.companies.bots(companyId).map(({ id }) => id)) {
    const contact = await executions.contact(companyId, botId, [userId]);
    const found = contact === undefined ? undefined : await runner.readOne(byKey({ companyId, personKey: contact.userId }));
    if (found !== undefined) return found;
  }
  // No bot knows who never wrote: something is kept of them all the same.
  const met = named.kind === 'bot' ? await runner.readOne(byKey({ companyId, personKey: userId })) : undefined;
  const [known = []] = met === undefined ? [] : await readContactsOf(runner, [met]);
  return known.length === 0 ? met : undefined;
}

/** The person with an id of ours. */
export const findPersonById = (
  { store: { runner } }: Pick<PeopleParts, 'store'>,
  companyId: string,
  id: string,
): Promise<Person | undefined> => runner.readOne(byId({ companyId, id }));

/** @throws {HttpError} 404 */
export async function requirePerson(parts: PeopleParts, companyId: string, name: string): Promise<Person> {
  const found = await findPerson(parts, requireCompany(parts, companyId).id, name);
  if (found === undefined) throw contactNotFound(companyId, name);
  return found;
}

export const contactNotFound = (companyId: string, name: string): HttpError =>
  notFound('CONTACT_NOT_FOUND', `Company ${companyId} has no contact "${name}": name one by its id, phone:DIGITS, bsuid:ID or BOT:ID`);

/** The same, made where there is none yet; one that is named by our own id has to exist. @throws {HttpError} 400, 404 */
export async function requireOrMakePerson(parts: PeopleParts, companyId: string, name: string): Promise<Person> {
  const found = await findPerson(parts, requireCompany(parts, companyId).id, name);
  if (found !== undefined) return found;
  const named = readName(parts, companyId, name);
  if (named.kind === 'id') throw contactNotFound(companyId, name);
  const { userId } = named;
  if (named.kind === 'bot') {
    const bot = parts.companies.botOf(companyId, named.botId);
    const problem = bot === undefined ? undefined : userIdProblem(userId, bot.channel, bot.settings.userIdFormat);
    if (problem !== undefined) throw new HttpError(400, 'INVALID_USER_ID', problem);
  }
  const user = {
    id: userId,
    names: undefined,
    phone: named.kind === 'phone' ? userId : undefined,
    bsuid: named.kind === 'bsuid' ? userId : undefined,
    timeZone: undefined,
    locale: undefined,
    lastMessageAt: {},
  };
  const isFor = ({ botId, channel }: { readonly botId: string; readonly channel: Channel }): boolean | 'named' =>
    named.kind === 'bot' ? botId === named.botId && 'named' : named.kind === 'user' || phoneNumberChannels.has(channel);
  await writeUsers(parts, { companyId, users: { count: 1, inBatches: () => [[user]] } }, () => undefined, isFor);
  const made = await findPerson(parts, companyId, name);
  if (made === undefined) throw contactNotFound(companyId, name);
  return made;
}

const page = { after: plain(), rows: integer(), ...sought, group: text() };
const personKey = { personKey: plain() };

/** Most rows that one statement looks through: others are served in between. */
const windowRows = 1_000;
/** The first has so many: a person may have some names and words, or fifty thousand characters. */
const firstWindowRows = 20;
/** What a statement is to take, by what the one before took. */
const windowMs = 10;
/** Rows of one request: a search that finds little ends with a cursor, from which it goes on. */
const searchedRows = 50_000;

/** How many rows the next statement looks through. */
const nextWindow = (rows: number, tookMs: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((rows * windowMs) / Math.max(tookMs, 1))));

const selectWindow = (how: { readonly isSearched: boolean; readonly isOfGroup: boolean }) =>
  companyQuery(page, personKey, (company, given, db) => {
    const { companyId, after, rows, group } = given;
    const found = db
      .selectFrom(
        company
          .selectFrom('people')
          .selectAll()
          .where('people.person_key', '>', after)
          .$if(how.isOfGroup, (some) =>
            some.where(
              'people.person_key',
              'in',
              company.selectFrom('contact_groups').select('contact_groups.person_key').where('contact_groups.group_name', '=', group),
            ),
          )
          .orderBy('people.person_key')
          .limit(rows)
          .as('page'),
      )
      .select('page.person_key')
      .orderBy('page.person_key');
    if (!how.isSearched) return found;
    const { inText, inNumber } = searchIn(db, given);
    return found.where(({ or, exists, ref, selectFrom }) =>
      or([
        inText(ref('page.names')),
        inNumber(ref('page.user_id')),
        inNumber(ref('page.phone')),
        inText(ref('page.fields')),
        exists(
          selectFrom('contacts')
            .select('contacts.id')
            .where('contacts.company_id', '=', companyId)
            .where('contacts.bot_id', 'in', company.selectFrom('bots').select('bots.bot_id'))
            .where(sql<boolean>`contacts.user_key in (page.person_key, page.user_id)`)
            .where(({ or: any, ref: own }) => any([inText(own('contacts.names')), inNumber(own('contacts.phone'))])),
        ),
      ]),
    );
  });

const windows = [false, true].map((isSearched) => [false, true].map((isOfGroup) => selectWindow({ isSearched, isOfGroup })));

/** The last person of a window of the table, where there are so many. */
const selectLastOfWindow = people.read(['personKey'], { after: plain(), before: integer() }, (some, { after, before }) =>
  some.where('person_key', '>', after).orderBy('person_key').limit(1).offset(before),
);

/** The last of the window of so many people behind a key, where there are as many. */
export const lastOfWindow = ({
  companyId,
  after,
  rows,
}: {
  readonly companyId: string;
  readonly after: string;
  readonly rows: number;
}): Call<{ readonly personKey: string }> => selectLastOfWindow({ companyId, after, before: rows - 1 });

/** The last of the window of so many people of a group behind a key, where there are as many. */
const lastOfGroupWindow = companyQuery(
  { after: plain(), before: integer(), group: text() },
  personKey,
  (company, { after, before, group }) =>
    company
      .selectFrom('contact_groups')
      .select('person_key')
      .where('group_name', '=', group)
      .where('person_key', '>', after)
      .orderBy('person_key')
      .limit(1)
      .offset(before),
);

/** What a list of contacts asks for. */
export interface Search {
  readonly companyId: string;
  /** Part of a name, a number or a field. */
  readonly query?: string | undefined;
  readonly group?: string | undefined;
  readonly limit: number;
  /** The key behind which it goes on. */
  readonly after?: string | undefined;
}

/**
 * A page of people in the order of their keys. A page may have fewer than asked for, also none, and go on.
 *
 * @param inWindow - how many a search looks through in one turn at most
 */
export async function listPeople(
  { store: { runner } }: PeopleParts,
  { companyId, query, group, limit, after = '' }: Search,
  inWindow = windowRows,
): Promise<{ readonly people: readonly Person[]; readonly next: string | undefined }> {
  const select = windows[query === undefined ? 0 : 1]?.[group === undefined ? 0 : 1] ?? selectWindow({ isSearched: true, isOfGroup: true });
  const patterns = patternsOf(query ?? '');
  const keys: string[] = [];
  let from = after;
  let isMore = true;
  const nextTurn = createTurns(1);
  let rows = query === undefined ? limit + 1 : Math.min(firstWindowRows, inWindow);
  for (let looked = 0; looked < searchedRows && keys.length <= limit && isMore; ) {
    await nextTurn();
    const beganMs = performance.now();
    const found = await runner.read(select({ companyId, after: from, rows, ...patterns, group: group ?? '' }));
    keys.push(...found.map((one) => one.personKey));
    if (query === undefined) break;
    const tookMs = performance.now() - beganMs;
    const last = await runner.readOne(
      group === undefined
        ? lastOfWindow({ companyId, after: from, rows })
        : lastOfGroupWindow({ companyId, after: from, before: rows - 1, group }),
    );
    isMore = last !== undefined;
    from = last?.personKey ?? from;
    looked += rows;
    rows = nextWindow(rows, tookMs, inWindow);
  }
  const shown = keys.slice(0, limit);
  const next = keys.length > limit ? shown.at(-1) : query !== undefined && isMore ? from : undefined;
  const read = await runner.readEach(shown.map((key) => selectPerson({ companyId, personKey: key })));
  return { people: read.flat(), next };
}

const selectPerson = people.read(personNames, personKey, (rows, given) => rows.where('person_key', '=', given.personKey));

const selectLast = messages.read(
  ['createdAtMs'],
  { ...pick(messages.columns, 'botId', 'direction'), userId: lookup() },
  (rows, { botId, userId, direction }) =>
    rows.where('bot_id', '=', botId).where('user_key', '=', userId).where('direction', '=', direction).orderBy('id', 'desc').limit(1),
);

/** When messages last went either way; `undefined` where none did. */
async function readLastTimes(
  { store: { runner } }: PeopleParts,
  companyId: string,
  contacts: readonly Pick<BotContact, 'botId' | 'userId'>[],
) {
  const read = async (direction: 'inbound' | 'outbound'): Promise<number | undefined> => {
    const calls = contacts.map(({ botId, userId }) => selectLast({ companyId, botId, userId, direction }));
    const times = (await runner.readEach(calls)).flatMap((found) => found.map(({ createdAtMs }) => createdAtMs));
    return times.length === 0 ? undefined : Math.max(...times);
  };
  return { inbound: await read('inbound'), outbound: await read('outbound') };
}

const selectGroups = groupMembers.read(['groupName'], { personKey: groupMembers.columns.personKey }, (rows, { personKey }) =>
  rows.where('person_key', '=', personKey).orderBy('group_name'),
);

/** The instant in an id of ours, for people of whom no message says when they came. */
export const instantOfId = (id: string | undefined): number => Number.parseInt(id?.slice(4, 15) ?? '0', 16);

export const formatInstant = (atMs: number): string => new Date(atMs).toISOString();

/** Describes people as the interface shows contacts. */
export async function describePeople(parts: PeopleParts, company: Company, found: readonly Person[]) {
  const contactsOf = await readContactsOf(parts.store.runner, found);
  return Promise.all(found.map((person, index) => describePerson(parts, company, person, contactsOf[index] ?? [])));
}

async function describePerson(parts: PeopleParts, company: Company, person: Person, contacts: readonly BotContact[]) {
  const { companies, store } = parts;
  const met = companies.bots(company.id).map(({ id: botId }) => ({ botId, userId: person.userId }));
  const times = await readLastTimes(parts, company.id, contacts.length > 0 ? contacts : met);
  const groups = await store.runner.read(selectGroups({ companyId: company.id, personKey: person.userId }));
  const firstSeenAtMs = person.firstSeenAtMs ?? instantOfId(person.id);
  const windowMs = contacts.flatMap(({ botId, windowUntilMs }) => {
    const bot = companies.botOf(company.id, botId);
    return windowUntilMs === null || bot?.settings.templateReopensWindow !== 'onReply' ? [] : [windowUntilMs - sessionWindowMs];
  });
  const inboundMs = Math.max(times.inbound ?? 0, ...windowMs);
  const latestFirst = contacts.toSorted((left, right) => (right.windowUntilMs ?? 0) - (left.windowUntilMs ?? 0));
  const known = (name: 'names' | 'locale' | 'timeZone'): string | undefined =>
    latestFirst.map((contact) => contact[name]).find((value) => value !== null) ?? person[name];
  const [names, locale, timeZone] = [known('names'), known('locale'), known('timeZone')];
  return {
    id: person.id ?? '',
    identities: listIdentities(parts, company, person, contacts, formatInstant(firstSeenAtMs)),
    ...(names !== undefined && { names }),
    ...(locale !== undefined && { locale }),
    ...(timeZone !== undefined && { timeZone }),
    fields: readFields(company.fields ?? [], person.fields ?? {}),
    groups: groups.map(({ groupName }) => groupName),
    consent: describeConsentOf(person),
    firstSeenAt: formatInstant(firstSeenAtMs),
    ...(inboundMs > 0 && { lastInboundAt: formatInstant(inboundMs) }),
    ...(times.outbound !== undefined && { lastOutboundAt: formatInstant(times.outbound) }),
  };
}

/** What a person has said to marketing messages. */
export const describeConsentOf = ({ marketing, consentAtMs, consentSource, consentEvidence }: Person) => ({
  marketing: readMarketing(marketing),
  ...(consentAtMs !== undefined && { at: formatInstant(consentAtMs) }),
  ...(consentSource !== undefined && { source: consentSource }),
  ...(consentEvidence !== undefined && { evidence: consentEvidence }),
});

const readMarketing = (stored: string | undefined): Consent['marketing'] | 'unknown' =>
  stored === 'granted' || stored === 'revoked' ? stored : 'unknown';

/** Each id once: those that hold for all bots without one. */
function listIdentities({ companies }: PeopleParts, company: Company, person: Person, contacts: readonly BotContact[], since: string) {
  type Identity = { readonly botId?: string; readonly kind: 'phone' | 'bsuid' | 'provider'; readonly value: string };
  const ofId = (value: string, botId: string | undefined): Identity => {
    const bot = botId === undefined ? undefined : companies.botOf(company.id, botId);
    const isOfPhones =
      bot === undefined
        ? companies.bots(company.id).some(({ channel }) => phoneNumberChannels.has(channel))
        : phoneNumberChannels.has(bot.channel);
    if (isOfPhones && canonicalPhone(value) !== null) return { kind: 'phone', value };
    if (isOfPhones && Bsuid.safeParse(value).success) return { kind: 'bsuid', value };
    return { ...(botId !== undefined && { botId }), kind: 'provider', value };
  };
  const all: readonly Identity[] = [
    ...contacts.map(({ botId, userId }) => ofId(userId, botId)),
    ...(contacts.some(({ userId }) => userId === person.userId) ? [] : [ofId(person.userId, undefined)]),
    ...[...contacts, person].flatMap(({ phone, bsuid }): readonly Identity[] => [
      // Whoever writes under another spelling of the number is the same person.
      ...(phone === null || phone === undefined ? [] : [phone, ...otherSpellings(phone)]).map(
        (value) => ({ kind: 'phone', value }) as const,
      ),
      ...(bsuid === null || bsuid === undefined ? [] : [{ kind: 'bsuid', value: bsuid } as const]),
    ]),
  ];
  const once = new Map(all.map((identity) => [JSON.stringify([identity.kind, identity.value, identity.botId]), { ...identity, since }]));
  const kinds = ['phone', 'bsuid', 'provider'];
  return [...once.values()].toSorted((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

/** A change of a contact: what is left out stays. */
export interface PersonChange {
  readonly names?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  /** `null` removes a field. */
  readonly fields?: JsonObject | undefined;
  /** All groups of the contact. */
  readonly groups?: readonly string[] | undefined;
  readonly consent?: Consent | undefined;
}

const changeOwn = people.change(
  { id: people.columns.id, names: people.columns.names, timeZone: people.columns.timeZone, locale: people.columns.locale },
  (rows, { id, names, timeZone, locale }) => rows.set({ names, time_zone: timeZone, locale, is_listed: 1 }).where('id', '=', id),
);

const keepOwn = people.change({ id: people.columns.id }, (rows, { id }) =>
  rows.set(({ ref }) => ({ is_listed: ref('is_listed') })).where('id', '=', id),
);

/**
 * A condition of what is written of a person: they are still there, and nobody who was made under the same key since. Whoever was removed or
 * erased meanwhile would come back with what is written.
 */
export const stillThere = ({ companyId, id }: Person): Call => asCondition(keepOwn({ companyId, id }));

/** Changes a contact in one transaction; every bot reads it anew. @returns whether the contact was still there; else nothing was written */
export async function changeContact({ store, clock }: PeopleParts, person: Person, change: PersonChange): Promise<boolean> {
  const { companyId, userId } = person;
  const { names, locale, timeZone, fields, groups, consent } = change;
  const [known = []] = await readContactsOf(store.runner, [person]);
  const before = groups === undefined ? [] : await store.runner.read(selectGroups({ companyId, personKey: userId }));
  const next = <Value>(given: Value | null | undefined, was: Value | undefined): Value | undefined =>
    given === undefined ? was : (given ?? undefined);
  const learned = {
    ...(typeof names === 'string' && { names }),
    ...(typeof locale === 'string' && { locale }),
    ...(typeof timeZone === 'string' && { timeZone }),
  };
  const { kind } = await store.commitWith(
    {
      saves: [],
      history: [],
      contacts: known.map((contact) => ({ companyId, botId: contact.botId, userId: contact.userId, ...learned })),
      enqueue: [],
      dequeue: [],
    },
    [
      ...changePerson({ companyId, userId, ...(fields !== undefined && { fields }), ...(consent !== undefined && { consent }) }),
      telling(
        asCondition(
          changeOwn({
            companyId,
            id: person.id,
            names: next(names, person.names),
            locale: next(locale, person.locale),
            timeZone: next(timeZone, person.timeZone),
          }),
        ),
        () => tellChange(person, change, clock.now),
      ),
      ...before
        .filter(({ groupName }) => groups?.includes(groupName) === false)
        .map(({ groupName }) => groupMembers.remove({ companyId, groupName, personKey: userId })),
      ...groupMembers.insertMissing((groups ?? []).map((groupName) => ({ companyId, groupName, userId }))),
    ],
  );
  return kind === 'committed';
}

/** What a change of a contact tells of. */
function tellChange({ companyId, userId }: Person, change: PersonChange, now: () => number): readonly ToldEvent[] {
  const { fields, consent } = change;
  const changed = (['names', 'locale', 'timeZone', 'groups'] as const).filter((name) => change[name] !== undefined);
  const news = { companyId, userId, ...(fields !== undefined && { fields }), ...(consent !== undefined && { consent }) };
  return personEvents(news, now, {}, changed);
}

const countGroups = companyQuery({}, { ...pick(groupMembers.columns, 'groupName'), contacts: sum() }, (company) =>
  company
    .selectFrom('contact_groups')
    .select(['group_name', ({ fn }) => fn.countAll<number>().as('contacts')])
    .groupBy('group_name')
    .orderBy('group_name'),
);

/** The groups of a company, and how many contacts each has. */
export async function readGroups(
  { store: { runner } }: PeopleParts,
  companyId: string,
): Promise<{ readonly name: string; readonly contacts: number }[]> {
  const rows = await runner.read(countGroups({ companyId }));
  return rows.map(({ groupName: name, contacts }) => ({ name, contacts }));
}

/** Names the contact of a path by its own id: `unknown` where there is none, or nobody can look now. */
export const nameContactFor =
  (parts: PeopleParts) =>
  async ({ companyId = '', id = '' }: { readonly [name: string]: string }): Promise<string> => {
    try {
      return (await findPerson(parts, companyId, id))?.id ?? (isContactId(id) ? id : 'unknown');
    } catch {
      return 'unknown';
    }
  };
