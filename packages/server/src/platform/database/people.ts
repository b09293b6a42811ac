// Statements over people and the contacts that bots have of them.
import {
  encodeKey,
  encodeText,
  type Call,
  encodeList,
  decodeRows,
  textColumn,
  type Runner,
  personKeyOf,
  integer,
  optional,
  type Parametered,
  plain,
  selected,
  text,
} from '@hilo/stores';
import { type Contact, otherSpellings, phoneSpellings } from '@hilo/engine/contract';
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { OfBot } from './lanes.ts';
import { type CompanyDatabase, companyQuery, type Database, query } from './schema.ts';

/** A person, as the statements over their contacts need them. */
export interface PersonKeys {
  readonly companyId: string;
  readonly personKey: string;
  readonly userId: string;
}

/** A contact that a bot has of a person. */
export type BotContact = Omit<Contact, 'memory' | 'fields' | 'marketing'>;

type Tables = Database extends Kysely<infer All> ? All : never;

const unknown = { companyId: text(), botId: text(), people: plain() };

/** Whoever is known to the bot by one of the ids as a number or an id beside their own is a contact under that one. */
const insertUnknown = query(unknown, {}, (db, { companyId, botId, people: listed }) =>
  db
    .insertInto('people')
    .columns(['company_id', 'person_key', 'user_id', 'is_listed'])
    .expression(({ selectFrom, not, exists }) => {
      const aliases = (column: 'phone_key' | 'bsuid_key') =>
        selectFrom('contacts')
          .select('contacts.id')
          .where('contacts.company_id', '=', companyId)
          .where('contacts.bot_id', '=', botId)
          .where(`contacts.${column}`, 'in', spellingColumns.map(textColumn))
          .whereRef(`contacts.${column}`, '<>', 'contacts.user_key');
      return selectFrom(decodeRows(listed))
        .select([
          sql<string>`cast(${companyId} as text)`.as('company_id'),
          textColumn(0).as('person_key'),
          textColumn(1).as('user_id'),
          sql<number>`0`.as('is_listed'),
        ])
        .where(not(exists(aliases('phone_key'))))
        .where(not(exists(aliases('bsuid_key'))));
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'person_key']).doNothing()),
);

/** The places of the spellings of an id in a list: a phone number has three at most. */
const spellingColumns = [2, 3, 4];

/**
 * The writes by which people are known from now on of whom something is kept, although they never wrote: a message to them, or their place in
 * a campaign. Without it nobody would find them to export or erase it.
 */
export function meetPeople({ companyId, botId }: OfBot, userIds: readonly string[]): readonly Call[] {
  if (userIds.length === 0) return [];
  const rows = userIds.map((userId) => {
    const keys = [userId, ...otherSpellings(userId)].map(encodeKey);
    return [personKeyOf(userId), encodeText(userId), ...spellingColumns.map((_column, place) => keys[place] ?? keys[0] ?? '')];
  });
  return [insertUnknown({ companyId, botId, people: encodeList(rows) })];
}

/** Joins the contact whom a row with a bot and a user's key names. */
export const isContactOf = (row: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref('contacts.company_id')} = ${sql.ref(`${row}.company_id`)} and ${sql.ref('contacts.bot_id')} = ${sql.ref(`${row}.bot_id`)}
    and ${sql.ref('contacts.user_key')} = ${sql.ref(`${row}.user_key`)}`;

/** Joins the person, beside that contact: one whom no bot knows has the key of the user. */
export const isPersonOf = (row: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref('people.company_id')} = ${sql.ref(`${row}.company_id`)}
    and ${sql.ref('people.person_key')} = coalesce(${sql.ref('contacts.person_key')}, ${sql.ref(`${row}.user_key`)})`;

/** A window of the table: the people of a company after one of them, in the order of their keys. */
export const peopleAfter = (
  company: CompanyDatabase,
  { after, rows }: { readonly after: string; readonly rows: number },
): SelectQueryBuilder<Tables, 'people', Selectable<Tables['people']>> =>
  company.selectFrom('people').selectAll().where('people.person_key', '>', after).orderBy('people.person_key').limit(rows);

const ofPerson = { personKey: plain(), keys: plain() };
type OfPerson = Parametered<typeof ofPerson>;

/** A contact is found by its bot and its own key, of which a person has few: one for each spelling of the phone number. */
const contactsOfPerson = (company: CompanyDatabase, { personKey, keys }: OfPerson) =>
  company
    .selectFrom('contacts')
    .where('contacts.bot_id', 'in', company.selectFrom('bots').select('bots.bot_id'))
    .where('contacts.user_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(keys)).select(textColumn(0).as('user_key')))
    .where(({ fn, ref, eb }) => eb(fn.coalesce(ref('contacts.person_key'), ref('contacts.user_key')), '=', personKey));

const contactColumns = {
  botId: text(),
  userId: text(),
  names: optional(text()),
  phone: optional(text()),
  bsuid: optional(text()),
  timeZone: optional(plain()),
  locale: optional(plain()),
  windowUntilMs: optional(integer()),
};

const selectContacts = companyQuery(ofPerson, contactColumns, (company, given) =>
  contactsOfPerson(company, given).select(selected('contacts', contactColumns)),
);

const deleteMemories = companyQuery(ofPerson, {}, (company, given, db) =>
  db.deleteFrom('memories').where('memories.contact', 'in', contactsOfPerson(company, given).select('contacts.id')),
);

const deleteContacts = companyQuery(ofPerson, {}, (company, given) =>
  company.deleteFrom('contacts').where('contacts.id', 'in', contactsOfPerson(company, given).select('contacts.id')),
);

const bindPerson = ({ companyId, personKey, userId }: PersonKeys): OfPerson & { readonly companyId: string } => {
  const keys = new Set([personKey, ...phoneSpellings(userId).map(encodeKey)]);
  return { companyId, personKey, keys: encodeList([...keys].map((key) => [key])) };
};

/** The contacts that bots have of people, one list for each. */
export async function readContactsOf(
  runner: Pick<Runner, 'readEach'>,
  people: readonly PersonKeys[],
): Promise<readonly (readonly BotContact[])[]> {
  const found = await runner.readEach(people.map((person) => selectContacts(bindPerson(person))));
  return found.map((contacts) =>
    contacts.map(({ names = null, phone = null, bsuid = null, timeZone = null, locale = null, windowUntilMs = null, ...ids }) => ({
      ...ids,
      names,
      phone,
      bsuid,
      timeZone,
      locale,
      windowUntilMs,
    })),
  );
}

/** Removes what bots know of a person. */
export const removeContactsOf = (person: PersonKeys): readonly Call[] => [
  deleteMemories(bindPerson(person)),
  deleteContacts(bindPerson(person)),
];

/** A person's key by one of their own ids. */
export const nameKeys = (companyId: string, userId: string): PersonKeys => ({ companyId, userId, personKey: personKeyOf(userId) });
