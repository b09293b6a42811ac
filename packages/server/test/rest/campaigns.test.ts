import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, inlineExample } from '../data/inline-example.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { invalid } from '../refusals.ts';
import { type Call, type CampaignList, campaignTo, callOf, clients } from './campaigns-stage.ts';

async function stage({ open }: Place, changes: { readonly [pointer: string]: Json } = {}): Promise<Call> {
  const service = await open();
  await service.importWorkspace({ workspace: changed(await inlineExample(), changes) });
  return callOf(service);
}

const winter = {
  id: 'camp_d',
  name: 'Winter',
  elementName: 'payment_reminder',
  botId: 'bot_wa',
  status: 'COMPLETED',
  totalMessages: 2,
  deliveredMessages: 1,
  failedMessages: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-02T00:00:00.000Z',
  scheduledAt: null,
};
const spring = {
  id: 'camp_s',
  name: 'Spring',
  elementName: 'payment_reminder',
  botId: 'bot_wa',
  status: 'SCHEDULED',
  totalMessages: 2,
  deliveredMessages: 0,
  failedMessages: 0,
  createdAt: '2026-02-01T00:00:00.000Z',
  completedAt: null,
  scheduledAt: '2031-03-01T14:00:00.000Z',
};

describe('GET /v1/campaigns', () => {
  it(
    'lists the campaigns of the company, the newest first (CAM-01 to CAM-08, CAM-16)',
    withPlace(async (place) => {
      const call = await stage(place);
      expect(await call('GET /v1/campaigns')).toEqual({
        status: 200,
        body: {
          message: [],
          status: 'success',
          data: { results: [spring, winter], pagination: { limit: 10, page: 1, total: 2, offset: 0, totalPages: 1 } },
        },
      });
      expect(await call('GET /v1/campaigns', { client: clients.other })).toMatchObject({
        body: { data: { results: [], pagination: { total: 0, totalPages: 0 } } },
      });
    }),
  );

  it(
    'filters by status, and is empty past its end (CAM-05, CAM-08)',
    withPlace(async (place) => {
      const call = await stage(place);
      expect(await call('GET /v1/campaigns?status=COMPLETED&limit=1&page=1')).toMatchObject({ body: { data: { results: [winter] } } });
      expect(await call('GET /v1/campaigns?status=PENDING')).toMatchObject({ status: 200, body: { data: { results: [] } } });
      expect(await call('GET /v1/campaigns?limit=50&page=999999999')).toMatchObject({
        status: 200,
        body: { data: { results: [], pagination: { limit: 50, page: 999_999_999, total: 2, offset: 49_999_999_900, totalPages: 1 } } },
      });
    }),
  );

  it(
    'has every campaign on exactly one page, whatever the filter and the size (CAM-06, CAM-08, CAM-16)',
    withPlace(async (place) => {
      const statuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'SCHEDULED'];
      const campaigns = Array.from({ length: 120 }, (_, index) =>
        campaignTo(`c${index}`, [], {
          status: statuses[index % 5] ?? '',
          scheduledAt: '2031-03-01T00:00:00Z',
          createdAt: `2030-01-${String(1 + (index % 7)).padStart(2, '0')}T00:00:00Z`, // several of one age
        }),
      );
      const call = await stage(place, { '/companies/0/campaigns': campaigns });
      const filter = fc.constantFrom(undefined, 'PENDING', 'IN_PROGRESS', 'COMPLETED', 'SCHEDULED');
      await fc.assert(
        fc.asyncProperty(filter, fc.integer({ min: 1, max: 50 }), async (status, limit) => {
          const seen: { readonly id: unknown; readonly createdAt: unknown; readonly status: unknown }[] = [];
          let totalPages = 1;
          for (let page = 1; page <= totalPages; page += 1) {
            const { body } = await call(`GET /v1/campaigns?limit=${limit}&page=${page}${status === undefined ? '' : `&status=${status}`}`);
            const { results, pagination } = (body as CampaignList).data;
            expect(pagination).toMatchObject({ limit, page, offset: (page - 1) * limit });
            expect(results.length).toBeLessThanOrEqual(limit);
            totalPages = Number(pagination['totalPages']);
            seen.push(...(results.map(({ id, createdAt, status }) => ({ id, createdAt, status })) as typeof seen));
          }
          const wanted = (campaigns as { readonly id: string; readonly status: string; readonly createdAt: string }[])
            .filter((campaign) => status === undefined || campaign.status === status)
            .toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1));
          expect(seen.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
          expect(totalPages).toBe(Math.ceil(wanted.length / limit));
        }),
        { numRuns: 25 },
      );
    }),
  );
});

describe('DELETE /v1/campaigns/{campaignId}', () => {
  it(
    'cancels what is scheduled, once (CAM-09, CAM-10, CAM-14)',
    withPlace(async (place) => {
      const call = await stage(place);
      expect(await call('DELETE /v1/campaigns/camp_s')).toEqual({
        status: 200,
        body: { message: ['The campaign is cancelled and reaches no recipient'], statusMessage: 'success', status: 1 },
      });
      expect(await call('DELETE /v1/campaigns/camp_s')).toEqual(
        invalid({ status: 'the campaign is CANCELLED: only one that is SCHEDULED can be cancelled' }),
      );
      expect(await call('GET /v1/campaigns?limit=1')).toMatchObject({
        body: { data: { results: [{ status: 'CANCELLED', completedAt: null }] } },
      });
    }),
  );
});

describe('PUT /v1/campaigns/{campaignId}', () => {
  it(
    'changes the name, the date, or both, and leaves it scheduled (CAM-11, CAM-12, CAM-14, GEN-07)',
    withPlace(async (place) => {
      const call = await stage(place);
      const put = (body: object) => call('PUT /v1/campaigns/camp_s', { body });
      const changedTo = (data: object) => ({
        status: 200,
        body: { message: ['The campaign is changed'], statusMessage: 'success', status: 1, data },
      });
      expect(await put({ name: 'Summer', status: 'COMPLETED', extra: { deep: [1] } })).toEqual(changedTo({ ...spring, name: 'Summer' }));
      expect(await put({ scheduledAt: '2031-03-03T10:00:00.001+01:00' })).toEqual(
        changedTo({ ...spring, name: 'Summer', scheduledAt: '2031-03-03T09:00:00.001Z' }),
      );
      expect(await put({ name: ' ñ ', scheduledAt: '2040-01-01T00:00:00Z' })).toEqual(
        changedTo({ ...spring, name: ' ñ ', scheduledAt: '2040-01-01T00:00:00.000Z' }),
      );
      expect(await call('GET /v1/campaigns?status=SCHEDULED')).toMatchObject({ body: { data: { results: [{ name: ' ñ ' }] } } });
    }),
  );
});
