// Statements over deliveries of events. What becomes of one is a conditional statement, so that a replay, a pause and the process that
// delivers never take back what another did.
import { integer, optional, pick, plain } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { claimColumns } from '../platform/jobs/claims.ts';
import { type DeliveryState, eventDeliveries, eventSubscriptions } from '../platform/tables/events.ts';

/** Written into the statement itself, so that the planner sees which index serves it. */
const pending = sql.lit<'pending'>('pending');

/** Subscriptions that no process delivers to, and that have something due. */
export const selectDue = query(
  { nowMs: integer(), limit: integer() },
  pick(eventSubscriptions.columns, 'companyId', 'id'),
  (db, { nowMs, limit }) =>
    db
      .selectFrom('event_subscriptions as told')
      .select(['told.company_id', 'told.id'])
      .where('told.is_paused', '=', 0)
      .where(({ eb, or }) => or([eb('told.claimed_until_ms', 'is', null), eb('told.claimed_until_ms', '<=', nowMs)]))
      .where(({ eb, or }) => or([eb('told.not_before_ms', 'is', null), eb('told.not_before_ms', '<=', nowMs)]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('event_deliveries')
            .select('event_deliveries.seq')
            .whereRef('event_deliveries.company_id', '=', 'told.company_id')
            .whereRef('event_deliveries.subscription_id', '=', 'told.id')
            .where('event_deliveries.state', '=', pending)
            .where('event_deliveries.due_at_ms', '<=', nowMs)
            .where(isNotAway(db, 'event_deliveries')),
        ),
      )
      .orderBy('told.not_before_ms')
      .limit(limit),
);

/** Claims a subscription; returns no row when another process holds it. */
export const claimSubscription = companyQuery({ ...claimColumns, nowMs: integer(), untilMs: integer() }, {}, (company, given) =>
  company
    .updateTable('event_subscriptions')
    .set({ claimed_by: given.owner, claimed_until_ms: given.untilMs })
    .where('id', '=', given.id)
    .where(({ eb, or }) => or([eb('claimed_until_ms', 'is', null), eb('claimed_until_ms', '<=', given.nowMs)]))
    .returning('id'),
);

/** Gives a subscription back; nothing is tried before an instant. */
export const releaseSubscription = companyQuery({ ...claimColumns, notBeforeMs: optional(integer()) }, {}, (company, given) =>
  company
    .updateTable('event_subscriptions')
    .set({ claimed_by: null, claimed_until_ms: null, not_before_ms: given.notBeforeMs })
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.owner),
);

/** Forgets all claims: for a process that has the store for itself. */
export const forgetClaims = query({}, {}, (db) =>
  db.updateTable('event_subscriptions').set({ claimed_by: null, claimed_until_ms: null }).where(isNotAway(db, 'event_subscriptions')),
);

const { subscriptionId, state, attempts, dueAtMs, endedAtMs, answer } = eventDeliveries.columns;

/** What is due of a subscription behind a row, in the order in which it was written. */
export const selectPage = eventDeliveries.read(
  ['seq', 'eventId', 'type', 'atMs', 'subjectKey', 'data', 'attempts', 'sinceMs'],
  { subscriptionId, after: integer(), nowMs: integer(), limit: integer() },
  (rows, given) =>
    rows
      .where('subscription_id', '=', given.subscriptionId)
      .where('state', '=', pending)
      .where('seq', '>', given.after)
      .where('due_at_ms', '<=', given.nowMs)
      .orderBy('seq')
      .limit(given.limit),
);

/** Lanes whose first event was refused, and when it is tried again. */
export const selectFailing = eventDeliveries.read(['subjectKey', 'dueAtMs'], { subscriptionId, nowMs: integer() }, (rows, given) =>
  rows
    .where('subscription_id', '=', given.subscriptionId)
    .where('state', '=', pending)
    .where('attempts', '>', sql.lit(0))
    .where('due_at_ms', '>', given.nowMs),
);

/** Lets an event wait for the one before it in its lane. */
export const postpone = eventDeliveries.change({ seq: integer(), dueAtMs }, (rows, given) =>
  rows.set({ due_at_ms: given.dueAtMs }).where('seq', '=', given.seq).where('state', '=', pending),
);

/** What an attempt has come to. */
export const settle = eventDeliveries.change({ seq: integer(), state, attempts, dueAtMs, endedAtMs, answer }, (rows, given) =>
  rows
    .set({
      state: given.state,
      attempts: given.attempts,
      due_at_ms: given.dueAtMs,
      ended_at_ms: given.endedAtMs,
      answer: given.answer,
    })
    .where('seq', '=', given.seq)
    .where('state', '=', pending),
);

/** Deliveries that wait, and all others: an index has each, and the one that says so in these words. */
const [isPending, isOver] = [sql<boolean>`state = 'pending'`, sql<boolean>`state <> 'pending'`];

const replaying = (which: typeof isPending) =>
  eventDeliveries.change({ subscriptionId, fromMs: integer(), nowMs: integer() }, (rows, given) =>
    rows
      .set({ state: 'pending', attempts: 0, due_at_ms: 0, since_ms: given.nowMs, ended_at_ms: null, answer: null })
      .where(sql<boolean>`(${given.subscriptionId} = '' or subscription_id = ${given.subscriptionId})`)
      .where(which)
      .where('at_ms', '>=', given.fromMs),
  );

/** Send again what happened since an instant, as far as it is kept. An empty subscription stands for all of the company. */
export const replaySince = [replaying(isPending), replaying(isOver)] as const;

/** Lets subscriptions be tried at once. */
export const forgetBreak = eventSubscriptions.change({ subscriptionId }, (rows, given) =>
  rows.set({ not_before_ms: null }).where(sql<boolean>`(${given.subscriptionId} = '' or id = ${given.subscriptionId})`),
);

const listing = (listed: DeliveryState) =>
  eventDeliveries.select({ subscriptionId, below: integer(), limit: integer() }, (rows, given) =>
    rows
      .where('subscription_id', '=', given.subscriptionId)
      .where('state', '=', sql.lit(listed))
      .where(listed === 'pending' ? isPending : isOver)
      .where('seq', '<', given.below)
      .orderBy('seq', 'desc')
      .limit(given.limit),
  );

/** A page of a subscription's deliveries in a state, the newest first. */
export const listDeliveries = { pending: listing('pending'), delivered: listing('delivered'), parked: listing('parked') };

const counting = (counted: DeliveryState) =>
  eventDeliveries.count({ subscriptionId }, (rows, given) =>
    rows
      .where('subscription_id', '=', given.subscriptionId)
      .where('state', '=', sql.lit(counted))
      .where(counted === 'pending' ? isPending : isOver),
  );

/** How many deliveries of a subscription wait, and how many were given up. */
export const countDeliveries = { pending: counting('pending'), parked: counting('parked') };

const removing = (which: typeof isPending) =>
  eventDeliveries.removeWhere({ subscriptionId }, (rows, given) => rows.where('subscription_id', '=', given.subscriptionId).where(which));

/** Remove what is on its way to a subscription. */
export const deleteDeliveries = [removing(isPending), removing(isOver)] as const;

const prune = { beforeMs: integer(), limit: integer() };

/** Removes deliveries that ended long ago. */
export const deleteEnded = query({ ...prune, state: plain() }, {}, (db, given) =>
  db
    .deleteFrom('event_deliveries')
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('event_deliveries')
        .select('seq')
        .where('ended_at_ms', '<', given.beforeMs)
        .where('state', '=', sql<'parked'>`${given.state}`)
        .where(isNotAway(db, 'event_deliveries'))
        .limit(given.limit),
    )
    .returning('seq'),
);

/** Removes what nobody waits for any more: of subscriptions that were removed while another process still told them. */
export const deleteOrphans = query({}, {}, (db) =>
  db
    .deleteFrom('event_deliveries')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_subscriptions')
            .select('event_subscriptions.id')
            .whereRef('event_subscriptions.company_id', '=', 'event_deliveries.company_id')
            .whereRef('event_subscriptions.id', '=', 'event_deliveries.subscription_id'),
        ),
      ),
    )
    .where(isNotAway(db, 'event_deliveries'))
    .returning('seq'),
);

/** Parks what waited too long for a subscription that was paused all the while. */
export const parkOld = query({ beforeMs: integer(), nowMs: integer() }, {}, (db, { beforeMs, nowMs }) =>
  db
    .updateTable('event_deliveries')
    .set({ state: 'parked', ended_at_ms: nowMs })
    .where('state', '=', pending)
    .where('since_ms', '<', beforeMs)
    .where(isNotAway(db, 'event_deliveries'))
    .returning('seq'),
);
