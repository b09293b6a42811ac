// The routes of campaigns in management: those that the clients of a company have, a list and one by one.
import { parseJsonObject } from '@hilo/engine';
import { z } from '@hono/zod-openapi';
import { sendHeaders } from '../messages/send-request.ts';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, createRowCursor, errorResponses, Page, PageQuery } from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { explainUnknownNames } from '../platform/http/unknown-names.ts';
import { requireCompany } from '../tenants/companies.ts';
import { add, cancelCampaign, changeCampaign, make, pause, report, requireCampaign, results, resume } from './campaign-acts.ts';
import type { MakingParts } from './make-campaign.ts';
import {
  Added,
  changeSchema,
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
  tags,
  texts,
} from './make-formats.ts';
import { Campaign, campaignView } from './schema.ts';
import { campaignsOfCompany } from './sql.ts';

const ofCompany = z.object({ companyId: z.string() });
const ofCampaign = ofCompany.extend({ campaignId: z.string() });
const path = { path: { companyId: '1', campaignId: 'camp_s' } };
/** The campaign that the example of the making makes: its id comes from the key. */
const madeExample = 'camp_ed89c7ac739a6560fc19dcbac80e1c55';
const refusals = { ...errorResponses, 400: bodyErrorResponses[400] };
const cursor = createRowCursor('campaigns');

/** Campaigns in management. */
export const adminCampaignRoutes: readonly Route<MakingParts>[] = [
  defineRoute({
    post: '/admin/v1/companies/{companyId}/campaigns',
    operationId: 'makeCompanyCampaign',
    auth: 'operator',
    permission: 'operate',
    ...say(texts.make),
    params: ofCompany,
    query: DryRunQuery,
    headers: sendHeaders,
    body: closedBody('The campaign', requestSchema),
    answer: dryAnswer,
    also: made,
    refusals: bodyErrorResponses,
    example: { path: { companyId: '1' }, headers: { 'idempotency-key': 'spring-2' }, body: example },
    async handle({ c, params: { companyId }, query: { dryRun } }, parts: MakingParts) {
      const { id } = requireCompany(parts, companyId);
      return make({ c, companyId: id, body: parseJsonObject(await c.req.text()), isManagement: true }, parts, dryRun === 'true');
    },
  }),
  defineRoute({
    get: '/admin/v1/companies/{companyId}/campaigns',
    operationId: 'listCompanyCampaigns',
    auth: 'operator',
    permission: 'view',
    tags,
    summary: 'The campaigns of a company, newest first',
    description: 'With their counts as of now.',
    params: ofCompany,
    query: z.object({ limit: PageQuery.shape.limit, cursor: cursor.query }),
    answer: jsonResponse('A page of campaigns', Page(Campaign)),
    refusals,
    example: { path: { companyId: '1' } },
    async handle({ params: { companyId }, query: { limit, cursor: from = '0' } }, parts: MakingParts) {
      const { id } = requireCompany(parts, companyId);
      const offset = Number(from);
      const rows = await parts.store.runner.read(campaignsOfCompany({ companyId: id, limit: limit + 1, offset }));
      const next = rows.length > limit ? String(offset + limit) : null;
      return { results: rows.slice(0, limit).map(campaignView), nextCursor: cursor.write(next) };
    },
  }),
  defineRoute({
    get: '/admin/v1/companies/{companyId}/campaigns/{campaignId}',
    operationId: 'getCompanyCampaign',
    auth: 'operator',
    permission: 'view',
    tags,
    summary: 'A campaign, with its counts as of now',
    description: 'Paused says since when nothing is sent, and why.',
    params: ofCampaign,
    answer: jsonResponse('The campaign', Campaign),
    refusals,
    example: path,
    handle: async ({ params: { companyId, campaignId } }, parts: MakingParts) =>
      campaignView(await requireCampaign(parts, requireCompany(parts, companyId).id, campaignId)),
  }),
  defineRoute({
    post: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/recipients',
    operationId: 'addCompanyCampaignRecipients',
    auth: 'operator',
    permission: 'operate',
    ...say(texts.add),
    params: ofCampaign,
    body: closedBody(recipientsTold, recipientsSchema),
    answer: jsonResponse('How many', Added),
    refusals: bodyErrorResponses,
    example: { ...path, body: { audience: { users: ['51999000222'] }, parameters: { name: 'Iris', code: 'A2' } } },
    async handle({ c, params: { companyId, campaignId } }, parts: MakingParts) {
      const { id } = requireCompany(parts, companyId);
      return add({ c, companyId: id, body: parseJsonObject(await c.req.text()), isManagement: true }, parts, campaignId);
    },
  }),
  defineRoute({
    post: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/pause',
    operationId: 'pauseCompanyCampaign',
    auth: 'operator',
    permission: 'operate',
    ...say(texts.pause),
    params: ofCampaign,
    answer: jsonResponse('The campaign', Campaign),
    refusals,
    example: path,
    handle({ c, operator, params: { companyId, campaignId } }, parts: MakingParts) {
      noteAct(c, { companyId, kind: 'campaign', id: campaignId });
      return pause(parts, requireCompany(parts, companyId).id, campaignId, operator);
    },
  }),
  defineRoute({
    post: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/resume',
    operationId: 'resumeCompanyCampaign',
    auth: 'operator',
    permission: 'operate',
    ...say(texts.resume),
    params: ofCampaign,
    answer: jsonResponse('The campaign', Campaign),
    refusals: { ...refusals, 409: jsonResponse('The provider has stopped its template', ErrorBody) },
    example: path,
    handle({ c, params: { companyId, campaignId } }, parts: MakingParts) {
      noteAct(c, { companyId, kind: 'campaign', id: campaignId });
      return resume(parts, requireCompany(parts, companyId).id, campaignId);
    },
  }),
  defineRoute({
    patch: '/admin/v1/companies/{companyId}/campaigns/{campaignId}',
    operationId: 'changeCompanyCampaign',
    auth: 'operator',
    permission: 'operate',
    tags,
    summary: 'Changes the name or the date of a campaign that is still scheduled',
    description: 'What the body leaves out stays as it is; one that has begun or ended is not changed.',
    params: ofCampaign,
    body: closedBody('One of them, or both', changeSchema),
    answer: jsonResponse('The campaign in its current state', Campaign),
    refusals: bodyErrorResponses,
    example: { ...path, body: { name: 'Spring, second try' } },
    async handle({ c, params: { companyId, campaignId } }, parts: MakingParts) {
      const body = parseJsonObject(await c.req.text());
      const unknown = explainUnknownNames(Object.keys(body), Object.keys(changeSchema.properties), 'this body');
      if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
      noteAct(c, { companyId, kind: 'campaign', id: campaignId, after: body });
      return changeCampaign(parts, requireCompany(parts, companyId).id, campaignId, body);
    },
  }),
  defineRoute({
    post: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/cancel',
    operationId: 'cancelCompanyCampaign',
    auth: 'operator',
    permission: 'operate',
    tags,
    summary: 'Cancels a campaign that is still scheduled: it reaches no recipient',
    description: 'One that has begun or ended is not changed: pause one that is on its way.',
    params: ofCampaign,
    answer: jsonResponse('The campaign', Campaign),
    refusals,
    example: { path: { companyId: '1', campaignId: madeExample } },
    async handle({ c, params: { companyId, campaignId } }, parts: MakingParts) {
      noteAct(c, { companyId, kind: 'campaign', id: campaignId });
      const { id } = requireCompany(parts, companyId);
      await cancelCampaign(parts, id, campaignId);
      return campaignView(await requireCampaign(parts, id, campaignId));
    },
  }),
  defineRoute({
    get: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/results',
    operationId: 'getCompanyCampaignResults',
    auth: 'operator',
    permission: 'view',
    ...say(texts.results),
    params: ofCampaign,
    answer: csvAnswer,
    refusals,
    example: path,
    handle: ({ c, params: { companyId, campaignId } }, parts: MakingParts) =>
      results(c, parts, requireCompany(parts, companyId).id, campaignId),
  }),
  defineRoute({
    get: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/report',
    operationId: 'getCompanyCampaignReport',
    auth: 'operator',
    permission: 'view',
    ...say(texts.report),
    params: ofCampaign,
    answer: jsonResponse('The counts', Report),
    refusals,
    example: path,
    handle: ({ params: { companyId, campaignId } }, parts: MakingParts) => report(parts, requireCompany(parts, companyId).id, campaignId),
  }),
];
