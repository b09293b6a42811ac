// What writes of campaigns tell of.
import type { Call } from '@hilo/stores';
import { telling } from '../platform/events/telling.ts';

type CampaignKey = { readonly companyId: string; readonly id: string };

/** Lets the claim of a campaign tell that it begins to be sent, or goes on. */
export const tellingStart = <Row>(one: Call<Row>, { companyId, id }: CampaignKey, atMs: number): Call<Row> =>
  telling(one, () => ({ type: 'campaign.started', companyId, atMs, about: { thing: `campaign ${id}` }, data: { campaignId: id } }));

/** The same for its end. */
export const tellingEnd = <Row>(
  one: Call<Row>,
  { companyId, id }: CampaignKey,
  status: 'COMPLETED' | 'CANCELLED',
  atMs: number,
): Call<Row> =>
  telling(one, () => ({
    type: 'campaign.ended',
    companyId,
    atMs,
    about: { thing: `campaign ${id}` },
    data: { campaignId: id, status },
  }));
