import type { Extension, Migration } from '@hilo/stores';
import { conversationTables } from './conversation-tables.ts';
import { awayStates } from './not-away.ts';
import { numberChannels, numberTables } from './number-tables.ts';

/**
 * What the processes of a service share: the revision of the configuration, ended admin sessions (whose cookies no process accepts),
 * and a row that readiness checks write.
 */
const serviceState: Migration = ({ integer, byKey }) => [
  `create table service_revision (id ${integer} not null primary key, number ${integer} not null) ${byKey}`,
  'insert into service_revision (id, number) values (1, 0)',
  `create table ended_sessions (session_id text not null primary key, until_ms ${integer} not null) ${byKey}`,
  `create table probe (id ${integer} primary key, number ${integer} not null)`,
  'insert into probe (id, number) values (1, 0)',
];

/** Companies with their bots, users, secrets and credentials. */
const tenantTables: Migration = ({ integer, byKey }) => [
  `create table companies (
    company_id text not null primary key,
    name text not null,
    kind text not null,
    plan text not null,
    settings text not null,
    time_zone text,
    locale text,
    failure_workflow_id text
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
    time_zone text,
    locale text,
    primary key (company_id, user_key)
  ) ${byKey}`,
  `create table credentials (
    company_id text not null,
    id text not null,
    kind text not null,
    fields text not null,
    primary key (company_id, id)
  ) ${byKey}`,
];

/**
 * What authors store beside the engine's versions: drafts with the positions of their cards, transcripts and notes of versions; and
 * which workflows a workspace imported.
 */
const workflowTables: Migration = ({ integer, byKey }) => [
  `create table imported_workflows (
    company_id text not null,
    workflow_id text not null,
    fingerprint text not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`,
  `create table draft_revisions (
    company_id text not null,
    workflow_id text not null,
    revision ${integer} not null,
    hash text not null,
    canvas text not null,
    saved_at_ms ${integer} not null,
    saved_by text not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`,
  `create table transcripts (
    company_id text not null,
    workflow_id text not null,
    name text not null,
    content text not null,
    updated_at_ms ${integer} not null,
    primary key (company_id, workflow_id, name)
  ) ${byKey}`,
  `create table version_notes (
    company_id text not null,
    workflow_id text not null,
    version ${integer} not null,
    note text not null,
    published_by text not null,
    primary key (company_id, workflow_id, version)
  ) ${byKey}`,
];

/** Templates and campaigns. `claimed_by` is the process that sends a campaign now. */
const campaignTables: Migration = ({ integer, byKey, bytewise }) => [
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
    claimed_by text,
    claimed_until_ms ${integer},
    primary key (company_id, id)
  )`,
  ...bytewise('campaigns', 'id'),
  'create index campaigns_by_age on campaigns (company_id, created_at_ms desc, id)',
  'create index campaigns_by_status on campaigns (company_id, status, created_at_ms desc, id)',
  `create index campaigns_due on campaigns (scheduled_at_ms) where status = 'SCHEDULED'`,
  `create index campaigns_open on campaigns (created_at_ms, id) where status in ('PENDING', 'IN_PROGRESS')`,
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
];

/** Teams and operators, tags and rooms. `tags_revision` is how two writers of the tags of a room notice each other. */
const contactTables: Migration = ({ integer, byKey }) => [
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
    tags_revision ${integer} not null default 0,
    primary key (company_id, id)
  )`,
  'create index rooms_by_user on rooms (company_id, bot_id, user_key)',
  `create table room_tags (
    company_id text not null,
    room_id text not null,
    tag_id ${integer} not null,
    primary key (company_id, room_id, tag_id)
  ) ${byKey}`,
];

/** Functions with how often each was deployed again, and their tokens, with when a revocation was complete (TOK-04). */
const functionTables: Migration = ({ integer, byKey }) => [
  `create table functions (
    function_id text not null primary key,
    company_id text not null,
    name text not null,
    source text not null,
    tools text not null,
    deployment ${integer} not null default 0
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
    redeployed_at_ms ${integer},
    primary key (company_id, function_id, id)
  ) ${byKey}`,
  'create unique index runtime_tokens_by_hash on runtime_tokens (hash)',
  'create index runtime_tokens_revoking on runtime_tokens (function_id) where revoked_at_ms is not null and redeployed_at_ms is null',
];

/**
 * Messages, and the outbox of unsent ones, which stays small. `leaves_at_ms` is when a group of texts under one key is sent (GRP-01);
 * `provider_…` holds what providers report under their own ids.
 */
const messageTables: Migration = ({ integer, growing, neverAgain, byKey }) => [
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
    node_id text,
    cause text
  )`,
  'create unique index messages_by_key on messages (company_id, idempotency_key) where idempotency_key is not null',
  'create index messages_by_bot on messages (company_id, bot_id, id)',
  'create index messages_by_user on messages (company_id, bot_id, user_key, id)',
  'create index messages_by_name on messages (company_id, bot_id, message_id)',

  `create table outbox (
    id ${neverAgain},
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    idempotency_key text not null,
    attempts ${integer} not null,
    due_at_ms ${integer} not null,
    claimed_by text,
    was_interrupted ${integer} not null default 0
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
    leaves_at_ms ${integer},
    primary key (company_id, bot_id, send_key)
  ) ${byKey}`,
  'create index send_keys_by_age on send_keys (until_ms)',

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

/** Payments with their events, and how many tests a node of a workflow has made (PAY-02). They are never removed. */
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
 * How many executions retention removed, so that accepted executions stay accounted for (P35). A trigger counts in the transaction
 * that removes them.
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

/** Files that visitors of chats sent. Sums by user and by bot are read in the indexes alone. */
const chatFiles: Migration = ({ integer }) => [
  `create table chat_files (
    file_id text not null primary key,
    company_id text not null,
    bot_id text not null,
    user_key text not null,
    message_id text not null,
    content_type text not null,
    filename text,
    content text not null,
    bytes ${integer} not null,
    created_at_ms ${integer} not null
  )`,
  'create unique index chat_files_by_message on chat_files (company_id, bot_id, user_key, message_id)',
  'create index chat_files_by_bot on chat_files (company_id, bot_id, created_at_ms, user_key, bytes)',
  'create index chat_files_by_age on chat_files (created_at_ms)',
];

/** How far each bot is ahead of its provider's rate. */
const sendPaces: Migration = ({ integer, byKey }) => [
  `create table send_paces (
    company_id text not null,
    bot_id text not null,
    conversations_us ${integer} not null,
    all_us ${integer} not null,
    primary key (company_id, bot_id)
  ) ${byKey}`,
];

/** Archived workflows: left out of lists, while their executions continue. */
const archivedWorkflows: Migration = ({ integer, byKey }) => [
  `create table archived_workflows (
    company_id text not null,
    workflow_id text not null,
    archived_at_ms ${integer} not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`,
];

/** Every table of the first schema. */
const tables: Migration = (dialect) =>
  [
    serviceState,
    tenantTables,
    workflowTables,
    archivedWorkflows,
    campaignTables,
    contactTables,
    conversationTables,
    functionTables,
    messageTables,
    chatFiles,
    sendPaces,
    paymentTables,
    prunedExecutions,
  ].flatMap((part) => part(dialect));

/**
 * Companies that come and go. While one is fenced or has left, triggers refuse its rows: they are made when the first company leaves, so
 * that stores without one pay nothing, and call a function where the database needs one.
 */
const companyMoves: Migration = ({ integer, neverAgain, byKey, whereShared }) => [
  `create table company_moves (
    company_id text not null primary key,
    move_id text not null,
    number ${integer} not null,
    state text not null,
    rows_moved ${integer},
    cell text,
    url text
  ) ${byKey}`,
  `create table company_move_rows (
    id ${neverAgain},
    stage text not null,
    company_id text not null,
    kind text not null,
    number ${integer},
    line text not null
  )`,
  'create index company_move_rows_by_kind on company_move_rows (stage, kind, id)',
  'create index company_move_rows_by_number on company_move_rows (stage, kind, number)',
  ...whereShared(
    `create function refuse_company_away() returns trigger language plpgsql set search_path from current as $$
          declare changed text := case when tg_op = 'DELETE' then old.company_id else new.company_id end;
          begin
            if exists (select from company_moves where company_id = changed and state in ('fenced', 'left')) then
              raise exception using errcode = 'HL001', message = 'the company is being moved';
            end if;
            return case when tg_op = 'DELETE' then old else new end;
          end $$`,
  ),
];

/** What operators did: read newest first, by company or object, and removed by age. */
const audit: Migration = ({ integer, neverAgain }) => [
  `create table audit (
    id ${neverAgain},
    company_id text not null,
    at_ms ${integer} not null,
    request_id text not null,
    actor text not null,
    via text not null,
    action text not null,
    object_kind text,
    object_id text,
    before text,
    after text,
    outcome text not null
  )`,
  'create index audit_by_age on audit (at_ms)',
  'create index audit_by_request on audit (request_id)',
];

/** Up to where each person has read each conversation of the inbox. */
const reads: Migration = ({ integer, byKey }) => [
  `create table conversation_reads (
    company_id text not null,
    conversation_id text not null,
    reader text not null,
    until_ms ${integer} not null,
    primary key (company_id, conversation_id, reader)
  ) ${byKey}`,
];

/** Admin tokens and users of the service with their roles and companies, and the links by which users log in. */
const accounts: Migration = ({ integer, byKey }) => [
  `create table accounts (
    id text not null primary key,
    kind text not null,
    name text not null,
    roles text not null,
    companies text not null,
    prefix text,
    hash text,
    created_at_ms ${integer} not null,
    last_used_at_ms ${integer},
    revoked_at_ms ${integer}
  ) ${byKey}`,
  'create unique index accounts_by_hash on accounts (hash)',
  "create unique index accounts_by_user_name on accounts (name) where kind = 'user'",
  `create table login_links (hash text not null primary key, account_id text not null, until_ms ${integer} not null) ${byKey}`,
];

/** Contacts: users of the workspace are people of the store now; companies declare fields and say how consent is given. */
const contacts: Migration = () => [
  `insert into people (company_id, person_key, user_id, names, phone, bsuid, time_zone, locale, is_listed)
    select company_id, user_key, user_id, names, phone, bsuid, time_zone, locale, 1 from users where true
    on conflict (company_id, person_key) do update set names = excluded.names, phone = excluded.phone, bsuid = excluded.bsuid,
      time_zone = excluded.time_zone, locale = excluded.locale, is_listed = 1`,
  'drop table users',
  'alter table companies add column fields text',
  'alter table companies add column consent text',
  `create table contact_groups (
    company_id text not null,
    group_name text not null,
    person_key text not null,
    user_id text not null,
    primary key (company_id, group_name, person_key)
  )`,
  'create index contact_groups_by_person on contact_groups (company_id, person_key)',
];

/** What a company may take of the service. */
const companyLimits: Migration = () => ['alter table companies add column limits text'];

/** How many recipients of each campaign have stopped such messages. */
const skipped: Migration = ({ integer }) => [`alter table campaigns add column skipped_consent ${integer} not null default 0`];

/** Durable work over many things. */
const jobTable: Migration = ({ integer, bytewise }) => [
  `create table jobs (
    company_id text not null,
    id text not null primary key,
    kind text not null,
    queue text not null,
    spec text not null,
    status text not null,
    place text not null,
    cursor ${integer} not null,
    counts text not null,
    is_at_least ${integer} not null,
    problems text not null,
    failure text,
    attempts ${integer} not null,
    rate ${integer} not null,
    at_most ${integer},
    not_before_ms ${integer} not null,
    created_by text not null,
    created_at_ms ${integer} not null,
    ended_at_ms ${integer},
    turn_at_ms ${integer} not null,
    claimed_by text,
    claimed_until_ms ${integer}
  )`,
  ...bytewise('jobs', 'id'),
  'create index jobs_by_age on jobs (created_at_ms, id)',
  `create index jobs_open on jobs (company_id, queue, created_at_ms, id) where status in ('waiting', 'running')`,
];

/** Who is told of what happens in a company, and what is on its way to them. */
const events: Migration = ({ integer, growing, byKey }) => [
  `create table event_subscriptions (
    company_id text not null,
    id text not null,
    url text not null,
    events text not null,
    is_paused ${integer} not null,
    created_at_ms ${integer},
    claimed_by text,
    claimed_until_ms ${integer},
    not_before_ms ${integer},
    primary key (company_id, id)
  ) ${byKey}`.trimEnd(),
  `create table event_deliveries (
    seq ${growing},
    company_id text not null,
    subscription_id text not null,
    event_id text not null,
    type text not null,
    at_ms ${integer} not null,
    subject_key text not null,
    data text not null,
    state text not null,
    attempts ${integer} not null,
    due_at_ms ${integer} not null,
    since_ms ${integer} not null,
    ended_at_ms ${integer},
    answer text
  )`,
  "create index event_deliveries_pending on event_deliveries (company_id, subscription_id, seq) where state = 'pending'",
  "create index event_deliveries_failing on event_deliveries (company_id, subscription_id, subject_key) where state = 'pending' and attempts > 0",
  "create index event_deliveries_over on event_deliveries (company_id, subscription_id, state, seq) where state <> 'pending'",
  'create index event_deliveries_ended on event_deliveries (ended_at_ms) where ended_at_ms is not null',
];

/** Saved conditions over contacts, and what is kept of campaigns beside their counts: their rate, why they wait, and what became of whom when. */
const audiences: Migration = ({ integer, byKey }) => [
  `create table segments (
    company_id text not null,
    name text not null,
    condition text not null,
    created_at_ms ${integer} not null,
    updated_at_ms ${integer} not null,
    primary key (company_id, name)
  ) ${byKey}`,
  `alter table campaigns add column per_second ${integer}`,
  `alter table campaigns add column paused_at_ms ${integer}`,
  'alter table campaigns add column pause_reason text',
  'alter table campaign_recipients add column cause text',
  `alter table campaign_recipients add column settled_at_ms ${integer}`,
  'create index campaign_recipients_by_user on campaign_recipients (company_id, user_key, settled_at_ms) where settled_at_ms is not null',
];

/** What is kept about erasures, and how long a company keeps messages and histories. */
const erasures: Migration = ({ integer }) => [
  `create table erased_executions (
    company_id text not null,
    execution_id text not null,
    erased_at_ms ${integer} not null,
    primary key (company_id, execution_id)
  )`,
  `create table history_objects (
    company_id text not null,
    user_key text not null,
    object text not null,
    user_id text not null,
    primary key (company_id, user_key, object)
  )`,
  'alter table companies add column keep_days text',
];

/** Starts by the clock. */
const clocks: Migration = ({ integer, byKey }) => [
  `create table schedules (
    company_id text not null,
    workflow_id text not null,
    node_id text not null,
    kind text not null,
    rule text not null,
    through_ms ${integer} not null,
    primary key (company_id, workflow_id, node_id, kind)
  ) ${byKey}`.trimEnd(),
  `create table scheduled_starts (
    company_id text not null,
    id text not null,
    workflow_id text not null,
    node_id text,
    audience text not null,
    bot_id text not null,
    user_id text not null,
    user_key text not null,
    inputs text not null,
    status text not null,
    due_at_ms ${integer} not null,
    grace_ms ${integer} not null,
    times ${integer} not null,
    job_id text,
    counts text,
    execution_id text,
    reason text,
    created_by text not null,
    created_at_ms ${integer} not null,
    ended_at_ms ${integer},
    primary key (company_id, id)
  )`,
  'create index scheduled_starts_by_user on scheduled_starts (company_id, bot_id, user_key)',
  'create index scheduled_starts_by_due on scheduled_starts (company_id, due_at_ms, id)',
  `create index scheduled_starts_open on scheduled_starts (due_at_ms, company_id) where status in ('waiting', 'running')`,
];

/** What providers say of templates. */
const templateReports: Migration = () => ['alter table templates add column reported text'];

/** Persons who answer from the app of a provider, and take conversations over with it. */
const takeovers: Migration = ({ integer }) => [
  'alter table companies add column takeover text',
  `alter table conversations add column taken_over_at_ms ${integer}`,
];

/** Files of users, and answers that are kept as files. */
const userFiles: Migration = ({ integer }) => [
  `create table files (
    company_id text not null,
    id text not null primary key,
    bot_id text not null,
    user_id text not null,
    user_key text not null,
    place text,
    name text,
    type text,
    bytes ${integer},
    source text,
    created_at_ms ${integer} not null
  )`,
  'create index files_by_user on files (company_id, bot_id, user_key)',
  'create index files_by_age on files (created_at_ms, company_id)',
  `create table file_parts (
    company_id text not null,
    file_id text not null,
    number ${integer} not null,
    bot_id text not null,
    user_id text not null,
    user_key text not null,
    content text not null,
    primary key (file_id, number)
  )`,
  'create index file_parts_by_user on file_parts (company_id, bot_id, user_key)',
];

/** Files that authors uploaded, which are kept for as long as their company. */
const lastingFiles: Migration = ({ integer }) => [`alter table files add column is_lasting ${integer}`];

/** What authors of a workflow tell one another. */
const authorsTogether: Migration = ({ integer, byKey }) => [
  `create table workflow_folders (
    company_id text not null,
    workflow_id text not null,
    folder text not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`.trimEnd(),
  `create table workflow_comments (
    company_id text not null,
    workflow_id text not null,
    id text not null,
    node_id text,
    text text not null,
    author text not null,
    created_at_ms ${integer} not null,
    done_at_ms ${integer},
    done_by text,
    primary key (company_id, workflow_id, id)
  ) ${byKey}`.trimEnd(),
  `create table authors_here (
    company_id text not null,
    workflow_id text not null,
    tab text not null,
    name text not null,
    node_id text,
    seen_at_ms ${integer} not null,
    primary key (company_id, workflow_id, tab)
  ) ${byKey}`.trimEnd(),
];

/** Messages that failed are found among the others. */
const messagesByTrouble: Migration = () => [
  'create index messages_by_trouble on messages (company_id, bot_id, id) where cause is not null',
];

/** Operators who have left, and whose conversations stay theirs. */
const operatorsWhoLeft: Migration = ({ integer }) => [`alter table operators add column left_at_ms ${integer}`];

/** Workflows that an author keeps for themselves. */
const lockedWorkflows: Migration = ({ integer, byKey }) => [
  `create table workflow_locks (
    company_id text not null,
    workflow_id text not null,
    author text not null,
    tab text,
    locked_at_ms ${integer} not null,
    primary key (company_id, workflow_id)
  ) ${byKey}`.trimEnd(),
];

/** The service's tables in the store's database. Migrations are only ever added (P36); earlier builds had 1 to 20 of them. */
export const serviceTables: Extension = {
  name: 'service',
  firstSchema: 21,
  migrations: [
    tables,
    companyMoves,
    audit,
    reads,
    accounts,
    contacts,
    companyLimits,
    skipped,
    jobTable,
    events,
    audiences,
    erasures,
    clocks,
    templateReports,
    numberTables,
    takeovers,
    userFiles,
    numberChannels,
    lastingFiles,
    authorsTogether,
    messagesByTrouble,
    operatorsWhoLeft,
    lockedWorkflows,
  ],
  selectPaused: (table) =>
    `select company_id from ${table('company_moves')} where state in (${awayStates.map((state) => `'${state}'`).join(', ')})`,
};
