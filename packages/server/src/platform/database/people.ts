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
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import { type Database, statement } from './schema.ts';

/** A person, as the statements over their contacts need them. */
export interface PersonKeys {
  readonly companyId: string;
  readonly personKey: string;
  readonly userId: string;
}

/** A contact that a bot has of a person. */
export type BotContact = Omit<Contact, 'memory' | 'fields' | 'marketing'>;

type Tables = Database extends Kysely<infer All> ? All : never;

/** A window of the table: the people of a company after one of them, in the order of their keys. */
export const peopleAfter = (
  db: Database,
  { companyId, after, rows }: { readonly companyId: string; readonly after: string; readonly rows: number },
): SelectQueryBuilder<Tables, 'people', Selectable<Tables['people']>> =>
  db
    .selectFrom('people')
    .selectAll()
    .where('people.company_id', '=', companyId)
    .where('people.person_key', '>', after)
    .orderBy('people.person_key')
    .limit(rows);

type OfPerson = { readonly companyId: string; readonly personKey: string; readonly keys: string };

/** A contact is found by its bot and its own key, of which a person has few: one for each spelling of the phone number. */
const contactsOfPerson = (db: Database, { companyId, personKey, keys }: OfPerson) =>
  db
    .selectFrom('contacts')
    .where('contacts.company_id', '=', companyId)
    .where('contacts.bot_id', 'in', ({ selectFrom }) => selectFrom('bots').select('bots.bot_id').where('bots.company_id', '=', companyId))
    .where('contacts.user_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(keys)).select(textColumn(0).as('user_key')))
    .where(({ fn, ref, eb }) => eb(fn.coalesce(ref('contacts.person_key'), ref('contacts.user_key')), '=', personKey));

const selectContacts = statement<OfPerson>()((db, given) =>
  contactsOfPerson(db, given).select([
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

const deleteMemories = statement<OfPerson>()((db, given) =>
  db.deleteFrom('memories').where('memories.contact', 'in', contactsOfPerson(db, given).select('contacts.id')),
);

const deleteContacts = statement<OfPerson>()((db, given) =>
  db.deleteFrom('contacts').where('contacts.id', 'in', contactsOfPerson(db, given).select('contacts.id')),
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
