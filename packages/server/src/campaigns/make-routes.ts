// Campaigns are made, tried out, paused and looked back on by two doors with the same answers: the REST API of a company, and management.
import { parseJsonObject } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { call, encodeText } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, createRowCursor, errorResponses, Page, PageQuery } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { HttpError, invalidFields, invalidInput, notFound } from '../platform/http/errors.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { closedBody, ErrorBody, jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice } from '../platform/http/query.ts';
import { restBodyErrorResponses, restErrorResponses, type RestTraffic, withBody } from '../platform/http/rest.ts';
import { explainUnknownNames } from '../platform/http/unknown-names.ts';
import { sendKeyOf, sendHeaders } from '../messages/send-request.ts';
import { campaigns } from '../platform/tables/campaigns.ts';
import { requireCompany } from '../tenants/companies.ts';
import { Audience } from './audience.ts';
import { addRecipients, makeCampaign, type MakingParts, tryCampaign } from './make-campaign.ts';
import { replyMs, reportCampaign, writeResults } from './results.ts';
import { Campaign, CampaignName, campaignView, laterInstant } from './schema.ts';
import { campaignOf, campaignsOfCompany, pauseOpen, resumePaused } from './sql.ts';
import { heldReason, isHeld } from '../tenants/template-status.ts';

const tags = ['Campaigns'];

/** Messages a second that a campaign may ask for. */
const maxPerSecond = 1_000;

const Filling = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String)], 'a parameter is a text or a number'),
  'parameters is an object of names and texts',
);

const Request = (nowMs: () => number) =>
  z.object({
    name: CampaignName,
    botId: z.string('botId is a text').min(1, 'botId is empty'),
    templateId: z.string('templateId is a text').min(1, 'templateId is empty'),
    audience: Audience,
    parameters: Filling.default({}),
    scheduledAt: laterInstant(nowMs).optional(),
    perSecond: z
      .int('perSecond is a whole number')
      .min(1, 'perSecond is at least 1')
      .max(maxPerSecond, `perSecond is at most ${maxPerSecond}`)
      .optional(),
  });

const audienceField: JsonObject = {
  type: 'object',
  description: 'One of the four',
  properties: {
    users: { type: 'array', items: { type: 'string' }, description: 'Ids of users, or contacts by con_…, phone:… or bsuid:…' },
    group: { type: 'string', description: 'Everybody in a group', examples: ['vip'] },
    segment: { type: 'string', description: 'Whom a segment fits now', examples: ['lima'] },
    csv: {
      type: 'string',
      description: 'Rows below a first line with a column "user" or "phone"',
      examples: ['user,code\n51999000111,A1'],
    },
  },
};
const parametersField: JsonObject = {
  type: 'object',
  description: 'Texts with {{user.names}}, {{user.fields.KEY}} or, of a CSV, {{row.COLUMN}}',
  additionalProperties: { type: 'string' },
};

const requestSchema: JsonObject = {
  type: 'object',
  required: ['name', 'botId', 'templateId', 'audience'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 500 },
    botId: { type: 'string' },
    templateId: { type: 'string', description: 'The id or the element name of an approved template of the bot' },
    audience: audienceField,
    parameters: parametersField,
    scheduledAt: { type: 'string', format: 'date-time', description: 'With a time zone, and later than now; at once, when left out' },
    perSecond: { type: 'integer', minimum: 1, maximum: maxPerSecond, description: 'Messages a second, at most' },
  },
};

const recipientsSchema: JsonObject = {
  type: 'object',
  required: ['audience'],
  properties: { audience: audienceField, parameters: parametersField },
};
const recipientsTold = 'Whom, and what their template is filled with';

const DryRunQuery = z.object({
  dryRun: QueryChoice('dryRun', ['true', 'false'])
    .optional()
    .openapi({ description: 'true counts what the campaign would be, and writes nothing' }),
});

const DryRun = z
  .object({
    recipients: z.int().openapi({ description: 'People, each once, also those without consent' }),
    duplicates: z.int().openapi({ description: 'Further mentions of the same people' }),
    noConsent: z.int().openapi({ description: 'Of the recipients those who have stopped such messages' }),
    missingParameters: z
      .array(z.object({ user: z.string().openapi({ example: '51999000333' }), parameter: z.string() }))
      .readonly()
      .openapi({ description: 'For whom nothing is known; 1,000 at most' }),
  })
  .openapi('CampaignDryRun');

const Added = z.object({ added: z.int(), duplicates: z.int() }).openapi('AddedRecipients');

const Report = z
  .object({
    recipients: z.int(),
    pending: z.int(),
    sent: z.int().openapi({ description: 'Taken by the provider and not failed since: also those that arrived' }),
    delivered: z.int().openapi({ description: 'Arrived: also those that were read' }),
    read: z.int(),
    failed: z.record(z.string(), z.int()).openapi({ description: 'By code', example: { INVALID_PARAMETERS: 2 } }),
    skipped: z.object({ consent: z.int() }),
    replied: z.int().openapi({ description: `Who wrote within ${replyMs / 3_600_000} hours of their message` }),
  })
  .openapi('CampaignReport');

const example = {
  name: 'Spring',
  botId: 'bot_wa',
  templateId: 'tpl1',
  audience: { users: [exampleUser.id] },
  parameters: { name: '{{user.names}}', code: 'A1' },
  scheduledAt: '2031-04-01T09:00:00-05:00',
};

/** @throws {HttpError} 422 by field */
function read<Schema extends z.ZodObject>(schema: Schema, body: JsonObject, isClosed: boolean): z.output<Schema> {
  const unknown = isClosed ? explainUnknownNames(Object.keys(body), Object.keys(schema.shape), 'this body') : {};
  if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) throw invalidInput(error);
  return data;
}

/** A request at either door. */
interface Entered {
  readonly c: Context<HttpEnv>;
  readonly companyId: string;
  readonly body: JsonObject;
  readonly isManagement: boolean;
}

async function make({ c, companyId, body, isManagement }: Entered, parts: MakingParts, isDryRun: boolean): Promise<Response> {
  const company = requireCompany(parts, companyId);
  const request = read(
    Request(() => parts.clock.now()),
    body,
    isManagement,
  );
  if (isDryRun) return c.json(await tryCampaign(parts, company, request), 200);
  const made = campaignView(await makeCampaign(parts, company, request, sendKeyOf(c, body)?.value));
  if (isManagement) noteAct(c, { companyId, kind: 'campaign', id: made.id, after: { name: made.name, recipients: made.totalMessages } });
  return c.json(made, 201);
}

const Addition = z.object({ audience: Audience, parameters: Filling.default({}) });

async function add({ c, companyId, body, isManagement }: Entered, parts: MakingParts, campaignId: string): Promise<z.input<typeof Added>> {
  const company = requireCompany(parts, companyId);
  const { audience, parameters } = read(Addition, body, isManagement);
  const added = await addRecipients(parts, company, campaignId, audience, parameters);
  if (isManagement) noteAct(c, { companyId, kind: 'campaign', id: campaignId, after: { ...added } });
  return added;
}

/** @throws {HttpError} 404 */
async function requireCampaign({ store: { runner } }: MakingParts, companyId: string, id: string) {
  const row = await runner.readOne(call(campaignOf, { companyId: encodeText(companyId), id: encodeText(id) }));
  if (row === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  return row;
}

/** @throws {HttpError} 404; 422 for one that has ended */
async function pause(parts: MakingParts, companyId: string, id: string, by: string): Promise<z.output<typeof Campaign>> {
  const step = { companyId: encodeText(companyId), id: encodeText(id) };
  await parts.store.runner.write([call(pauseOpen, { ...step, nowMs: parts.clock.now(), reason: encodeText(`paused by ${by}`) })]);
  const row = await requireCampaign(parts, companyId, id);
  if (row.paused_at_ms === null) throw invalidFields({ status: [`the campaign is ${row.status}: it has nothing left to pause`] });
  return campaignView(row);
}

/** @throws {HttpError} 404; 409 while its template is stopped; 422 for one that has ended */
async function resume(parts: MakingParts, companyId: string, id: string): Promise<z.output<typeof Campaign>> {
  const { runner } = parts.store;
  const found = await runner.readOne(campaigns.find({ companyId, id }));
  const template = found === undefined ? undefined : parts.companies.template(companyId, found.templateId);
  if (template !== undefined && isHeld(template))
    throw new HttpError(409, 'TEMPLATE_STOPPED', `Campaign "${id}" cannot go on: ${heldReason(template)}`);
  await runner.write([call(resumePaused, { companyId: encodeText(companyId), id: encodeText(id) })]);
  const row = await requireCampaign(parts, companyId, id);
  if (row.status === 'COMPLETED' || row.status === 'CANCELLED')
    throw invalidFields({ status: [`the campaign is ${row.status}: it does not go on`] });
  return campaignView(row);
}

/** @throws {HttpError} 404 */
async function results(c: Context<HttpEnv>, parts: MakingParts, companyId: string, id: string): Promise<Response> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  const lines = writeResults(parts.store.runner, { companyId, id, botId: campaign.botId });
  const bytes = ReadableStream.from(encodeChunks(lines));
  return c.body(bytes, 200, { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="results.csv"' });
}

async function* encodeChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

/** @throws {HttpError} 404 */
async function report(parts: MakingParts, companyId: string, id: string): Promise<z.input<typeof Report>> {
  const campaign = await parts.store.runner.readOne(campaigns.find({ companyId, id }));
  if (campaign === undefined) throw notFound('CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
  return reportCampaign(parts.store.runner, { companyId, id, botId: campaign.botId });
}

const csvAnswer = {
  description: 'A line for each recipient: user, status, messageId, error, at',
  content: { 'text/csv': { schema: { type: 'string' as const }, example: 'user,status,messageId,error,at\r\n' } },
};
const made = { 201: jsonResponse('The campaign', Campaign) };
const dryAnswer = jsonResponse('With dryRun=true: what the campaign would be', DryRun);

const texts = {
  make: [
    'Makes a campaign for users, a group, a segment or the rows of a CSV',
    'Its recipients are those of now. Who has stopped such messages is counted in skipped.consent and gets nothing. With Idempotency-Key, a repeated key is the same campaign.',
  ],
  add: ['Adds recipients to a campaign that is SCHEDULED', 'Who is a recipient already, by any spelling of their number, stays once.'],
  pause: [
    'Pauses a campaign: nothing more of it is sent until it is resumed',
    'Its status stays; a message that is being handed over still leaves.',
  ],
  resume: ['Goes on with a campaign that is paused', 'One whose time has come meanwhile begins at once.'],
  results: ['What became of each recipient, as CSV', 'Texts that a spreadsheet would take for formulas begin with an apostrophe.'],
  report: ['What became of the recipients, counted', 'As of now: providers tell for days who has read a message.'],
} as const;
const say = ([summary, description]: readonly [string, string]) => ({ tags, summary, description });

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

const ofCompany = z.object({ companyId: z.string() });
const ofCampaign = ofCompany.extend({ campaignId: z.string() });
const path = { path: { companyId: '1', campaignId: 'camp_s' } };
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
      const rows = await parts.store.runner.read(call(campaignsOfCompany, { companyId: encodeText(id), limit: limit + 1, offset }));
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
