// The routes by which operators see the templates of a company as their providers have them, make them there, and delete them.
import { isHiloError, type JsonObject } from '@hilo/engine/contract';
import { templateParameters } from '@hilo/nodes/effects';
import { z } from '@hono/zod-openapi';
import { boundIssues } from '../platform/bound-issues.ts';
import { noteAct } from '../platform/http/acts.ts';
import {
  bodyErrorResponses,
  CompanyQuery,
  createRowCursor,
  errorResponses,
  formatInstant,
  Instant,
  Page,
  PageQuery,
  parseOptionalObject,
  problemsRefused,
} from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidInput } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { type MessageTemplate, requireBotById } from '../tenants/companies.ts';
import { templateCategories } from '../tenants/workspace/template-words.ts';
import { type ChangingParts, deleteTemplate, makeTemplate, submitTemplate } from './change-templates.ts';
import { syncTemplates } from './sync-templates.ts';

const tags = ['Templates'];

const Template = z
  .object({
    id: z.string(),
    botId: z.string(),
    elementName: z.string().openapi({ description: 'The name that the provider has for it; several languages share it' }),
    language: z.string().openapi({ example: 'es_MX' }),
    category: z.string().openapi({ description: "The provider's, where it is known", example: 'UTILITY' }),
    status: z.string().openapi({ description: "The provider's, where it is known; else what the workspace claims", example: 'APPROVED' }),
    reason: z.string().nullable().openapi({ description: 'Why it has this status, as the provider says it', example: 'INVALID_FORMAT' }),
    quality: z.string().nullable().openapi({ description: 'Null where the provider has not told it', example: 'GREEN' }),
    notice: z.string().nullable().openapi({ description: 'What to know beside the status', example: 'FLAGGED' }),
    categoryToCome: z.string().nullable().openapi({ description: 'The category that it will have', example: 'MARKETING' }),
    statusAt: Instant.nullable().openapi({
      type: ['string', 'null'],
      description: 'Since when, or as of when; null for a claim of the workspace',
    }),
    providerId: z.string().nullable().openapi({ description: "The provider's own id of it", example: '1689556908129832' }),
    parameters: z.array(z.string()).openapi({ description: 'The parameters that it needs', example: ['1'] }),
    body: z.string().nullable(),
  })
  .openapi('CompanyTemplate');

function describeTemplate(template: MessageTemplate): z.input<typeof Template> {
  const { id, botId, elementName, language, category, status, body, reported } = template;
  const { notice, quality, categoryToCome, providerId } = reported ?? {};
  const isDue = notice !== undefined && notice.atMs >= (reported?.status?.atMs ?? 0);
  const isToCome =
    categoryToCome !== undefined && categoryToCome.category !== category && categoryToCome.atMs >= (reported?.category?.atMs ?? 0);
  return {
    id,
    botId,
    elementName,
    language,
    category,
    status,
    reason: reported?.status?.reason ?? null,
    quality: quality?.quality ?? null,
    notice: isDue ? notice.reason : null,
    categoryToCome: isToCome ? categoryToCome.category : null,
    statusAt: reported?.status === undefined ? null : formatInstant(reported.status.atMs),
    providerId: providerId ?? null,
    parameters: [...templateParameters(template).required],
    body: body ?? null,
  };
}

const ofCompany = z.object({ companyId: z.string() });
const ofTemplate = ofCompany.extend({ id: z.string() });
const cursors = createRowCursor('templates');

const ListQuery = PageQuery.omit({ companyId: true }).extend({
  botId: QueryText('botId', 200).optional().openapi({ description: 'Of one bot', example: 'bot_wa' }),
  status: QueryText('status', 40).optional().openapi({ description: 'Of one status', example: 'APPROVED' }),
  cursor: cursors.query,
});

const list = defineRoute({
  get: '/admin/v1/companies/{companyId}/templates',
  operationId: 'listTemplates',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The templates of a company with their status, category, quality and language',
  description:
    'By id. Status, category and quality are those of the provider, as it last told them, where it has; else those of the workspace.',
  params: ofCompany,
  query: ListQuery,
  answer: jsonResponse('A page of templates', Page(Template)),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ companyId, query: { botId, status, limit, cursor } }, { companies }: Pick<ChangingParts, 'companies'>) {
    const from = cursor === undefined ? 0 : Number(cursor);
    const all = companies
      .templates(companyId)
      .filter((one) => (botId === undefined || one.botId === botId) && (status === undefined || one.status === status))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const next = from + limit < all.length ? String(from + limit) : null;
    return { results: all.slice(from, from + limit).map(describeTemplate), nextCursor: cursors.write(next) };
  },
});

const refused = { 409: jsonResponse('The provider cannot be asked, or refuses', ErrorBody) };

const Synced = z
  .object({
    botId: z.string(),
    listed: z.int().openapi({ description: 'Templates that the account has' }),
    added: z.array(z.string()).readonly().openapi({ description: 'Ids of those that the company did not have' }),
    changed: z.array(z.string()).readonly().openapi({ description: 'Ids of those of which something else is known now' }),
    missing: z.array(z.string()).readonly().openapi({ description: 'Ids of templates of the bot that the account does not have' }),
    leftOut: z.int().openapi({ description: 'Templates of the account that a workspace could not hold' }),
  })
  .openapi('SyncedTemplates');

const sync = defineRoute({
  post: '/admin/v1/bots/{botId}/templates/sync',
  operationId: 'syncTemplates',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Brings the templates of a bot up to date with its provider, and adds those that the company does not have',
  description:
    'Status, quality and category are those of the provider from then on. A template that it has no more is DELETED, where it had it. Campaigns of one that it has stopped, or put into another category, are paused.',
  params: z.object({ botId: z.string() }),
  query: CompanyQuery,
  answer: jsonResponse('What was found and done', Synced),
  refusals: { ...errorResponses, ...refused },
  example: { path: { botId: 'bot_wa' }, query: { companyId: '1' } },
  async handle({ c, params: { botId }, query: { companyId } }, parts: ChangingParts) {
    const bot = requireBotById(parts, botId, companyId);
    const synced = await syncTemplates(parts, bot, { adds: true });
    const { listed, added, changed } = synced;
    noteAct(c, { companyId: bot.companyId, kind: 'bot', id: botId, after: { listed, added: added.length, changed: changed.length } });
    return synced;
  },
});

const text = (name: string) => z.string(`${name} is a text`).min(1, `${name} is empty`).max(512, `${name} has at most 512 characters`);

/** What is looked at before the rules of a workspace judge the rest. */
const Request = z.looseObject({
  id: text('id').optional(),
  botId: text('botId'),
  elementName: text('elementName').regex(/^[a-z0-9_]+$/, 'elementName has small letters, digits and "_" alone'),
  language: text('language'),
  status: z.undefined('status is what the provider says: leave it out').optional(),
});

const requestSchema: JsonObject = {
  type: 'object',
  required: ['botId', 'elementName', 'language', 'category'],
  properties: {
    id: { type: 'string', description: 'The id here; elementName and language, when left out' },
    botId: { type: 'string', examples: ['bot_wa'] },
    elementName: { type: 'string', description: 'Small letters, digits and "_"', pattern: '^[a-z0-9_]+$', examples: ['order_shipped'] },
    language: { type: 'string', examples: ['es_MX'] },
    category: { type: 'string', description: 'What it is for: the provider may put it into another one', enum: [...templateCategories] },
    body: { type: 'string', description: 'With {{1}} or {{name}} for parameters' },
    components: {
      type: ['array', 'object'],
      description: 'Header, body, footer and buttons as the provider names them, instead of or beside body',
      items: { type: 'object', additionalProperties: true },
      additionalProperties: true,
    },
  },
};

const create = defineRoute({
  post: '/admin/v1/companies/{companyId}/templates',
  operationId: 'createTemplate',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Adds a template and submits it to the provider of its bot',
  description:
    'It is validated as in a workspace first. Each place gets a sample for the review, where the components have none. A template that the provider refuses is not added.',
  params: ofCompany,
  body: closedBody('The template', requestSchema),
  also: { 201: jsonResponse('The template, with the status that the provider gives it', Template) },
  refusals: { ...bodyErrorResponses, ...refused },
  example: {
    path: { companyId: '1' },
    body: { botId: 'bot_wa', elementName: 'order_shipped', language: 'en', category: 'UTILITY', body: 'Order {{1}} is on its way.' },
  },
  async handle({ c, companyId }, parts: ChangingParts) {
    const record = parseOptionalObject(await c.req.text());
    const { data, error } = boundIssues(Request).safeParse(record);
    if (error !== undefined) throw invalidInput(error);
    noteAct(c, { companyId, kind: 'template', id: data.id ?? `${data.elementName}.${data.language}` });
    try {
      return c.json(describeTemplate(await makeTemplate(parts, companyId, data, record)), 201);
    } catch (cause) {
      throw isHiloError(cause, 'WORKSPACE_REFUSED') ? problemsRefused(cause.details.problems) : cause;
    }
  },
});

const submit = defineRoute({
  post: '/admin/v1/companies/{companyId}/templates/{id}/submit',
  operationId: 'submitTemplate',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Submits a template of the company to the provider of its bot',
  description: 'For one that a workspace has brought in and the provider does not have.',
  params: ofTemplate,
  answer: jsonResponse('The template, with the status that the provider gives it', Template),
  refusals: { ...errorResponses, ...refused },
  example: { path: { companyId: '1', id: 'tpl1' } },
  handle: async ({ companyId, params: { id } }, parts: ChangingParts) => describeTemplate(await submitTemplate(parts, companyId, id)),
});

const remove = defineRoute({
  delete: '/admin/v1/companies/{companyId}/templates/{id}',
  operationId: 'deleteTemplate',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Removes a template, and deletes it at the provider of its bot',
  description:
    'One language alone. Refused while a published workflow or a campaign that has not ended uses it. A provider without an interface for templates, or a bot that does not name its account, loses the record alone.',
  params: ofTemplate,
  query: z.object({
    atProvider: QueryChoice('atProvider', ['delete', 'keep'])
      .default('delete')
      .openapi({ description: 'keep leaves it at the provider: the next sync adds it again' }),
  }),
  answer: jsonResponse(
    'It was removed',
    z.object({
      id: z.string(),
      isDeletedAtProvider: z.literal(true).optional().openapi({ description: 'Where it was deleted at the provider too', example: true }),
    }),
  ),
  refusals: { ...errorResponses, 409: jsonResponse('Something uses it, or the provider refuses: nothing was removed', ErrorBody) },
  example: { path: { companyId: '1', id: 'tpl2' } },
  async handle({ companyId, params: { id }, query: { atProvider } }, parts: ChangingParts) {
    const isDeletedAtProvider = await deleteTemplate(parts, companyId, id, atProvider === 'keep');
    return { id, ...(isDeletedAtProvider && { isDeletedAtProvider }) };
  },
});

/** The templates of companies, where the service stores them itself. */
export const templateRoutes: readonly Route<ChangingParts>[] = [list, sync, create, submit, remove];
