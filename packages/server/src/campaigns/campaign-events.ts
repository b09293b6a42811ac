// What writes of campaigns tell of.
import { type Call, decodeText } from '@hilo/stores';
import { telling } from '../platform/events/telling.ts';

/** A campaign, in columns. */
type Place = { readonly companyId: string; readonly id: string };

/** Lets the claim of a campaign tell that it begins to be sent, or goes on. */
export const tellingStart = <Row>(one: Call<Row>, { companyId, id }: Place, atMs: number): Call<Row> =>
  telling(one, () => {
    const campaignId = decodeText(id);
    return {
      type: 'campaign.started',
      companyId: decodeText(companyId),
      atMs,
      about: { thing: `campaign ${campaignId}` },
      data: { campaignId },
    };
  });

/** The same for its end. */
export const tellingEnd = <Row>(one: Call<Row>, { companyId, id }: Place, status: 'COMPLETED' | 'CANCELLED', atMs: number): Call<Row> =>
  telling(one, () => {
    const campaignId = decodeText(id);
    const data = { campaignId, status };
    return { type: 'campaign.ended', companyId: decodeText(companyId), atMs, about: { thing: `campaign ${campaignId}` }, data };
  });
