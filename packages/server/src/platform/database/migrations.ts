import type { Extension, Migration } from '@hilo/stores';
import { firstTables } from './first-tables.ts';

/** Who sends a campaign now, an index of those that are to be sent, and a number by which two writers of a room's tags notice each other. */
const campaignClaims: Migration = ({ integer }) => [
  'alter table campaigns add column claimed_by text',
  `alter table campaigns add column claimed_until_ms ${integer}`,
  `create index campaigns_open on campaigns (created_at_ms, id) where status in ('PENDING', 'IN_PROGRESS')`,
  `alter table rooms add column tags_revision ${integer} not null default 0`,
];

/** Sessions of operators that were ended before their time: no process takes their cookies any more. */
const endedSessions: Migration = ({ integer, byKey }) => [
  `create table ended_sessions (session_id text not null primary key, until_ms ${integer} not null) ${byKey}`,
];

/**
 * What a conversation needs to live; the texts of operators that are still gathered; and how many conversations began on
 * each day, so that a list of millions says its total without counting (CON-08, STA-01). The counts are kept by the
 * database itself, whoever writes a conversation.
 */
export const conversationTables: Migration = ({ integer, growing, byKey, afterEach }) => [
  `alter table conversations add column waiting_since_ms ${integer}`,
  `alter table conversations add column idle_ms ${integer}`,
  `alter table conversations add column due_at_ms ${integer}`,
  'alter table conversations add column wait_key text',
  'alter table conversations add column execution_id text',
  `alter table conversations add column tell_at_ms ${integer}`,
  'alter table conversations add column active_key text',
  'create unique index conversations_active_key on conversations (active_key)',
  `create index conversations_active on conversations (company_id, bot_id, user_key) where state = 'active'`,
  `create index conversations_attended on conversations (company_id, operator_id) where state = 'active'`,
  'create index conversations_due on conversations (due_at_ms) where due_at_ms is not null',
  'create index conversations_untold on conversations (tell_at_ms) where tell_at_ms is not null',
  `create index conversations_figures on conversations (company_id, operator_id, start_at_ms, state, was_replied,
    last_message_by, first_replied_at_ms, end_at_ms, response_count, response_total_ms)`,

  `create table operator_groups (
    company_id text not null,
    conversation_id text not null,
    due_at_ms ${integer} not null,
    is_leaving ${integer} not null,
    parts_sent ${integer} not null,
    primary key (company_id, conversation_id)
  ) ${byKey}`,
  'create index operator_groups_due on operator_groups (due_at_ms)',
  `create table operator_texts (
    id ${growing},
    company_id text not null,
    conversation_id text not null,
    text text not null
  )`,
  'create index operator_texts_by_conversation on operator_texts (company_id, conversation_id, id)',

  `create table conversation_days (
    company_id text not null,
    bot_id text not null,
    operator_id ${integer} not null,
    state text not null,
    day ${integer} not null,
    number ${integer} not null,
    primary key (company_id, bot_id, operator_id, state, day)
  ) ${byKey}`,
  added(`select counted.*, 1 as number from (${places('each', 'conversations as each cross join ')}) as counted`),
  ...afterEach('insert', 'conversations', added(`select counted.*, 1 as number from (${places('new')}) as counted`)),
  ...afterEach('delete', 'conversations', added(`select counted.*, -1 as number from (${places('old')}) as counted`)),
  ...afterEach(
    'update',
    'conversations',
    added(`select counted.*, 1 as number from (${places('new')}) as counted
      union all select counted.*, -1 as number from (${places('old')}) as counted`),
    moved(),
  ),
];

const dayMs = 86_400_000;

/** Where a conversation is counted: under its bot, its operator and its state, and under any of each. */
function places(row: string, from = ''): string {
  const bits = (name: string) => `(select 0 as is_any union all select 1) as ${name}`;
  return `select ${row}.company_id as company_id,
    case when bots.is_any = 1 then '' else ${row}.bot_id end as bot_id,
    case when operators.is_any = 1 then 0 else coalesce(${row}.operator_id, -1) end as operator_id,
    case when states.is_any = 1 then '' else ${row}.state end as state,
    (${row}.start_at_ms - (${row}.start_at_ms % ${dayMs} + ${dayMs}) % ${dayMs}) / ${dayMs} as day
    from ${from}${bits('bots')} cross join ${bits('operators')} cross join ${bits('states')}`;
}

/** Adds numbers to what is counted there, always in the same order, so that two who count never wait for each other in a ring. */
function added(numbers: string): string {
  const key = 'company_id, bot_id, operator_id, state, day';
  return `insert into conversation_days (${key}, number)
    select ${key}, sum(number) from (${numbers}) as changes group by ${key} having sum(number) <> 0 order by ${key}
    on conflict (${key}) do update set number = conversation_days.number + excluded.number`;
}

/** Whether an update moves a conversation from one count to another. */
function moved(): string {
  return ['company_id', 'bot_id', 'operator_id', 'state', 'start_at_ms']
    .map((name) => `old.${name} is distinct from new.${name}`)
    .join(' or ');
}

/**
 * Indexes for lists that are filtered by two things at once: what stands before a page is gone through in the index alone,
 * also where a third filter is left (CON-05, CON-19).
 */
const conversationPairs: Migration = () => [
  'create index conversations_by_bot_state on conversations (company_id, bot_id, state, start_at_ms desc, id, operator_id)',
  'create index conversations_by_operator_state on conversations (company_id, operator_id, state, start_at_ms desc, id, bot_id)',
  'create index conversations_by_bot_operator on conversations (company_id, bot_id, operator_id, start_at_ms desc, id, state)',
];

/** How often a function was deployed again, and when a token's revocation was over (TOK-04). */
const redeployColumns: Migration = ({ integer }) => [
  `alter table functions add column deployment ${integer} not null default 0`,
  `alter table runtime_tokens add column redeployed_at_ms ${integer}`,
  'create index runtime_tokens_revoking on runtime_tokens (function_id) where revoked_at_ms is not null and redeployed_at_ms is null',
];

/** Where a company is, and how it writes numbers and dates. */
const companyPlaces: Migration = () => ['alter table companies add column time_zone text', 'alter table companies add column locale text'];

/** Why a message failed, or why no workflow took it. */
const messageCauses: Migration = () => ['alter table messages add column cause text'];

/** The tables of `rows.ts`. The outbox holds only what is not sent yet, so that looking through it costs little. */
const outboxTables: Migration = ({ integer, neverAgain, byKey }) => [
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

/** Payments with what was said of them, and how many tests a node of a workflow has made (PAY-02). They are kept for good. */
const paymentTables: Migration = ({ integer, growing, byKey }) => [
  `create table payments (
    id ${growing},
    company_id text not null,
    payment_id text not null,
    effect_key text not null,
    workflow_id text not null,
    node_id text not null,
    execution_id text not null,
    provider text not null,
    credential_id text,
    amount ${integer} not null,
    currency text not null,
    description text not null,
    status text not null,
    reference text,
    url text,
    created_at_ms ${integer} not null,
    expires_at_ms ${integer} not null,
    changed_at_ms ${integer},
    tell_at_ms ${integer},
    heard text
  )`,
  'create unique index payments_by_effect on payments (company_id, effect_key)',
  'create unique index payments_by_name on payments (payment_id)',
  'create index payments_by_age on payments (company_id, id)',
  'create index payments_by_workflow on payments (company_id, workflow_id, id)',
  'create index payments_by_execution on payments (company_id, execution_id, id)',
  'create index payments_untold on payments (tell_at_ms) where tell_at_ms is not null',
  `create table payment_events (
    company_id text not null,
    source text not null,
    event_key text not null,
    payment_id text not null,
    status text not null,
    at_ms ${integer} not null,
    primary key (company_id, source, event_key)
  ) ${byKey}`,
  'create index payment_events_by_payment on payment_events (company_id, payment_id, at_ms)',
  `create table payment_tests (
    company_id text not null,
    workflow_id text not null,
    node_key text not null,
    number ${integer} not null,
    primary key (company_id, workflow_id, node_key)
  ) ${byKey}`,
];

/**
 * How many executions retention removed, so that what was accepted is accounted for when it is gone (P35). The database
 * itself counts, in the transaction that removes.
 */
const prunedExecutions: Migration = ({ integer, byKey, afterEach }) => [
  `create table pruned_executions (
    company_id text not null,
    status text not null,
    number ${integer} not null,
    primary key (company_id, status)
  ) ${byKey}`,
  ...afterEach(
    'delete',
    'executions',
    `insert into pruned_executions (company_id, status, number) values (old.company_id, old.status, 1)
      on conflict (company_id, status) do update set number = pruned_executions.number + 1`,
  ),
];

/** When a text leaves that was gathered with others under its key: its message has no name yet (GRP-01). */
const sendKeysOfTexts: Migration = ({ integer }) => [`alter table send_keys add column leaves_at_ms ${integer}`];

/** The one row that is written to find out whether the store writes. */
const probeTable: Migration = ({ integer }) => [
  `create table probe (id ${integer} primary key, number ${integer} not null)`,
  'insert into probe (id, number) values (1, 0)',
];

/**
 * What authors keep beside the engine's drafts: the draft as they saved it, with the places of its cards, which are no content; its number;
 * transcripts; and what they said of a version.
 */
const authoringTables: Migration = ({ integer, byKey }) => [
  `create table draft_revisions (company_id text not null, workflow_id text not null, revision ${integer} not null, hash text not null, canvas text not null, saved_at_ms ${integer} not null, saved_by text not null, primary key (company_id, workflow_id)) ${byKey}`,
  `create table transcripts (company_id text not null, workflow_id text not null, name text not null, content text not null, updated_at_ms ${integer} not null, primary key (company_id, workflow_id, name)) ${byKey}`,
  `create table version_notes (company_id text not null, workflow_id text not null, version ${integer} not null, note text not null, published_by text not null, primary key (company_id, workflow_id, version)) ${byKey}`,
];

/** What providers say of messages that were sent, by their own names, and of users. */
const providerRecords: Migration = ({ integer, byKey }) => [
  `create table provider_messages (
    company_id text not null,
    bot_id text not null,
    provider_key text not null,
    message_id text,
    status_rank ${integer} not null,
    status text,
    code text,
    explanation text,
    at_ms ${integer} not null,
    primary key (company_id, bot_id, provider_key)
  ) ${byKey}`,
  'create index provider_messages_by_age on provider_messages (at_ms)',
  `create table provider_users (
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    address text,
    window_closed_at_ms ${integer},
    primary key (company_id, bot_id, user_key)
  ) ${byKey}`,
];

/** Distinguishes a group of texts that is being sent from the next one of its conversation (P9). */
const namesOfLeavingGroups: Migration = () => ['alter table operator_groups add column leaving_id text'];

/** Where a user is, and how numbers and dates are written for them. */
const userPlaces: Migration = () => ['alter table users add column time_zone text', 'alter table users add column locale text'];

/** The service's tables in the store's database; its migrations are only ever added to (P36). */
export const serviceTables: Extension = {
  name: 'service',
  migrations: [
    firstTables,
    campaignClaims,
    outboxTables,
    conversationTables,
    redeployColumns,
    conversationPairs,
    paymentTables,
    prunedExecutions,
    sendKeysOfTexts,
    probeTable,
    endedSessions,
    messageCauses,
    authoringTables,
    providerRecords,
    namesOfLeavingGroups,
    companyPlaces,
    userPlaces,
  ],
};
