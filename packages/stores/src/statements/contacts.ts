import { type OnConflictBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import { learnedColumns, type Tables } from '../schema/row-types.ts';
import type { Database } from './database.ts';
import { hasPartitions, isInPart, isSamePart, partColumn, partOf, userText } from './partition.ts';
import { decodeRows, integerColumn, textColumn } from './row-list.ts';
import { type Statement, statement, valuesOf } from './statement.ts';

/** A change of a contact; null keeps the value. */
export type ContactValues = { readonly [Name in (typeof learnedColumns)[number]]: Selectable<Tables['contacts']>[Name] };

/** Merges a change into a contact in one statement, so that concurrent changes are all applied. */
export const learnContact = statement<ContactValues>()((db, given) =>
  db
    .insertInto('contacts')
    .values({ ...partOf(db, userText(given.company_id, given.bot_id, given.user_key)), ...valuesOf(given, learnedColumns) })
    .onConflict(addToContact(db)),
);

/** The same for many users at once, each listed once. */
export const learnContacts = statement<{ readonly contacts: string }>()((db, { contacts }) =>
  db
    .insertInto('contacts')
    .columns([...partColumn(db), ...learnedColumns])
    .expression(
      ({ selectFrom }) =>
        selectFrom(decodeRows(contacts))
          .select([
            ...Object.values(partOf(db, userText(textColumn(0), textColumn(1), textColumn(2)))).map((part) => part.as('part')),
            ...learnedColumns.slice(0, -1).map((name, place) => textColumn(place).as(name)),
            integerColumn(learnedColumns.length - 1).as('window_until_ms'),
          ])
          .where(sql<boolean>`true`), // without it, SQLite parses the ON CONFLICT as a join condition
    )
    .onConflict(addToContact(db)),
);

const addToContact = (db: Database) => (conflict: OnConflictBuilder<Tables, 'contacts'>) =>
  conflict.columns([...partColumn(db), 'company_id', 'bot_id', 'user_key']).doUpdateSet({
    names: sql`coalesce(excluded.names, contacts.names)`,
    phone: sql`coalesce(excluded.phone, contacts.phone)`,
    phone_key: sql`coalesce(excluded.phone_key, contacts.phone_key)`,
    bsuid: sql`coalesce(excluded.bsuid, contacts.bsuid)`,
    bsuid_key: sql`coalesce(excluded.bsuid_key, contacts.bsuid_key)`,
    time_zone: sql`coalesce(excluded.time_zone, contacts.time_zone)`,
    locale: sql`coalesce(excluded.locale, contacts.locale)`,
    person_key: sql`coalesce(contacts.person_key, excluded.person_key)`,
    // Only ever forward.
    window_until_ms: sql`case when contacts.window_until_ms > excluded.window_until_ms then contacts.window_until_ms
      else coalesce(excluded.window_until_ms, contacts.window_until_ms) end`,
  });

/** Where a name is remembered of a user. */
export type MemoryPlace = { readonly company_id: string; readonly bot_id: string; readonly user_key: string; readonly name_key: string };

const selectContact = (db: Database, given: MemoryPlace) =>
  db
    .selectFrom('contacts')
    .where(isInPart(db, userText(given.company_id, given.bot_id, given.user_key)))
    .where('company_id', '=', given.company_id)
    .where('bot_id', '=', given.bot_id)
    .where('user_key', '=', given.user_key);

export const remember = statement<MemoryPlace & { readonly name: string; readonly value: string; readonly expires_at_ms: number | null }>()(
  (db, given) =>
    db
      .insertInto('memories')
      .columns([...partColumn(db), 'contact', 'name_key', 'name', 'value', 'expires_at_ms'])
      .expression(
        selectContact(db, given).select([
          ...partColumn(db),
          'contacts.id',
          sql<string>`cast(${given.name_key} as text)`.as('name_key'),
          sql<string>`cast(${given.name} as text)`.as('name'),
          sql<string>`cast(${given.value} as text)`.as('value'),
          sql<number>`cast(${given.expires_at_ms} as bigint)`.as('expires_at_ms'),
        ]),
      )
      .onConflict((conflict) =>
        conflict.columns([...partColumn(db), 'contact', 'name_key']).doUpdateSet(({ ref }) => ({
          value: ref('excluded.value'),
          expires_at_ms: ref('excluded.expires_at_ms'),
        })),
      ),
);

export const forget = statement<MemoryPlace>()((db, given) =>
  db
    .deleteFrom('memories')
    .where(isInPart(db, userText(given.company_id, given.bot_id, given.user_key)))
    .where('contact', '=', selectContact(db, given).select('contacts.id'))
    .where('name_key', '=', given.name_key),
);

/** What a contact is looked up by. */
export type NamedContact = { readonly companyId: string; readonly botId: string; readonly key: string };

const contactColumns = [
  ...(['contacts.bot_id', 'contacts.user_id', 'contacts.names', 'contacts.phone', 'contacts.bsuid', 'contacts.time_zone'] as const),
  ...(['contacts.locale', 'contacts.window_until_ms', 'people.fields', 'people.marketing'] as const),
  ...(['memories.name', 'memories.value', 'memories.expires_at_ms'] as const),
];

type Contacts = Selectable<Tables['contacts']>;
type Memory = Pick<Tables['memories'], 'name' | 'value' | 'expires_at_ms'>;

/** A contact with one of the names that are remembered of it, if there are any. */
export type ContactRow = Pick<Contacts, ContactColumn> & {
  readonly [Name in keyof Memory]: Memory[Name] | null;
} & Pick<Selectable<Tables['people']>, 'fields' | 'marketing'>;
type ContactColumn = (typeof contactColumns)[number] extends infer Name
  ? Name extends `contacts.${infer Column}`
    ? Column & keyof Contacts
    : never
  : never;

/** The key of a contact's person. */
const personOfContact = sql<string>`coalesce(contacts.person_key, contacts.user_key)`;

/** A contact: one row for each name that is remembered of it, or one. */
const contacts = (db: Database) =>
  db
    .selectFrom('contacts')
    .leftJoin('memories', (join) => join.onRef('memories.contact', '=', 'contacts.id').on(isSamePart(db, 'memories', 'contacts')))
    .leftJoin('people', (join) => join.onRef('people.company_id', '=', 'contacts.company_id').on('people.person_key', '=', personOfContact))
    .select(contactColumns);

/** The contact with this own id. */
export const contactOfUser: Statement<NamedContact, ContactRow> = statement<NamedContact>()((db, { companyId, botId, key }) =>
  contacts(db)
    .where(isInPart(db, userText(companyId, botId, key), 'contacts.part'))
    .where('contacts.company_id', '=', companyId)
    .where('contacts.bot_id', '=', botId)
    .where('contacts.user_key', '=', key),
);

/** The first of the contacts that have this value: as another one than the user's own id, by which those are found already. */
const firstAlias = (db: Database, column: 'phone_key' | 'bsuid_key', given: NamedContact) =>
  firstWith(db, column, given).whereRef(column, '<>', 'user_key');

const firstWith = (db: Database, column: 'user_key' | 'phone_key' | 'bsuid_key', { companyId, botId, key }: NamedContact) =>
  db
    .selectFrom('contacts')
    .select('id')
    .where('company_id', '=', companyId)
    .where('bot_id', '=', botId)
    .where(column, '=', key)
    .orderBy('id')
    .limit(1);

function idOfAlias(db: Database, given: NamedContact) {
  const [phone, bsuid] = [firstAlias(db, 'phone_key', given).as('by_phone'), firstAlias(db, 'bsuid_key', given).as('by_bsuid')];
  const aliases = db.selectFrom(phone).select('id').unionAll(db.selectFrom(bsuid).select('id')).as('aliases');
  return db.selectFrom(aliases).select(({ fn }) => fn.min('id').as('id'));
}

/** The contact with this phone number or business-scoped id, which is not its own id: of several the one that was known first (UID-06: they are never merged). */
export const contactOfAlias: Statement<NamedContact, ContactRow> = statement<NamedContact>()((db, given) =>
  contacts(db).where('contacts.id', '=', idOfAlias(db, given)),
);

/**
 * The result of `contactOfUser`, else of `contactOfAlias`: in one statement, for a remote database. The id is found first (a limit tells
 * PostgreSQL so), so that not all contacts are searched.
 */
export const contactNamed: Statement<NamedContact, ContactRow> = statement<NamedContact>()((db, given) =>
  db
    .selectFrom(
      db
        .selectNoFrom(({ fn }) => fn.coalesce(firstWith(db, 'user_key', given), idOfAlias(db, given)).as('id'))
        .limit(1)
        .as('named'),
    )
    .innerJoin('contacts', 'contacts.id', 'named.id')
    .leftJoin('memories', (join) => join.onRef('memories.contact', '=', 'contacts.id').on(isSamePart(db, 'memories', 'contacts')))
    .leftJoin('people', (join) => join.onRef('people.company_id', '=', 'contacts.company_id').on('people.person_key', '=', personOfContact))
    .select(contactColumns),
);

/** What is said of a person for every bot. */
export const selectPerson = statement<{ readonly companyId: string; readonly personKey: string }>()((db, { companyId, personKey }) =>
  db.selectFrom('people').select(['fields', 'marketing']).where('company_id', '=', companyId).where('person_key', '=', personKey),
);

/** A person, and a change of their fields: a JSON object, in which null removes one. */
type FieldValues = { readonly company_id: string; readonly person_key: string; readonly user_id: string; readonly fields: string };

/** Merges fields in one statement, so that concurrent changes of different ones are all applied. */
export const changeFields = statement<FieldValues>()((db, given) =>
  db
    .insertInto('people')
    .values({ ...valuesOf(given, ['company_id', 'person_key', 'user_id']), fields: mergeFields(db, sql`'{}'`, given.fields) })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'person_key'])
        .doUpdateSet({ fields: mergeFields(db, sql`coalesce(people.fields, '{}')`, given.fields) }),
    ),
);

/** The same for many people at once, each listed once, and without a null: of company, key, id and fields. */
export const fillFields = statement<{ readonly people: string }>()((db, { people }) =>
  db
    .insertInto('people')
    .columns(['company_id', 'person_key', 'user_id', 'fields'])
    .expression(({ selectFrom }) =>
      selectFrom(decodeRows(people))
        .select([
          ...(['company_id', 'person_key', 'user_id'] as const).map((name, place) => textColumn(place).as(name)),
          mergeFields(db, sql`'{}'`, textColumn(3)).as('fields'),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'person_key'])
        .doUpdateSet({ fields: mergeFields(db, sql`coalesce(people.fields, '{}')`, sql`excluded.fields`) }),
    ),
);

const mergeFields = (db: Database, before: RawBuilder<string>, change: string | RawBuilder<string>): RawBuilder<string> =>
  hasPartitions(db)
    ? sql`jsonb_strip_nulls(cast(${before} as jsonb) || cast(${change} as jsonb))::text`
    : sql`json_patch(${before}, ${change})`;

/** A person, and what they have said to marketing messages. */
type ConsentValues = Pick<Selectable<Tables['people']>, (typeof consentColumns)[number]>;
const consentColumns = [
  ...(['company_id', 'person_key', 'user_id', 'marketing', 'consent_at_ms', 'consent_source', 'consent_evidence'] as const),
];

export const changeConsent = statement<ConsentValues>()((db, given) =>
  db
    .insertInto('people')
    .values(valuesOf(given, consentColumns))
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'person_key']).doUpdateSet(({ ref }) => ({
        marketing: ref('excluded.marketing'),
        consent_at_ms: ref('excluded.consent_at_ms'),
        consent_source: ref('excluded.consent_source'),
        consent_evidence: ref('excluded.consent_evidence'),
      })),
    ),
);
