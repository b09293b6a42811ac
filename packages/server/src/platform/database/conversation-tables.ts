import type { Migration } from '@hilo/stores';

/**
 * Conversations, the gathered texts of operators, and how many conversations began on each day.
 *
 * Each filter of lists and statistics has an index that ends with the order of the list: conversations are read in pages out of
 * millions (CON-05, CON-19, STA-01). With two filters, rows before a page are skipped in the index alone. Counts per day give a
 * list its total without counting (CON-08); triggers keep them.
 */
export const conversationTables: Migration = (dialect) => [
  ...conversations(dialect),
  ...operatorGroups(dialect),
  ...conversationDays(dialect),
];

const conversations: Migration = ({ integer, bytewise }) => [
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
    waiting_since_ms ${integer},
    idle_ms ${integer},
    due_at_ms ${integer},
    wait_key text,
    execution_id text,
    tell_at_ms ${integer},
    active_key text,
    primary key (company_id, id)
  )`,
  ...bytewise('conversations', 'id'),
  'create index conversations_by_age on conversations (company_id, start_at_ms desc, id)',
  'create index conversations_by_bot on conversations (company_id, bot_id, start_at_ms desc, id)',
  'create index conversations_by_user on conversations (company_id, user_key, start_at_ms desc, id)',
  'create index conversations_by_operator on conversations (company_id, operator_id, start_at_ms desc, id)',
  'create index conversations_by_state on conversations (company_id, state, start_at_ms desc, id)',
  'create index conversations_by_room on conversations (company_id, room_id, start_at_ms desc)',
  'create index conversations_by_bot_state on conversations (company_id, bot_id, state, start_at_ms desc, id, operator_id)',
  'create index conversations_by_operator_state on conversations (company_id, operator_id, state, start_at_ms desc, id, bot_id)',
  'create index conversations_by_bot_operator on conversations (company_id, bot_id, operator_id, start_at_ms desc, id, state)',
  'create unique index conversations_active_key on conversations (active_key)',
  `create index conversations_active on conversations (company_id, bot_id, user_key) where state = 'active'`,
  `create index conversations_attended on conversations (company_id, operator_id) where state = 'active'`,
  'create index conversations_due on conversations (due_at_ms) where due_at_ms is not null',
  'create index conversations_untold on conversations (tell_at_ms) where tell_at_ms is not null',
  `create index conversations_figures on conversations (company_id, operator_id, start_at_ms, state, was_replied,
    last_message_by, first_replied_at_ms, end_at_ms, response_count, response_total_ms)`,
];

const operatorGroups: Migration = ({ integer, growing, byKey }) => [
  `create table operator_groups (
    company_id text not null,
    conversation_id text not null,
    due_at_ms ${integer} not null,
    is_leaving ${integer} not null,
    parts_sent ${integer} not null,
    leaving_id text,
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
];

const conversationDays: Migration = ({ integer, byKey, afterEach }) => [
  `create table conversation_days (
    company_id text not null,
    bot_id text not null,
    operator_id ${integer} not null,
    state text not null,
    day ${integer} not null,
    number ${integer} not null,
    primary key (company_id, bot_id, operator_id, state, day)
  ) ${byKey}`,
  ...afterEach('insert', 'conversations', addCounts(`select counted.*, 1 as number from (${selectCounts('new')}) as counted`)),
  ...afterEach('delete', 'conversations', addCounts(`select counted.*, -1 as number from (${selectCounts('old')}) as counted`)),
  ...afterEach(
    'update',
    'conversations',
    addCounts(`select counted.*, 1 as number from (${selectCounts('new')}) as counted
      union all select counted.*, -1 as number from (${selectCounts('old')}) as counted`),
    isMoved(),
  ),
];

const dayMs = 86_400_000;

/** Counts the existing conversations: for tests and tools that write rows without the triggers. */
export const countConversationDays = (): string =>
  addCounts(`select counted.*, 1 as number from (${selectCounts('each', 'conversations as each cross join ')}) as counted`);

/** Where a conversation is counted: under its bot, its operator and its state, and under any of each. */
function selectCounts(row: string, from = ''): string {
  const bits = (name: string) => `(select 0 as is_any union all select 1) as ${name}`;
  return `select ${row}.company_id as company_id,
    case when bots.is_any = 1 then '' else ${row}.bot_id end as bot_id,
    case when operators.is_any = 1 then 0 else coalesce(${row}.operator_id, -1) end as operator_id,
    case when states.is_any = 1 then '' else ${row}.state end as state,
    (${row}.start_at_ms - (${row}.start_at_ms % ${dayMs} + ${dayMs}) % ${dayMs}) / ${dayMs} as day
    from ${from}${bits('bots')} cross join ${bits('operators')} cross join ${bits('states')}`;
}

/** Adds numbers to the counts, always in the same order, so that two transactions never deadlock. */
function addCounts(numbers: string): string {
  const key = 'company_id, bot_id, operator_id, state, day';
  return `insert into conversation_days (${key}, number)
    select ${key}, sum(number) from (${numbers}) as changes group by ${key} having sum(number) <> 0 order by ${key}
    on conflict (${key}) do update set number = conversation_days.number + excluded.number`;
}

/** Whether an update moves a conversation from one count to another. */
function isMoved(): string {
  return ['company_id', 'bot_id', 'operator_id', 'state', 'start_at_ms']
    .map((name) => `old.${name} is distinct from new.${name}`)
    .join(' or ');
}
