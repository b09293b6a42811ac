import { flag, integer, lookup, optional, pick, plain, sum, text } from '@hilo/stores';
import { type RawBuilder, sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { conversations, operatorGroups, operatorTexts } from '../platform/tables/conversations.ts';

/** `active` as a literal: with a parameter the databases do not use the partial index of these rows. */
export const active: RawBuilder<string> = sql.lit('active');

const { columns } = conversations;
const key = pick(columns, 'id');

/** Returns no row when the id exists, or the user has another active conversation. */
export const insertConversation = query(
  {
    ...pick(columns, 'companyId', 'id', 'roomId', 'botId', 'userId', 'operatorId', 'teamName', 'origin', 'startAtMs', 'waitingSinceMs'),
    ...pick(columns, 'lastMessageBy', 'idleMs', 'dueAtMs', 'waitKey', 'executionId', 'activeKey'),
    userKey: lookup(),
  },
  {},
  (db, given) =>
    db
      .insertInto('conversations')
      .values({
        company_id: given.companyId,
        id: given.id,
        room_id: given.roomId,
        bot_id: given.botId,
        user_key: given.userKey,
        user_id: given.userId,
        operator_id: given.operatorId,
        team_name: given.teamName,
        state: 'active',
        was_replied: 0,
        ended_reason: null,
        origin: given.origin,
        start_at_ms: given.startAtMs,
        end_at_ms: null,
        first_replied_at_ms: null,
        response_count: 0,
        response_total_ms: 0,
        response_times_ms: null,
        child_conversation: null,
        parent_conversation: null,
        last_message_by: given.lastMessageBy,
        waiting_since_ms: given.waitingSinceMs,
        idle_ms: given.idleMs,
        due_at_ms: given.dueAtMs,
        wait_key: given.waitKey,
        execution_id: given.executionId,
        active_key: given.activeKey,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
);

/** A conversation by its id, in any state. */
export const conversationById = conversations.read(
  ['id', 'botId', 'userId', 'operatorId', 'teamName', 'origin', 'waitKey'],
  key,
  (rows, given) => rows.where('id', '=', given.id),
);

/** The conversation that a user has with an operator now. One of a workspace that did not continue does not count. */
export const activeConversation = query({ activeKey: plain() }, pick(columns, 'id', 'waitKey', 'takenOverAtMs'), (db, given) =>
  db.selectFrom('conversations').select(['id', 'wait_key', 'taken_over_at_ms']).where('active_key', '=', given.activeKey),
);

/** Activates an imported conversation, unless its user has another active one by now. */
export const activateConversation = companyQuery(
  { ...key, activeKey: plain(), idleMs: integer(), dueAtMs: integer() },
  {},
  (company, given) =>
    company
      .updateTable('conversations')
      .set({ active_key: given.activeKey, idle_ms: given.idleMs, due_at_ms: given.dueAtMs })
      .where('id', '=', given.id)
      .where('state', '=', active)
      .where('active_key', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('conversations as other').select('other.id').where('other.active_key', '=', given.activeKey))),
      ),
);

/**
 * Continues a conversation that is transferred, for another operator. Nothing happens when the child is there already, or
 * another conversation is active with the same user.
 */
export const insertTransferred = query(
  {
    ...pick(columns, 'companyId', 'teamName', 'activeKey'),
    parentId: columns.id,
    childId: columns.id,
    operatorId: integer(),
    nowMs: integer(),
  },
  {},
  (db, given) =>
    db
      .insertInto('conversations')
      .columns([
        ...(['company_id', 'room_id', 'bot_id', 'user_key', 'user_id', 'last_message_by', 'idle_ms', 'execution_id'] as const),
        'taken_over_at_ms',
        ...([
          'id',
          'operator_id',
          'team_name',
          'state',
          'was_replied',
          'origin',
          'start_at_ms',
          'response_count',
          'response_total_ms',
        ] as const),
        ...(['parent_conversation', 'waiting_since_ms', 'due_at_ms', 'wait_key', 'active_key'] as const),
      ])
      .expression(({ selectFrom }) => {
        const nowMs = sql<number>`cast(${given.nowMs} as bigint)`;
        return selectFrom('conversations as parent')
          .select([
            'company_id',
            'room_id',
            'bot_id',
            'user_key',
            'user_id',
            'last_message_by',
            'idle_ms',
            'execution_id',
            'taken_over_at_ms',
          ])
          .select([
            sql<string>`cast(${given.childId} as text)`.as('child_id'),
            sql<number>`cast(${given.operatorId} as bigint)`.as('child_operator'),
            sql<string>`cast(${given.teamName} as text)`.as('child_team'),
            sql<string>`'active'`.as('child_state'),
            sql<number>`0`.as('child_replied'),
            sql<string>`'transfer'`.as('child_origin'),
            nowMs.as('child_start'),
            sql<number>`0`.as('child_count'),
            sql<number>`0`.as('child_total'),
            'parent.id as parent_id',
            sql<number>`case when parent.waiting_since_ms is null then null else ${nowMs} end`.as('child_waiting'),
            sql<number>`${nowMs} + parent.idle_ms`.as('child_due'),
            sql<string>`coalesce(parent.wait_key, parent.id)`.as('child_wait'),
            sql<string>`cast(${given.activeKey} as text)`.as('child_active'),
          ])
          .where('parent.company_id', '=', given.companyId)
          .where('parent.id', '=', given.parentId);
      })
      .onConflict((conflict) => conflict.doNothing()),
);

/** Lets an execution wait for the end of a conversation that is active already. */
export const joinConversation = companyQuery({ ...key, executionId: text() }, pick(columns, 'waitKey'), (company, given) =>
  company
    .updateTable('conversations')
    .set((eb) => ({ execution_id: given.executionId, wait_key: eb.fn.coalesce('wait_key', 'id') }))
    .where('id', '=', given.id)
    .where('state', '=', active)
    .returning('wait_key'),
);

/** Ends an active conversation; returns it only then. */
export const endConversation = companyQuery(
  { ...key, state: plain(), reason: text(), nowMs: integer(), childId: optional(plain()), notifies: flag() },
  {},
  (company, given) =>
    company
      .updateTable('conversations')
      .set({
        state: given.state,
        ended_reason: given.reason,
        end_at_ms: sql<number>`case when start_at_ms > ${given.nowMs} then start_at_ms else ${given.nowMs} end`,
        child_conversation: given.childId,
        due_at_ms: null,
        active_key: null,
        tell_at_ms: sql<
          number | null
        >`case when ${given.notifies} = 1 and execution_id is not null then cast(${given.nowMs} as bigint) end`,
      })
      .where('id', '=', given.id)
      .where('state', '=', active)
      .returning('id'),
);

/** The same for one that is still due: a message may have arrived since it was found. */
export const expireConversation = companyQuery({ ...key, nowMs: integer() }, {}, (company, given) =>
  company
    .updateTable('conversations')
    .set({
      state: 'expired',
      ended_reason: 'expired',
      end_at_ms: given.nowMs,
      due_at_ms: null,
      active_key: null,
      tell_at_ms: sql<number | null>`case when execution_id is not null then cast(${given.nowMs} as bigint) end`,
    })
    .where('id', '=', given.id)
    .where('state', '=', active)
    .where('due_at_ms', '<=', given.nowMs)
    .returning('id'),
);

/** Gives an active conversation to another operator; returns no row for one that has ended. */
export const assignConversation = companyQuery({ ...key, operatorId: integer(), teamName: columns.teamName }, {}, (company, given) =>
  company
    .updateTable('conversations')
    .set({ operator_id: given.operatorId, team_name: given.teamName })
    .where('id', '=', given.id)
    .where('state', '=', active)
    .returning('id'),
);

/** How many users each operator attends now. */
export const attendedNow = companyQuery({}, { operatorId: columns.operatorId, number: sum() }, (company) =>
  company
    .selectFrom('conversations')
    .select(['operator_id', (eb) => eb.fn.countAll<number>().as('number')])
    .where('state', '=', active)
    .where('operator_id', 'is not', null)
    .groupBy('operator_id'),
);

/** Conversations that have been idle for their time, the longest first. */
export const dueConversations = query(
  { nowMs: integer() },
  pick(columns, 'companyId', 'id', 'botId', 'userId', 'operatorId', 'teamName', 'takenOverAtMs'),
  (db, given) =>
    db
      .selectFrom('conversations')
      .select(['company_id', 'id', 'bot_id', 'user_id', 'operator_id', 'team_name', 'taken_over_at_ms'])
      .where('due_at_ms', '<=', given.nowMs)
      .where(isNotAway(db, 'conversations'))
      .orderBy('due_at_ms')
      .limit(100),
);

/** Conversations whose end an execution may still wait for, the longest due first. */
export const conversationsToReport = query(
  { nowMs: integer() },
  pick(columns, 'companyId', 'id', 'state', 'endedReason', 'endAtMs', 'operatorId', 'waitKey', 'executionId'),
  (db, given) =>
    db
      .selectFrom('conversations')
      .select(['company_id', 'id', 'state', 'ended_reason', 'end_at_ms', 'operator_id', 'wait_key', 'execution_id'])
      .where('tell_at_ms', '<=', given.nowMs)
      .where(isNotAway(db, 'conversations'))
      .orderBy('tell_at_ms')
      .limit(100),
);

/** `notifyAtMs` is left out once no execution waits any longer. */
export const reportAgain = companyQuery({ ...key, notifyAtMs: optional(integer()) }, {}, (company, given) =>
  company.updateTable('conversations').set({ tell_at_ms: given.notifyAtMs }).where('id', '=', given.id),
);

const group = pick(operatorGroups.columns, 'conversationId');

/** Opens a group, or joins the open one; returns no row while one is being sent or is full. */
export const joinGroup = query(
  { ...pick(operatorGroups.columns, 'companyId', 'conversationId', 'dueAtMs'), nowMs: integer() },
  pick(operatorGroups.columns, 'dueAtMs'),
  (db, given) =>
    db
      .insertInto('operator_groups')
      .values({
        company_id: given.companyId,
        conversation_id: given.conversationId,
        due_at_ms: given.dueAtMs,
        is_leaving: 0,
        parts_sent: 0,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'conversation_id'])
          .doUpdateSet({ is_leaving: 0 })
          .where('operator_groups.is_leaving', '=', 0)
          .where('operator_groups.due_at_ms', '>', given.nowMs),
      )
      .returning('due_at_ms'),
);

/** Closes a group to further texts; returns the id that the first process to close it chose. */
export const letLeave = companyQuery({ ...group, leavingId: plain() }, { partsSent: integer(), leavingId: plain() }, (company, given) =>
  company
    .updateTable('operator_groups')
    .set((eb) => ({ is_leaving: 1, leaving_id: eb.fn.coalesce('leaving_id', sql<string>`cast(${given.leavingId} as text)`) }))
    .where('conversation_id', '=', given.conversationId)
    .returning(['parts_sent', sql<string>`leaving_id`.as('leaving_id')]),
);

/** The gathered texts of a conversation, in the order of writing. */
export const textsOfGroup = operatorTexts.read(['text'], group, (rows, given) =>
  rows.where('conversation_id', '=', given.conversationId).orderBy('id'),
);

/** A group that is being sent, as it was when its texts were read: every group has its own id. */
const leavingGroup = { ...group, leavingId: plain(), partsSent: integer() };

/** Counts a part as sent; returns no row when another process has sent it. */
export const countPart = operatorGroups.change({ ...leavingGroup, after: integer() }, (rows, given) =>
  rows
    .set({ parts_sent: given.after })
    .where('conversation_id', '=', given.conversationId)
    .where('leaving_id', '=', given.leavingId)
    .where('parts_sent', '=', given.partsSent),
);

/** Gives no row when another process has sent the next part, or removed the group. */
export const removeGroup = operatorGroups.removeWhere(leavingGroup, (rows, given) =>
  rows
    .where('conversation_id', '=', given.conversationId)
    .where('leaving_id', '=', given.leavingId)
    .where('parts_sent', '=', given.partsSent),
);

/** Removes the texts of a group that was sent. */
export const removeTexts = operatorTexts.removeWhere(group, (rows, given) => rows.where('conversation_id', '=', given.conversationId));

/** Conversations whose gathered texts are due, the longest first. */
export const dueGroups = query({ nowMs: integer() }, pick(operatorGroups.columns, 'companyId', 'conversationId'), (db, given) =>
  db
    .selectFrom('operator_groups')
    .select(['company_id', 'conversation_id'])
    .where('due_at_ms', '<=', given.nowMs)
    .where(isNotAway(db, 'operator_groups'))
    .orderBy('due_at_ms')
    .limit(1_000),
);
