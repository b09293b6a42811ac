import { refuseMembers } from './refuse-members.ts';
import type { DdlDialect } from './ddl-dialect.ts';

/**
 * One row a person and company, whichever bots know them: fields, consent, and the id that stays when numbers change. Rows are of a company
 * and of no lane. Triggers add the row with the first contact and give it its id, so that a message to a known user writes nothing more.
 * A contact that an earlier release wrote has no person's key: its own is taken.
 */
export const people = ({ isShared, whereShared, integer, byKey, afterEach }: DdlDialect): readonly string[] => [
  ...whereShared(refuseMembers),
  `create table people (
    company_id text not null,
    person_key text not null,
    user_id text not null,
    names text,
    phone text,
    bsuid text,
    time_zone text,
    locale text,
    id text,
    fields text,
    marketing text,
    consent_at_ms ${integer},
    consent_source text,
    consent_evidence text,
    first_seen_at_ms ${integer},
    is_listed ${integer} not null default 0,
    primary key (company_id, person_key)
  ) ${byKey}`,
  'create index people_by_id on people (company_id, id)',
  'alter table contacts add column person_key text',
  ...afterEach(
    'insert',
    'people',
    `update people set id = 'con_' || ${isShared ? sharedId : ownId} where company_id = new.company_id and person_key = new.person_key`,
    'new.id is null',
  ),
  // What a store has already: those who share a key are one person.
  `insert into people (company_id, person_key, user_id, first_seen_at_ms)
    select company_id, user_key, min(user_id), ${writtenAt('min(window_until_ms)')} from contacts group by company_id, user_key`,
  ...afterEach(
    'insert',
    'contacts',
    `insert into people (company_id, person_key, user_id, first_seen_at_ms)
      values (new.company_id, coalesce(new.person_key, new.user_key), new.user_id, ${writtenAt('new.window_until_ms')})
      on conflict (company_id, person_key) do nothing`,
  ),
  // The next message of such a contact brings the key: what is known of the person follows.
  ...afterEach(
    'update',
    'contacts',
    `update people set person_key = new.person_key where company_id = new.company_id and person_key = new.user_key
      and not exists (select 1 from people as other where other.company_id = new.company_id and other.person_key = new.person_key)`,
    'old.person_key is null and new.person_key <> new.user_key',
  ),
];

/** How long after a message its window is open: the message that makes a contact was written so long before. */
const windowMs = 86_400_000;

/** When the message that opened a window was written; null where there was none. */
const writtenAt = (until: string): string => `case when ${until} > ${windowMs} then ${until} - ${windowMs} end`;

/** The time in hexadecimal, so that new rows of the index follow each other, and random digits, so that no id can be guessed. */
const ownId = "printf('%011x', cast(unixepoch('subsec') * 1000 as integer)) || lower(hex(randomblob(6)))";
const sharedId =
  "lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 11, '0') || substr(md5(random()::text || clock_timestamp()::text), 1, 12)";
