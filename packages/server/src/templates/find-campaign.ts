// The open campaign that a template message belongs to.
import { asCondition, type Call } from '@hilo/stores';
import type { Context } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidRequest, notFound, type HttpError } from '../platform/http/errors.ts';
import type { Bot, Tenancy } from '../tenants/companies.ts';
import { campaigns, recipients } from '../platform/tables/campaigns.ts';
import type { Shares } from '../tenants/company-limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { Outbox } from '../messages/messages.ts';
import type { explainUnsendable } from '../tenants/unsendable-templates.ts';

/** What the sending of templates works with. */
export type TemplateParts = Pick<Platform, 'store' | 'clock'> &
  Tenancy & {
    readonly outbox: Outbox;
    /** What companies may take; without it there are no limits. */
    readonly shares?: Shares;
    readonly channels: { readonly adapters: Parameters<typeof explainUnsendable>[2] };
  };

/** A campaign, as far as sending inside it goes. */
export interface OpenCampaign {
  readonly id: string;
  readonly status: string;
  /** Whether a user is among its recipients (TPL-04). */
  hasRecipient(ids: readonly string[]): Promise<boolean>;
  /** A condition of the write that accepts a message: against an end or a cancelling at the same moment (P6, TPL-08). */
  readonly stillOpen: Call;
}

/**
 * The campaign that the path names; of another bot it is as unknown as of another company (TPL-08, TPL-09).
 *
 * @throws {HttpError} 404 `CAMPAIGN_NOT_FOUND`
 */
export async function findCampaign(
  c: Context<HttpEnv>,
  { store: { runner } }: Pick<TemplateParts, 'store'>,
  bot: Bot,
): Promise<OpenCampaign> {
  const id = c.req.param('campaignId') ?? '';
  const campaign = await runner.readOne(campaigns.find({ companyId: bot.companyId, id }));
  if (campaign?.botId !== bot.id) throw notFound('CAMPAIGN_NOT_FOUND', `Bot "${bot.id}" has no campaign "${id}"`);
  const { companyId } = bot;
  return {
    id,
    status: campaign.status,
    hasRecipient: async (ids) =>
      (await runner.readEach(ids.map((userId) => recipient({ companyId, campaignId: id, userId })))).flat().length > 0,
    stillOpen: asCondition(holdOpen({ companyId, id })),
  };
}

/** A finished campaign accepts no message (TPL-08). */
export const isOver = (status: string): boolean => over.some((end) => end === status);

/** 400: the campaign has ended. */
export const campaignOver = (id: string): HttpError => invalidRequest(`Campaign "${id}" is over: nothing can be sent in it`);

const over = ['COMPLETED', 'CANCELLED'] as const;

const recipient = recipients.read(
  ['position'],
  { campaignId: recipients.columns.campaignId, userId: recipients.columns.userKey },
  (rows, { campaignId, userId }) => rows.where('campaign_id', '=', campaignId).where('user_key', '=', userId),
);

/** Changes nothing but locks the row, so that the campaign cannot end before the transaction. */
const holdOpen = campaigns.change({ id: campaigns.columns.id }, (rows, { id }) =>
  rows
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', id)
    .where('status', 'not in', over),
);
