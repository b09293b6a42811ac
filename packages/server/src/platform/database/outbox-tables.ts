import type { Migration } from '@hilo/stores';

/** The tables of `rows.ts`. The outbox holds only what is not sent yet, so that looking through it costs little. */
export const outboxTables: Migration = ({ integer, neverAgain, byKey }) => [
  `create table outbox (
    id ${neverAgain},
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    idempotency_key text not null,
    attempts ${integer} not null,
    due_at_ms ${integer} not null,
    claimed_by text
  )`,
  'create unique index outbox_by_key on outbox (company_id, idempotency_key)',
  'create index outbox_by_lane on outbox (company_id, bot_id, user_key, id)',
  `create table message_outcomes (
    company_id text not null,
    bot_id text not null,
    message_id text not null,
    code text,
    explanation text,
    updated_at_ms ${integer} not null,
    primary key (company_id, bot_id, message_id)
  ) ${byKey}`,
  `create table send_keys (
    company_id text not null,
    bot_id text not null,
    send_key text not null,
    fingerprint text not null,
    message_id text not null,
    until_ms ${integer} not null,
    primary key (company_id, bot_id, send_key)
  ) ${byKey}`,
  'create index send_keys_by_age on send_keys (until_ms)',
];
