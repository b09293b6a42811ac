// The routes of campaigns in the REST interface: listed, changed and cancelled.
import { boundIssues } from '../platform/bound-issues.ts';
import { tellingEnd } from './campaign-events.ts';
import { asCondition } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields, invalidInput, notFound, type HttpError } from '../platform/http/errors.ts';
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
import { Campaign, campaignChange, campaignView } from './schema.ts';
import {
  campaignOf,
  campaignsOfCompany,
  campaignsOfStatus,
  cancelScheduled,
  countOfCompany,
  countOfStatus,
  statusOfCampaign,
  updateScheduled,
} from './sql.ts';
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
    const { runner } = service.store;
    const place = { companyId, id: campaignId };
    const cancelled = await runner.writeOne(tellingEnd(asCondition(cancelScheduled(place)), place, 'CANCELLED', service.clock.now()));
    if (cancelled === undefined) throw notScheduled(await readStatus(service, companyId, campaignId), 'cancelled');
    return succeeded('The campaign is cancelled and reaches no recipient');
  },
});

const changeBody = jsonBody('One of them, or both', {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 500 },
    scheduledAt: { type: 'string', format: 'date-time', description: 'With a time zone, and later than now' },
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
  body: changeBody,
  answer: jsonResponse('The campaign in its current state', Succeeded.extend({ data: Campaign })),
  refusals: restBodyErrorResponses('No such campaign'),
  example: { path: { campaignId: 'camp_s' }, body: { name: 'Spring, second try' } },
  async handle({ c, companyId, params: { campaignId } }, service: CampaignParts & RestTraffic) {
    const { runner } = service.store;
    const Change = campaignChange(() => service.clock.now());
    await readStatus(service, companyId, campaignId);
    return withBody(c, service.traffic, async (body) => {
      const { data: change, error } = boundIssues(Change).safeParse(body);
      if (error !== undefined) throw invalidInput(error);
      const { name, scheduledAt } = change;
      const changed = await runner.writeOne(updateScheduled({ companyId, id: campaignId, name, scheduledAtMs: scheduledAt }));
      if (changed === undefined) throw notScheduled(await readStatus(service, companyId, campaignId), 'changed');
      const campaign = await runner.readOne(campaignOf({ companyId, id: campaignId }));
      if (campaign === undefined) throw notThere(campaignId);
      return { ...succeeded('The campaign is changed'), data: campaignView(campaign) };
    });
  },
});

/** Cancels, changes and lists campaigns (CAM rules). Whether a campaign is still scheduled, the statement that changes it decides (P6). */
export const campaignRoutes: readonly Route<CampaignParts & RestTraffic>[] = [list, cancel, update];

/** The status of a campaign. @throws {HttpError} 404 */
async function readStatus({ store }: CampaignParts, companyId: string, campaignId: string): Promise<string> {
  const row = await store.runner.readOne(statusOfCampaign({ companyId, id: campaignId }));
  if (row === undefined) throw notThere(campaignId);
  return row.status;
}

const notThere = (campaignId: string): HttpError => notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${campaignId}"`);

const notScheduled = (status: string, what: string): HttpError =>
  invalidFields({ status: [`the campaign is ${status}: only one that is SCHEDULED can be ${what}`] });
