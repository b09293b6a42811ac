// What became of the recipients of a campaign: line by line as CSV, and counted as a report. Both go through them page by page.
import { setImmediate as turn } from 'node:timers/promises';
import { campaignReplyMs, type Clock } from '@hilo/engine/contract';
import { integer, optional, pick, plain, type Runner, sum } from '@hilo/stores';
import { sql } from 'kysely';
import { writeCsvLine } from '../contacts/contacts.ts';
import { findUserKeys } from '../conversations/conversations.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { campaigns, recipients } from '../platform/tables/campaigns.ts';

const outcomeColumns = {
  ...pick(recipients.columns, 'userKey', 'userId', 'status', 'cause', 'messageId', 'settledAtMs'),
  messageStatus: optional(plain()),
  messageCause: optional(plain()),
  hasReply: sum(),
};

/** Recipients in the order of their keys, with what the provider has told of their messages since. */
const selectOutcomes = companyQuery(
  { ...pick(campaigns.columns, 'id', 'botId'), after: plain(), rows: integer() },
  outcomeColumns,
  (company, { companyId, id, botId, after, rows }) =>
    company
      .selectFrom('campaign_recipients as one')
      .leftJoin('messages', (join) =>
        join
          .on('messages.company_id', '=', companyId)
          .on('messages.bot_id', '=', botId)
          .onRef('messages.message_id', '=', 'one.message_id'),
      )
      .select(['one.user_key', 'one.user_id', 'one.status', 'one.cause', 'one.message_id', 'one.settled_at_ms'])
      .select(['messages.status as message_status', 'messages.cause as message_cause'])
      .select(({ selectFrom, fn, eb }) =>
        fn
          .coalesce(
            selectFrom('messages as answer')
              .select(sql<number>`1`.as('is_one'))
              .where('answer.company_id', '=', companyId)
              .where('answer.bot_id', '=', botId)
              .whereRef('answer.user_key', '=', 'messages.user_key')
              .whereRef('answer.id', '>', 'messages.id')
              .where('answer.direction', '=', 'inbound')
              .where('answer.created_at_ms', '<=', eb('one.settled_at_ms', '+', sql.lit(campaignReplyMs)))
              .limit(1),
            sql<number>`0`,
          )
          .as('has_reply'),
      )
      .where('one.campaign_id', '=', id)
      .where('one.user_key', '>', after)
      .orderBy('one.user_key')
      .limit(rows),
);

const selectAnswered = companyQuery(
  { ...pick(campaigns.columns, 'botId'), userKey: plain(), sinceMs: integer() },
  pick(recipients.columns, 'campaignId', 'settledAtMs'),
  (company, { botId, userKey, sinceMs }) =>
    company
      .selectFrom('campaign_recipients as one')
      .innerJoin('campaigns', (join) =>
        join.onRef('campaigns.company_id', '=', 'one.company_id').onRef('campaigns.id', '=', 'one.campaign_id'),
      )
      .select(['one.campaign_id', 'one.settled_at_ms'])
      .where('one.user_key', '=', userKey)
      .where('one.settled_at_ms', '>=', sinceMs)
      .where('one.status', '=', 'sent')
      .where('campaigns.bot_id', '=', botId)
      .orderBy('one.settled_at_ms', 'desc')
      .limit(1),
);

/** The campaign that a message of a user answers: the last one that reached them, in the time in which an answer counts as a reply. */
export async function findAnsweredCampaign(
  { runner, clock }: { readonly runner: Pick<Runner, 'readEach'>; readonly clock: Pick<Clock, 'now'> },
  { companyId, botId, userId }: { readonly companyId: string; readonly botId: string; readonly userId: string },
): Promise<string | undefined> {
  const keys = await findUserKeys(runner, companyId, [botId], userId);
  const sinceMs = clock.now() - campaignReplyMs;
  const found = await runner.readEach(keys.map((userKey) => selectAnswered({ companyId, botId, sinceMs, userKey })));
  const [last] = found.flat().toSorted((one, other) => (other.settledAtMs ?? 0) - (one.settledAtMs ?? 0));
  return last?.campaignId;
}

/** A campaign whose results are asked for. */
export interface ReportedCampaign {
  readonly companyId: string;
  readonly id: string;
  readonly botId: string;
}

/** What became of one recipient. */
interface RecipientOutcome {
  readonly user: string;
  /** `pending`, `sent`, `delivered`, `read`, `failed` or `skipped`. */
  readonly status: string;
  readonly messageId: string | undefined;
  readonly error: string | undefined;
  readonly atMs: number | undefined;
  readonly hasReply: boolean;
}

const pageRows = 500;

/** All recipients of a campaign. */
async function* readOutcomes(
  runner: Pick<Runner, 'read'>,
  campaign: ReportedCampaign,
): AsyncGenerator<readonly RecipientOutcome[], void, undefined> {
  for (let after = ''; ; ) {
    const found = await runner.read(selectOutcomes({ ...campaign, after, rows: pageRows }));
    yield found.map((row) => {
      // A message that was handed over may have failed at the provider since.
      const reported = row.messageStatus !== undefined && row.messageStatus !== 'queued' ? row.messageStatus : row.status;
      const status = row.status === 'sent' ? reported : row.status;
      const error = status === 'failed' || status === 'skipped' ? (row.cause ?? row.messageCause ?? 'FAILED') : undefined;
      return {
        user: row.userId,
        status,
        messageId: row.messageId,
        error,
        atMs: row.settledAtMs,
        hasReply: row.hasReply === 1,
      };
    });
    const last = found.at(-1)?.userKey;
    if (last === undefined || found.length < pageRows) return;
    await turn();
    after = last;
  }
}

/** The results as CSV, a chunk a page: texts that a spreadsheet would take for formulas are escaped. */
export async function* writeResults(runner: Pick<Runner, 'read'>, campaign: ReportedCampaign): AsyncGenerator<string, void, undefined> {
  yield writeCsvLine(['user', 'status', 'messageId', 'error', 'at']);
  for await (const page of readOutcomes(runner, campaign))
    if (page.length > 0)
      yield page
        .map(({ user, status, messageId, error, atMs }) =>
          writeCsvLine([user, status, messageId, error, atMs === undefined ? undefined : new Date(atMs).toISOString()]),
        )
        .join('');
}

/** What became of the recipients of a campaign, counted. */
export interface CampaignReport {
  readonly recipients: number;
  readonly pending: number;
  /** Handed to the provider, and not failed there since: also those that arrived. */
  readonly sent: number;
  /** Arrived: also those that were read. */
  readonly delivered: number;
  readonly read: number;
  /** By code. */
  readonly failed: { readonly [code: string]: number };
  readonly skipped: { readonly consent: number };
  /** Recipients who wrote within 24 hours of their message. */
  readonly replied: number;
}

/** Counts the results. */
export async function reportCampaign(runner: Pick<Runner, 'read'>, campaign: ReportedCampaign): Promise<CampaignReport> {
  const counts = { recipients: 0, pending: 0, sent: 0, delivered: 0, read: 0, replied: 0, skipped: 0 };
  const failed = new Map<string, number>();
  for await (const page of readOutcomes(runner, campaign))
    for (const { status, error = '', hasReply } of page) {
      counts.recipients += 1;
      if (status === 'pending') counts.pending += 1;
      if (status === 'skipped') counts.skipped += 1;
      if (status === 'failed') failed.set(error, (failed.get(error) ?? 0) + 1);
      if (['sent', 'delivered', 'read'].includes(status)) counts.sent += 1;
      if (['delivered', 'read'].includes(status)) counts.delivered += 1;
      if (status === 'read') counts.read += 1;
      if (hasReply) counts.replied += 1;
    }
  const { skipped, ...others } = counts;
  return { ...others, failed: Object.fromEntries(failed), skipped: { consent: skipped } };
}
