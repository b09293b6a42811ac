// The routes of campaigns for the clients of one company.
import { z } from '@hono/zod-openapi';
import { sendHeaders } from '../messages/send-request.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { ErrorBody, jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { restBodyErrorResponses, restErrorResponses, type RestTraffic, withBody } from '../platform/http/rest.ts';
import { add, make, pause, report, results, resume } from './campaign-acts.ts';
import type { MakingParts } from './make-campaign.ts';
import {
  Added,
  csvAnswer,
  dryAnswer,
  DryRunQuery,
  example,
  made,
  recipientsSchema,
  recipientsTold,
  Report,
  requestSchema,
  say,
  texts,
} from './make-formats.ts';
import { Campaign } from './schema.ts';

const ofRest = z.object({ campaignId: z.string() });
const restPath = { path: { campaignId: 'camp_s' } };
type RestParts = MakingParts & RestTraffic;

/** The same for the clients of one company. */
export const restCampaignRoutes: readonly Route<RestParts>[] = [
  defineRoute({
    post: '/v1/campaigns',
    operationId: 'makeCampaign',
    auth: 'basic',
    ...say(texts.make),
    query: DryRunQuery,
    headers: sendHeaders,
    body: jsonBody('The campaign', requestSchema),
    answer: dryAnswer,
    also: made,
    refusals: restBodyErrorResponses('No such bot, group, segment or contact'),
    example: { headers: { 'idempotency-key': 'spring-1' }, body: example },
    handle: ({ c, companyId, query: { dryRun } }, parts: RestParts) =>
      withBody(c, parts.traffic, (body) => make({ c, companyId, body, isManagement: false }, parts, dryRun === 'true')),
  }),
  defineRoute({
    post: '/v1/campaigns/{campaignId}/recipients',
    operationId: 'addCampaignRecipients',
    auth: 'basic',
    ...say(texts.add),
    params: ofRest,
    body: jsonBody(recipientsTold, recipientsSchema),
    answer: jsonResponse('How many', Added),
    refusals: restBodyErrorResponses('No such campaign, group, segment or contact'),
    example: { ...restPath, body: { audience: { users: ['51999000222'] }, parameters: { name: 'Iris', code: 'A2' } } },
    handle: ({ c, companyId, params: { campaignId } }, parts: RestParts) =>
      withBody(c, parts.traffic, (body) => add({ c, companyId, body, isManagement: false }, parts, campaignId)),
  }),
  defineRoute({
    post: '/v1/campaigns/{campaignId}/pause',
    operationId: 'pauseCampaign',
    auth: 'basic',
    ...say(texts.pause),
    params: ofRest,
    answer: jsonResponse('The campaign', Campaign),
    refusals: restErrorResponses('No such campaign'),
    example: restPath,
    handle: ({ companyId, params: { campaignId } }, parts: RestParts) => pause(parts, companyId, campaignId, 'a client of the company'),
  }),
  defineRoute({
    post: '/v1/campaigns/{campaignId}/resume',
    operationId: 'resumeCampaign',
    auth: 'basic',
    ...say(texts.resume),
    params: ofRest,
    answer: jsonResponse('The campaign', Campaign),
    refusals: { ...restErrorResponses('No such campaign'), 409: jsonResponse('The provider has stopped its template', ErrorBody) },
    example: restPath,
    handle: ({ companyId, params: { campaignId } }, parts: RestParts) => resume(parts, companyId, campaignId),
  }),
  defineRoute({
    get: '/v1/campaigns/{campaignId}/results',
    operationId: 'getCampaignResults',
    auth: 'basic',
    ...say(texts.results),
    params: ofRest,
    answer: csvAnswer,
    refusals: restErrorResponses('No such campaign'),
    example: restPath,
    handle: ({ c, companyId, params: { campaignId } }, parts: RestParts) => results(c, parts, companyId, campaignId),
  }),
  defineRoute({
    get: '/v1/campaigns/{campaignId}/report',
    operationId: 'getCampaignReport',
    auth: 'basic',
    ...say(texts.report),
    params: ofRest,
    answer: jsonResponse('The counts', Report),
    refusals: restErrorResponses('No such campaign'),
    example: restPath,
    handle: ({ companyId, params: { campaignId } }, parts: RestParts) => report(parts, companyId, campaignId),
  }),
];
