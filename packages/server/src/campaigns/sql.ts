// Statements over campaigns: what is due and who sends it, their recipients, and what is shown and changed of them.
import { integer, optional, pick, plain, type ReadOf, text } from '@hilo/stores';
import { sql } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { claimColumns } from '../platform/jobs/claims.ts';
import { campaigns, recipients } from '../platform/tables/campaigns.ts';

const { id, status } = campaigns.columns;

/** Written into the statement itself, so that the planner sees that an index of these rows alone serves it. */
const [scheduled, pending, inProgress] = [sql.lit('SCHEDULED'), sql.lit('PENDING'), sql.lit('IN_PROGRESS')];

/** Whether anything is due. */
export const anyDue = query({ nowMs: integer() }, {}, (db, { nowMs }) =>
  db
    .selectFrom('campaigns')
    .select('id')
    .where('status', '=', scheduled)
    .where('scheduled_at_ms', '<=', nowMs)
    .where('paused_at_ms', 'is', null)
    .where(isNotAway(db, 'campaigns'))
    .limit(1),
);

/** Makes due campaigns PENDING (CAM-15): from then on they can be neither cancelled nor changed (P6). */
export const releaseDue = query({ nowMs: integer() }, {}, (db, { nowMs }) =>
  db
    .updateTable('campaigns')
    .set({ status: 'PENDING' })
    .where('status', '=', scheduled)
    .where('scheduled_at_ms', '<=', nowMs)
    .where('paused_at_ms', 'is', null)
    .where(isNotAway(db, 'campaigns')),
);

/** Campaigns that are due and unclaimed, the oldest first. */
export const unclaimed = query({ nowMs: integer(), limit: integer() }, pick(campaigns.columns, 'companyId', 'id'), (db, { nowMs, limit }) =>
  db
    .selectFrom('campaigns')
    .select(['company_id', 'id'])
    .where('status', 'in', [pending, inProgress])
    .where('paused_at_ms', 'is', null)
    .where(({ eb, or }) => or([eb('claimed_until_ms', 'is', null), eb('claimed_until_ms', '<=', nowMs)]))
    .where(isNotAway(db, 'campaigns'))
    .orderBy('created_at_ms')
    .orderBy('id')
    .limit(limit),
);

/** What is read of a campaign to send it. */
const openColumns = pick(campaigns.columns, 'companyId', 'id', 'botId', 'templateId', 'perSecond');
export type OpenCampaign = ReadOf<typeof openColumns>;

/** Claims a campaign; returns no row when another process holds it. */
export const claim = companyQuery({ ...claimColumns, nowMs: integer(), untilMs: integer() }, openColumns, (company, given) =>
  company
    .updateTable('campaigns')
    .set({ status: 'IN_PROGRESS', claimed_by: given.owner, claimed_until_ms: given.untilMs })
    .where('id', '=', given.id)
    .where('status', 'in', [pending, inProgress])
    .where('paused_at_ms', 'is', null)
    .where(({ eb, or }) => or([eb('claimed_until_ms', 'is', null), eb('claimed_until_ms', '<=', given.nowMs)]))
    .returning(['company_id', 'id', 'bot_id', 'template_id', 'per_second']),
);

/** Forgets all claims: for a process that has the store for itself. */
export const forgetClaims = query({}, {}, (db) =>
  db
    .updateTable('campaigns')
    .set({ claimed_by: null, claimed_until_ms: null })
    .where('status', 'in', [pending, inProgress])
    .where(isNotAway(db, 'campaigns')),
);

/** Whether a campaign is still sent: nobody has paused it. */
export const stillSends = campaigns.read(['id'], { id }, (rows, given) =>
  rows.where('id', '=', given.id).where('status', '=', 'IN_PROGRESS').where('paused_at_ms', 'is', null),
);

/** Recipients without an outcome, in the order of the list. */
export const waitingRecipients = recipients.read(['userKey', 'userId', 'parameters'], { id, limit: integer() }, (rows, given) =>
  rows.where('campaign_id', '=', given.id).where('status', '=', 'pending').orderBy('position').limit(given.limit),
);

/** Records the outcome of a recipient; returns a row the first time only. */
export const settleRecipient = companyQuery(
  { id, userKey: plain(), ...pick(recipients.columns, 'status', 'messageId', 'cause'), nowMs: integer() },
  {},
  (company, given) =>
    company
      .updateTable('campaign_recipients')
      .set({ status: given.status, message_id: given.messageId, cause: given.cause, settled_at_ms: given.nowMs })
      .where('campaign_id', '=', given.id)
      .where('user_key', '=', given.userKey)
      .where('status', '=', 'pending')
      .returning('user_key'),
);

/** Counts one outcome; delivered plus failed never exceeds the recipients (CAM-15), even for counts that a workspace imported. */
export const countMessage = campaigns.change({ id, delivered: integer(), failed: integer() }, (rows, given) =>
  rows
    .set((eb) => ({
      delivered_messages: eb('delivered_messages', '+', given.delivered),
      failed_messages: eb('failed_messages', '+', given.failed),
    }))
    .where('id', '=', given.id)
    .where((eb) => eb(eb('delivered_messages', '+', eb.ref('failed_messages')), '<', eb.ref('total_messages'))),
);

/** Counts a recipient who has stopped such messages: neither delivered nor failed. */
export const countSkipped = campaigns.change({ id }, (rows, given) =>
  rows.set((eb) => ({ skipped_consent: eb('skipped_consent', '+', 1) })).where('id', '=', given.id),
);

/** Completes a campaign without pending recipients, once; returns no row while some are pending, or when another process claims it. */
export const complete = companyQuery({ ...claimColumns, nowMs: integer() }, {}, (company, given) =>
  company
    .updateTable('campaigns')
    .set({ status: 'COMPLETED', completed_at_ms: given.nowMs, claimed_by: null, claimed_until_ms: null })
    .where('id', '=', given.id)
    .where('status', '=', 'IN_PROGRESS')
    .where('claimed_by', '=', given.owner)
    .where(({ not, exists }) =>
      not(
        exists(
          company.selectFrom('campaign_recipients').select('user_key').where('campaign_id', '=', given.id).where('status', '=', 'pending'),
        ),
      ),
    )
    .returning('id'),
);

/** What is shown of a campaign. */
const shown = [
  'id',
  'name',
  'elementName',
  'botId',
  'status',
  'totalMessages',
  'deliveredMessages',
  'failedMessages',
  'skippedConsent',
  'createdAtMs',
  'completedAtMs',
  'scheduledAtMs',
  'pausedAtMs',
  'pauseReason',
] as const;
const page = { limit: integer(), offset: integer() };

/** Newest first; of the same age, by id (CAM-16). */
export const campaignsOfCompany = campaigns.read(shown, page, (rows, { limit, offset }) =>
  rows.orderBy('created_at_ms', 'desc').orderBy('id').limit(limit).offset(offset),
);

/** The same, of one status (CAM-05). */
export const campaignsOfStatus = campaigns.read(shown, { ...page, status }, (rows, { limit, offset, status: given }) =>
  rows.where('status', '=', given).orderBy('created_at_ms', 'desc').orderBy('id').limit(limit).offset(offset),
);

/** How many campaigns a company has. */
export const countOfCompany = campaigns.count({}, (rows) => rows);

/** How many of them have a status. */
export const countOfStatus = campaigns.count({ status }, (rows, given) => rows.where('status', '=', given.status));

/** A campaign as it is shown; no row where the company has none of this id. */
export const campaignOf = campaigns.read(shown, { id }, (rows, given) => rows.where('id', '=', given.id));

/** Opens a campaign whose recipients are all there. Until then it is CANCELLED: where its making is cut off, it reaches nobody. */
export const openMade = campaigns.change({ id, status, total: integer() }, (rows, given) =>
  rows.set({ status: given.status, total_messages: given.total }).where('id', '=', given.id).where('status', '=', 'CANCELLED'),
);

/** Adds to the recipients of a campaign that is still SCHEDULED; returns no row for another. */
export const growScheduled = campaigns.change({ id, added: integer() }, (rows, given) =>
  rows
    .set((eb) => ({ total_messages: eb('total_messages', '+', given.added) }))
    .where('id', '=', given.id)
    .where('status', '=', 'SCHEDULED'),
);

/** Sends nothing more of a campaign that has not ended; one that is paused keeps its first reason. */
export const pauseOpen = campaigns.change({ id, nowMs: integer(), reason: text() }, (rows, given) =>
  rows
    .set({ paused_at_ms: given.nowMs, pause_reason: given.reason })
    .where('id', '=', given.id)
    .where('status', 'in', ['SCHEDULED', 'PENDING', 'IN_PROGRESS'])
    .where('paused_at_ms', 'is', null),
);

/** Goes on with a campaign that is paused. */
export const resumePaused = campaigns.change({ id }, (rows, given) =>
  rows
    .set({ paused_at_ms: null, pause_reason: null })
    .where('id', '=', given.id)
    .where('status', 'in', ['SCHEDULED', 'PENDING', 'IN_PROGRESS'])
    .where('paused_at_ms', 'is not', null),
);

/** The status of a campaign; no row where the company has none of this id. */
export const statusOfCampaign = campaigns.read(['status'], { id }, (rows, given) => rows.where('id', '=', given.id));

/** Cancels a campaign that is still SCHEDULED, and returns a row only then: either this or the runner's start succeeds (P6). */
export const cancelScheduled = campaigns.change({ id }, (rows, given) =>
  rows.set({ status: 'CANCELLED' }).where('id', '=', given.id).where('status', '=', 'SCHEDULED'),
);

/** Changes a campaign that is still SCHEDULED; what is left out stays as it is. */
export const updateScheduled = campaigns.change({ id, name: optional(text()), scheduledAtMs: optional(integer()) }, (rows, given) =>
  rows
    .set(({ ref }) => ({
      name: sql<string>`coalesce(${given.name}, ${ref('name')})`,
      scheduled_at_ms: sql<number>`coalesce(${given.scheduledAtMs}, ${ref('scheduled_at_ms')})`,
    }))
    .where('id', '=', given.id)
    .where('status', '=', 'SCHEDULED'),
);
