import type { Migration } from '@hilo/stores';

/**
 * The tables of `rows.ts`. What a list or a statistic is filtered by leads an index of its own, with the order of the list
 * behind it: conversations are read in pages out of millions (CON-05, CON-19, STA-01).
 */
export const firstTables: Migration = ({ integer, growing, byKey, bytewise }) => [
  `create table service_revision (id ${integer} not null primary key, number ${integer} not null) ${byKey}`,
  'insert into service_revision (id, number) values (1, 0)',

  `create table companies (
    company_id text not null primary key,
    name text not null,
    kind text not null,
    plan text not null,
    settings text not null
  ) ${byKey}`,
  `create table clients (client_id text not null primary key, company_id text not null, secret_hash text not null) ${byKey}`,
  `create table api_keys (
    company_id text not null,
    id text not null,
    name text,
    prefix text not null,
    hash text not null,
    created_at_ms ${integer},
    last_used_at_ms ${integer},
    revoked_at_ms ${integer},
    primary key (company_id, id)
  ) ${byKey}`,
  'create unique index api_keys_by_hash on api_keys (hash)',
  `create table bots (
    bot_id text not null primary key,
    company_id text not null,
    name text not null,
    channel text not null,
    connected_at_ms ${integer} not null,
    provider_kind text not null,
    provider text not null,
    settings text not null
  ) ${byKey}`,
  `create table secrets (
    company_id text not null,
    secret_id text not null,
    sealed text not null,
    primary key (company_id, secret_id)
  ) ${byKey}`,
  `create table users (
    company_id text not null,
    user_key text not null,
    user_id text not null,
    names text,
    phone text,
    bsuid text,
    primary key (company_id, user_key)
  ) ${byKey}`,

  `create table templates (
    company_id text not null,
    id text not null,
    bot_id text not null,
    element_name text not null,
    language text not null,
    category text not null,
    status text not null,
    body text,
    components text,
    primary key (company_id, id)
  ) ${byKey}`,
  `create table campaigns (
    company_id text not null,
    id text not null,
    name text not null,
    element_name text not null,
    template_id text not null,
    bot_id text not null,
    status text not null,
    scheduled_at_ms ${integer},
    created_at_ms ${integer} not null,
    completed_at_ms ${integer},
    total_messages ${integer} not null,
    delivered_messages ${integer} not null,
    failed_messages ${integer} not null,
    primary key (company_id, id)
  )`,
  ...bytewise('campaigns', 'id'),
  'create index campaigns_by_age on campaigns (company_id, created_at_ms desc, id)',
  'create index campaigns_by_status on campaigns (company_id, status, created_at_ms desc, id)',
  `create index campaigns_due on campaigns (scheduled_at_ms) where status = 'SCHEDULED'`,
  `create table campaign_recipients (
    company_id text not null,
    campaign_id text not null,
    user_key text not null,
    user_id text not null,
    position ${integer} not null,
    parameters text not null,
    status text not null,
    message_id text,
    primary key (company_id, campaign_id, user_key)
  )`,
  'create index campaign_recipients_by_status on campaign_recipients (company_id, campaign_id, status, position)',

  `create table teams (company_id text not null, id ${integer} not null, name text not null, primary key (company_id, id)) ${byKey}`,
  `create table operators (
    company_id text not null,
    id ${integer} not null,
    names text not null,
    email text not null,
    team_ids text not null,
    primary key (company_id, id)
  ) ${byKey}`,
  `create table tags (
    company_id text not null,
    id ${integer} not null,
    name text not null,
    color text not null,
    text_color text not null,
    language text not null,
    teams text not null,
    channels text not null,
    primary key (company_id, id)
  ) ${byKey}`,
  `create table rooms (
    company_id text not null,
    id text not null,
    bot_id text not null,
    user_key text not null,
    user_id text not null,
    primary key (company_id, id)
  )`,
  'create index rooms_by_user on rooms (company_id, bot_id, user_key)',
  `create table room_tags (
    company_id text not null,
    room_id text not null,
    tag_id ${integer} not null,
    primary key (company_id, room_id, tag_id)
  ) ${byKey}`,
  `create table conversations (
    company_id text not null,
    id text not null,
    room_id text,
    bot_id text not null,
    user_key text not null,
    user_id text not null,
    operator_id ${integer},
    team_name text,
    state text not null,
    was_replied ${integer} not null,
    ended_reason text,
    origin text not null,
    start_at_ms ${integer} not null,
    end_at_ms ${integer},
    first_replied_at_ms ${integer},
    response_count ${integer} not null,
    response_total_ms ${integer} not null,
    response_times_ms text,
    child_conversation text,
    parent_conversation text,
    last_message_by text,
    primary key (company_id, id)
  )`,
  ...bytewise('conversations', 'id'),
  'create index conversations_by_age on conversations (company_id, start_at_ms desc, id)',
  'create index conversations_by_bot on conversations (company_id, bot_id, start_at_ms desc, id)',
  'create index conversations_by_user on conversations (company_id, user_key, start_at_ms desc, id)',
  'create index conversations_by_operator on conversations (company_id, operator_id, start_at_ms desc, id)',
  'create index conversations_by_state on conversations (company_id, state, start_at_ms desc, id)',
  'create index conversations_by_room on conversations (company_id, room_id, start_at_ms desc)',

  `create table functions (
    function_id text not null primary key,
    company_id text not null,
    name text not null,
    source text not null,
    tools text not null
  ) ${byKey}`,
  `create table runtime_tokens (
    company_id text not null,
    function_id text not null,
    id text not null,
    name text not null,
    prefix text not null,
    hash text not null,
    created_at_ms ${integer},
    last_used_at_ms ${integer},
    revoked_at_ms ${integer},
    primary key (company_id, function_id, id)
  ) ${byKey}`,
  'create unique index runtime_tokens_by_hash on runtime_tokens (hash)',
  `create table credentials (
    company_id text not null,
    id text not null,
    kind text not null,
    fields text not null,
    primary key (company_id, id)
  ) ${byKey}`,
  `create table imported_workflows (
    company_id text not null,
    workflow_id text not null,
    fingerprint text not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`,

  `create table messages (
    id ${growing},
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    user_id text not null,
    message_id text not null,
    direction text not null,
    message text not null,
    idempotency_key text,
    status text not null,
    created_at_ms ${integer} not null,
    execution_id text,
    node_id text
  )`,
  'create unique index messages_by_key on messages (company_id, idempotency_key) where idempotency_key is not null',
  'create index messages_by_bot on messages (company_id, bot_id, id)',
  'create index messages_by_user on messages (company_id, bot_id, user_key, id)',
  'create index messages_by_name on messages (company_id, bot_id, message_id)',
];
