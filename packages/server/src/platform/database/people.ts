// Statements over people and the contacts that bots have of them.
import {
  encodeKey,
  encodeText,
  decodeText,
  type Call,
  call,
  encodeList,
  decodeRows,
  textColumn,
  type Runner,
  personKeyOf,
} from '@hilo/stores';
import { type Contact, phoneSpellings } from '@hilo/engine/contract';
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { type CompanyDatabase, type Database, ofCompany } from './schema.ts';

/** A person, as the statements over their contacts need them. */
export interface PersonKeys {
  readonly companyId: string;
  readonly personKey: string;
  readonly userId: string;
}

/** A contact that a bot has of a person. */
export type BotContact = Omit<Contact, 'memory' | 'fields' | 'marketing'>;

type Tables = Database extends Kysely<infer All> ? All : never;

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

type OfPerson = { readonly companyId: string; readonly personKey: string; readonly keys: string };

/** A contact is found by its bot and its own key, of which a person has few: one for each spelling of the phone number. */
const contactsOfPerson = (company: CompanyDatabase, { personKey, keys }: OfPerson) =>
  company
    .selectFrom('contacts')
    .where('contacts.bot_id', 'in', company.selectFrom('bots').select('bots.bot_id'))
    .where('contacts.user_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(keys)).select(textColumn(0).as('user_key')))
    .where(({ fn, ref, eb }) => eb(fn.coalesce(ref('contacts.person_key'), ref('contacts.user_key')), '=', personKey));

const selectContacts = ofCompany<OfPerson>()((company, given) =>
  contactsOfPerson(company, given).select([
    'contacts.bot_id',
    'contacts.user_id',
    'contacts.names',
    'contacts.phone',
    'contacts.bsuid',
    'contacts.time_zone',
    'contacts.locale',
    'contacts.window_until_ms',
  ]),
);

const deleteMemories = ofCompany<OfPerson>()((company, given, db) =>
  db.deleteFrom('memories').where('memories.contact', 'in', contactsOfPerson(company, given).select('contacts.id')),
);

const deleteContacts = ofCompany<OfPerson>()((company, given) =>
  company.deleteFrom('contacts').where('contacts.id', 'in', contactsOfPerson(company, given).select('contacts.id')),
);

const bindPerson = ({ companyId, personKey, userId }: PersonKeys): OfPerson => {
  const keys = new Set([personKey, ...phoneSpellings(userId).map(encodeKey)]);
  return { companyId: encodeText(companyId), personKey, keys: encodeList([...keys].map((key) => [key])) };
};

/** The contacts that bots have of people, one list for each. */
export async function readContactsOf(
  runner: Pick<Runner, 'readEach'>,
  people: readonly PersonKeys[],
): Promise<readonly (readonly BotContact[])[]> {
  const found = await runner.readEach(people.map((person) => call(selectContacts, bindPerson(person))));
  const decode = (text: string | null): string | null => (text === null ? null : decodeText(text));
  return found.map((rows) =>
    rows.map((row) => ({
      botId: decodeText(row.bot_id),
      userId: decodeText(row.user_id),
      names: decode(row.names),
      phone: decode(row.phone),
      bsuid: decode(row.bsuid),
      timeZone: row.time_zone,
      locale: row.locale,
      windowUntilMs: row.window_until_ms,
    })),
  );
}

/** Removes what bots know of a person. */
export const removeContactsOf = (person: PersonKeys): readonly Call[] => [
  call(deleteMemories, bindPerson(person)),
  call(deleteContacts, bindPerson(person)),
];

/** A person's key by one of their own ids. */
export const nameKeys = (companyId: string, userId: string): PersonKeys => ({ companyId, userId, personKey: personKeyOf(userId) });
