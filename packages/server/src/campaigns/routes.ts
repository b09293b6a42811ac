// The routes of campaigns in the REST interface: listed, changed and cancelled.
import { z } from '@hono/zod-openapi';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { QueryChoice } from '../platform/http/query.ts';
import {
  countRowsBefore,
  PageQuery,
  Pagination,
  describePage,
  restBodyErrorResponses,
  restErrorResponses,
  Succeeded,
  succeeded,
  type RestTraffic,
  withBody,
} from '../platform/http/rest.ts';
import { cancelCampaign, changeCampaign, readStatus } from './campaign-acts.ts';
import { changeSchema } from './make-formats.ts';
import { Campaign, campaignView } from './schema.ts';
import { campaignsOfCompany, campaignsOfStatus, countOfCompany, countOfStatus } from './sql.ts';
import type { Platform } from '../platform/platform.ts';

/** What these routes work with. */
export type CampaignParts = Pick<Platform, 'store' | 'clock' | 'log'>;

const params = z.object({ campaignId: z.string() });
const tags = ['Campaigns'];

/** What can be looked for; CANCELLED cannot (CAM-05). */
const filters = ['COMPLETED', 'PENDING', 'IN_PROGRESS', 'SCHEDULED'] as const;

const list = defineRoute({
  get: '/v1/campaigns',
  operationId: 'listCampaigns',
  tags,
  auth: 'basic',
  summary: 'Campaigns, newest first',
  description: 'Of the company of the credential; status limits the list to one state.',
  query: PageQuery.extend({ status: QueryChoice('status', filters).optional() }),
  answer: jsonResponse(
    'A page; it is empty past the last one',
    z.object({
      message: z.array(z.string()),
      status: z.literal('success'),
      data: z.object({ results: z.array(Campaign), pagination: Pagination }),
    }),
  ),
  refusals: restErrorResponses('There is nothing at this address'),
  example: { query: { limit: '10', page: '1' } },
  async handle({ companyId, query: { status, ...page } }, service: CampaignParts) {
    const { runner } = service.store;
    const given = { companyId, limit: page.limit, offset: countRowsBefore(page) };
    const counted = await runner.readOne(status === undefined ? countOfCompany({ companyId }) : countOfStatus({ companyId, status }));
    const found = await runner.read(status === undefined ? campaignsOfCompany(given) : campaignsOfStatus({ ...given, status }));
    const data = { results: found.map(campaignView), pagination: describePage(page, counted?.count ?? 0) };
    return { message: [], status: 'success' as const, data };
  },
});

const cancel = defineRoute({
  delete: '/v1/campaigns/{campaignId}',
  operationId: 'cancelCampaign',
  tags,
  auth: 'basic',
  summary: 'Cancels a campaign that is still scheduled: it reaches no recipient',
  description: 'One that has begun or ended is not changed.',
  params,
  answer: jsonResponse('The campaign is cancelled', Succeeded),
  refusals: restErrorResponses('No such campaign'),
  example: { path: { campaignId: 'camp_s' }, body: { name: 'Spring, second try' } },
  async handle({ companyId, params: { campaignId } }, service: CampaignParts) {
    await cancelCampaign(service, companyId, campaignId);
    return succeeded('The campaign is cancelled and reaches no recipient');
  },
});

const update = defineRoute({
  put: '/v1/campaigns/{campaignId}',
  operationId: 'updateCampaign',
  tags,
  auth: 'basic',
  summary: 'Changes the name or the date of a campaign that is still scheduled',
  description: 'What the body leaves out stays as it is; one that has begun or ended is not changed.',
  params,
  body: jsonBody('One of them, or both', changeSchema),
  answer: jsonResponse('The campaign in its current state', Succeeded.extend({ data: Campaign })),
  refusals: restBodyErrorResponses('No such campaign'),
  example: { path: { campaignId: 'camp_s' }, body: { name: 'Spring, second try' } },
  async handle({ c, companyId, params: { campaignId } }, service: CampaignParts & RestTraffic) {
    await readStatus(service, companyId, campaignId);
    return withBody(c, service.traffic, async (body) => ({
      ...succeeded('The campaign is changed'),
      data: await changeCampaign(service, companyId, campaignId, body),
    }));
  },
});

/** Cancels, changes and lists campaigns (CAM rules). Whether a campaign is still scheduled, the statement that changes it decides (P6). */
export const campaignRoutes: readonly Route<CampaignParts & RestTraffic>[] = [list, cancel, update];
