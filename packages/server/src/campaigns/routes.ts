import { call, encodeText } from '@hilo/stores';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidFields, invalidInput, notFound, type HttpError } from '../platform/http/errors.ts';
import { QueryChoice } from '../platform/http/query.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import {
  createResource,
  countRowsBefore,
  PageQuery,
  Pagination,
  describePage,
  restBodyErrorResponses,
  restErrorResponses,
  Succeeded,
  succeeded,
  withBody,
} from '../platform/http/rest.ts';
import { Campaign, campaignChange, campaignView } from './schema.ts';
import {
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
const security = [{ basic: [] }];
const path = '/v1/campaigns/{campaignId}';

/** What can be looked for; CANCELLED cannot (CAM-05). */
const filters = ['COMPLETED', 'PENDING', 'IN_PROGRESS', 'SCHEDULED'] as const;

const list = createRoute({
  method: 'get',
  path: '/v1/campaigns',
  operationId: 'listCampaigns',
  tags,
  security,
  summary: 'Campaigns, newest first',
  description: 'Of the company of the credential; status limits the list to one state.',
  request: { query: PageQuery.extend({ status: QueryChoice('status', filters).optional() }) },
  responses: {
    200: jsonResponse(
      'A page; it is empty past the last one',
      z.object({
        message: z.array(z.string()),
        status: z.literal('success'),
        data: z.object({ results: z.array(Campaign), pagination: Pagination }),
      }),
    ),
    ...restErrorResponses('There is nothing at this address'),
  },
});

const cancel = createRoute({
  method: 'delete',
  path,
  operationId: 'cancelCampaign',
  tags,
  security,
  summary: 'Cancels a campaign that is still scheduled: it reaches no recipient',
  description: 'One that has begun or ended is not changed.',
  request: { params },
  responses: { 200: jsonResponse('The campaign is cancelled', Succeeded), ...restErrorResponses('No such campaign') },
});

const changeBody = jsonBody('One of them, or both', {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 500 },
    scheduledAt: { type: 'string', format: 'date-time', description: 'With a time zone, and later than now' },
  },
});

const update = createRoute({
  method: 'put',
  path,
  operationId: 'updateCampaign',
  tags,
  security,
  summary: 'Changes the name or the date of a campaign that is still scheduled',
  description: 'What the body leaves out stays as it is; one that has begun or ended is not changed.',
  request: { params, body: changeBody },
  responses: {
    200: jsonResponse('The campaign in its current state', Succeeded.extend({ data: Campaign })),
    ...restBodyErrorResponses('No such campaign'),
  },
});

/** Cancels, changes and lists campaigns (CAM rules). Whether a campaign is still scheduled, the statement that changes it decides (P6). */
export function createCampaigns(service: CampaignParts, traffic: Traffic): OpenAPIHono<HttpEnv> {
  const { clock } = service;
  const { runner } = service.store;
  const Change = campaignChange(() => clock.now());
  const app = createResource(service);

  /** @throws {HttpError} 404 */
  const statusOf = async (companyId: string, campaignId: string): Promise<string> => {
    const row = await runner.readOne(call(statusOfCampaign, { companyId, id: encodeText(campaignId) }));
    if (row === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${campaignId}"`);
    return row.status;
  };

  app.openapi(list, async (c) => {
    const { status, ...page } = c.req.valid('query');
    const companyId = c.get('companyId');
    const given = { companyId, limit: page.limit, offset: countRowsBefore(page) };
    const counted = await runner.readOne(status === undefined ? call(countOfCompany, given) : call(countOfStatus, { companyId, status }));
    const rows = await runner.read(status === undefined ? call(campaignsOfCompany, given) : call(campaignsOfStatus, { ...given, status }));
    const data = { results: rows.map(campaignView), pagination: describePage(page, Number(counted?.total ?? 0)) };
    return c.json({ message: [], status: 'success' as const, data }, 200);
  });

  app.openapi(cancel, async (c) => {
    const companyId = c.get('companyId');
    const { campaignId } = c.req.valid('param');
    const cancelled = await runner.writeOne(call(cancelScheduled, { companyId, id: encodeText(campaignId) }));
    if (cancelled === undefined) throw notScheduled(await statusOf(companyId, campaignId), 'cancelled');
    return c.json(succeeded('The campaign is cancelled and reaches no recipient'), 200);
  });

  app.openapi(update, async (c) => {
    const companyId = c.get('companyId');
    const { campaignId } = c.req.valid('param');
    await statusOf(companyId, campaignId);
    return withBody(c, traffic, async (body) => {
      const { data: change, error } = Change.safeParse(body);
      if (error !== undefined) throw invalidInput(error);
      const { name, scheduledAt } = change;
      const row = await runner.writeOne(
        call(updateScheduled, {
          companyId,
          id: encodeText(campaignId),
          name: name === undefined ? null : encodeText(name),
          scheduledAtMs: scheduledAt ?? null,
        }),
      );
      if (row === undefined) throw notScheduled(await statusOf(companyId, campaignId), 'changed');
      return c.json({ ...succeeded('The campaign is changed'), data: campaignView(row) }, 200);
    });
  });
  return app;
}

const notScheduled = (status: string, what: string): HttpError =>
  invalidFields({ status: [`the campaign is ${status}: only one that is SCHEDULED can be ${what}`] });
