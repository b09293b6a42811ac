// The person whom an erasure or an export is about: every id of theirs, and the lanes and bots where there may be something of theirs.
import { phoneSpellings } from '@hilo/engine/contract';
import { type DurableStore, encodeKey, personKeyOf, type RunnerCore, type TableFacts, plain, text } from '@hilo/stores';
import { readContactsOf } from '../../platform/database/people.ts';
import { companyQuery } from '../../platform/database/schema.ts';
import type { Person } from '../people.ts';
import { describeTable, type PersonalTable } from './personal-tables.ts';

/** A person with all of their ids. */
export interface Subject {
  readonly companyId: string;
  readonly contactId: string;
  readonly personKey: string;
  /** The id by which they were known first. */
  readonly userId: string;
  /** Every id under which something of theirs may be kept. */
  readonly userIds: readonly string[];
  /** The same as columns have them that are looked up by. */
  readonly userKeys: readonly string[];
  readonly botIds: readonly string[];
  /** The contacts that bots have of them. */
  readonly contacts: readonly { readonly botId: string; readonly userId: string }[];
  /** In these, what bots and they say to each other is handled in order. */
  readonly lanes: readonly string[];
  /** By these, texts are searched that have no column for a person. */
  readonly names: readonly RegExp[];
  readonly searched: readonly string[];
  /** Tables of the host's resources with rows of persons. */
  readonly hostTables: readonly PersonalTable[];
}

/** The resources of a host, as far as their tables have rows of persons. */
export interface HostTables {
  readonly resources?: readonly { readonly tables: readonly TableFacts[] }[];
}

const next = [{ after: text() }, { botId: text() }] as const;
const nextBotOfMessages = companyQuery(...next, (company, { after }) =>
  company.selectFrom('messages').select('bot_id').where('bot_id', '>', after).orderBy('bot_id').limit(1),
);
const nextBotOfContacts = companyQuery(...next, (company, { after }) =>
  company.selectFrom('contacts').select('bot_id').where('bot_id', '>', after).orderBy('bot_id').limit(1),
);
const allBots = companyQuery({}, { botId: text() }, (company) => company.selectFrom('bots').select('bot_id'));

/** The bots of a company, also those that were removed and have left something. */
async function findBots(runner: Pick<DurableStore['runner'], 'read'>, companyId: string): Promise<readonly string[]> {
  const found = new Set((await runner.read(allBots({ companyId }))).map(({ botId }) => botId));
  for (const nextBot of [nextBotOfMessages, nextBotOfContacts])
    for (let after = ''; ; ) {
      const [row] = await runner.read(nextBot({ companyId, after }));
      if (row === undefined) break;
      found.add((after = row.botId));
    }
  return [...found];
}

const otherPerson = companyQuery({ personKey: plain() }, {}, (company, { personKey }) =>
  company.selectFrom('people').select('person_key').where('person_key', '=', personKey),
);

/** Ids that are shorter are in many texts by chance. */
const shortestSearched = 5;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Finds all ids of a person. A number or another id beside their own is taken only where no other contact has it as its own: that one is
 * erased by itself.
 */
export async function findSubject(
  { store: { runner }, resources = [] }: { readonly store: { readonly runner: DurableStore['runner'] & RunnerCore } } & HostTables,
  { companyId, id, personKey, userId, phone, bsuid }: Pick<Person, 'companyId' | 'id' | 'personKey' | 'userId' | 'phone' | 'bsuid'>,
): Promise<Subject> {
  const [contacts = []] = await readContactsOf(runner, [{ companyId, personKey, userId }]);
  const own = [userId, ...contacts.map((contact) => contact.userId)].flatMap((each) => [each, ...phoneSpellings(each)]);
  const beside = [phone, bsuid, ...contacts.flatMap((contact) => [contact.phone, contact.bsuid])]
    .filter((each) => typeof each === 'string')
    .flatMap((each) => [each, ...phoneSpellings(each)]);
  const known = new Set(own);
  for (const each of new Set(beside)) {
    const key = personKeyOf(each);
    const isOthers = key !== personKey && (await runner.readOne(otherPerson({ companyId, personKey: key }))) !== undefined;
    if (!isOthers) known.add(each);
  }
  const userIds = [...known];
  const botIds = await findBots(runner, companyId);
  const searched = userIds.filter((each) => each.length >= shortestSearched);
  return {
    companyId,
    contactId: id ?? '',
    personKey,
    userId,
    userIds,
    userKeys: [...new Set(userIds.map(encodeKey))],
    botIds,
    contacts: contacts.map((contact) => ({ botId: contact.botId, userId: contact.userId })),
    lanes: botIds.flatMap((botId) => userIds.map((each) => `${companyId}/user/${botId}/${each}`)),
    searched,
    hostTables: resources.flatMap(({ tables }) => tables.flatMap((table) => describeTable(table) ?? [])),
    names: searched.map((each) => new RegExp(`(?<![\\p{L}\\p{N}])${escape(JSON.stringify(each).slice(1, -1))}(?![\\p{L}\\p{N}])`, 'u')),
  };
}

/** Whether a text names the person. */
export const isNamedIn = ({ names }: Pick<Subject, 'names'>, text: string | null): boolean =>
  text !== null && names.some((name) => name.test(text));

/** A text in which another word stands wherever the person was named. */
export const withoutNames = ({ names }: Pick<Subject, 'names'>, text: string, word: string): string =>
  names.reduce((left, name) => left.replaceAll(new RegExp(name, 'gu'), word), text);
