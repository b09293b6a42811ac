import type { Migration } from '@hilo/stores';

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
