// Management of conversations.
import type { z } from '@hono/zod-openapi';
import { readUserId } from '../messages/send-request.ts';
import { bodyErrorResponses, parseBody, CompanyQuery, errorResponses, Page, PageQuery, createRowCursor } from '../platform/http/admin.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { defineRoute, type Route, type RouteCall } from '../platform/http/define-route.ts';
import { OperatorId } from '../platform/http/date-range.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { acme, conversation, exampleUser } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireCompany, requireBot } from '../tenants/companies.ts';
import { usualIdleMs } from './activity.ts';
import type { ConversationParts } from './conversations.ts';
import { requireConversation, readConversationPage, notActive, noOperator, viewConversation, params, tags } from './find-conversation.ts';
import { sendOperatorMessage } from './operator-messages.ts';
import { Conversation, conversationStates, describeConversation, EndBody, OpenBody, WantedBody } from './schema.ts';

const wantedBody = closedBody('Who takes over', {
  type: 'object',
  properties: { operatorId: { type: 'integer' }, teamId: { type: 'integer' } },
});
const endBody = closedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } });

const open = defineRoute({
  post: '/admin/v1/conversations',
  operationId: 'openConversation',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Starts a conversation of an operator with a user',
  description: 'The answer names the operator who has the conversation.',
  query: CompanyQuery,
  body: closedBody('The user, and the operator: without "operatorId" the one with the fewest conversations', {
    type: 'object',
    required: ['botId', 'userId'],
    properties: {
      botId: { type: 'string' },
      userId: { type: 'string' },
      operatorId: { type: 'integer' },
      teamId: { type: 'integer' },
      origin: { type: 'string', default: 'induced_by_operator' },
    },
  }),
  answer: jsonResponse('The conversation', Conversation),
  refusals: bodyErrorResponses,
  example: { ...acme, body: { botId: 'bot_wa', userId: exampleUser.id, operatorId: 10 } },
  async handle({ c, query }, service: ConversationParts) {
    const company = requireCompany(service, query.companyId);
    const { botId, userId: given, operatorId, teamId, origin } = parseBody(OpenBody, await c.req.text());
    const bot = requireBot(service, company.id, botId);
    const userId = readUserId(given, bot);
    const contact = await service.store.executions.contact(company.id, bot.id, [userId]);
    const opening = {
      companyId: company.id,
      botId: bot.id,
      userId: contact?.userId ?? userId,
      origin,
      idleMs: usualIdleMs,
      isUserWaiting: false,
    };
    const opened = await service.conversations.open({ ...opening, operatorId, teamId });
    switch (opened.kind) {
      case 'opened':
        return await viewConversation(service, company, opened.id);
      case 'taken':
        throw invalidFields({ userId: [`the user has the active conversation "${opened.id}": send messages there, or end it first`] });
      default:
        throw noOperator(opened.kind, { operatorId, teamId });
    }
  },
});

const cursors = createRowCursor('conversations');

const ConversationsQuery = PageQuery.extend({
  botId: QueryText('botId', 128).optional(),
  userId: QueryText('userId', 256).optional(),
  operatorId: OperatorId.optional(),
  state: QueryChoice('state', conversationStates).optional(),
  cursor: cursors.query,
});

const list = defineRoute({
  get: '/admin/v1/conversations',
  operationId: 'listConversations',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'Conversations of a company, newest first',
  description:
    'The cursor counts from the newest: a conversation that begins between two pages shifts another one onto the next page again.',
  query: ConversationsQuery,
  answer: jsonResponse('Conversations', Page(Conversation)),
  refusals: errorResponses,
  example: acme,
  async handle({ query: { companyId, limit, cursor = '0', botId, userId, operatorId, state } }, service: ConversationParts) {
    const company = requireCompany(service, companyId);
    const bots = botId === undefined ? service.companies.bots(company.id) : [requireBot(service, company.id, botId)];
    const offset = Number(cursor);
    const filter = { companyId: company.id, botId, userId, operatorId, state, offset, limit: limit + 1 };
    const rows = await readConversationPage(service, filter, bots);
    const results = rows.slice(0, limit).map((row) => describeConversation(row, company, service.companies, service.clock.now()));
    return { results, nextCursor: cursors.write(rows.length > limit ? String(offset + limit) : null) };
  },
});

const get = defineRoute({
  get: '/admin/v1/conversations/{conversationId}',
  operationId: 'getConversation',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'A conversation in its current state',
  description: 'Says whose it is, in which state, and when it began.',
  params,
  query: CompanyQuery,
  answer: jsonResponse('The conversation', Conversation),
  refusals: errorResponses,
  example: conversation,
  async handle({ params, query }, service: ConversationParts) {
    const company = requireCompany(service, query.companyId);
    return await viewConversation(service, company, params.conversationId);
  },
});

const close = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/close',
  operationId: 'closeConversation',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Closes a conversation',
  description: 'The body may give a reason. The answer is the ended conversation.',
  params,
  query: CompanyQuery,
  body: endBody,
  answer: jsonResponse('The ended conversation', Conversation),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { reason: 'Answered' } },
  handle: (call, service: ConversationParts) => end(call, service, 'closed', 'closed_by_operator'),
});

const resolve = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/resolve',
  operationId: 'resolveConversation',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Closes a conversation whose matter is settled',
  description: 'The body may give a reason. The answer is the ended conversation.',
  params,
  query: CompanyQuery,
  body: endBody,
  answer: jsonResponse('The ended conversation', Conversation),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { reason: 'Answered' } },
  handle: (call, service: ConversationParts) => end(call, service, 'resolved', 'resolved_by_operator'),
});

type EndCall = RouteCall<z.output<typeof params>, z.output<typeof CompanyQuery>>;

/** Ends a conversation, for the reason of the body or the usual one. */
async function end(
  { c, params: { conversationId }, query }: EndCall,
  service: ConversationParts,
  state: 'closed' | 'resolved',
  usual: string,
) {
  const { company, row } = await requireConversation(service, query.companyId, conversationId);
  const { reason = usual } = parseBody(EndBody, await c.req.text());
  if (!(await service.conversations.end(company.id, conversationId, state, reason))) throw notActive(row, state);
  return await viewConversation(service, company, conversationId);
}

const transfer = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/transfer',
  operationId: 'transferConversation',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Hands the user over to another operator or team, in a conversation of their own',
  description: 'The conversation of the path ends; the answer is the one that continues it.',
  params,
  query: CompanyQuery,
  body: wantedBody,
  answer: jsonResponse('The child, which continues', Conversation),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { operatorId: 11 } },
  async handle({ c, params: { conversationId }, query }, service: ConversationParts) {
    const { company, row } = await requireConversation(service, query.companyId, conversationId);
    const to = parseBody(WantedBody, await c.req.text());
    const moved = await service.conversations.transfer(company.id, conversationId, to);
    if (moved.kind === 'transferred') return await viewConversation(service, company, moved.childId);
    throw moved.kind === 'ended' ? notActive(row, 'transferred') : noOperator(moved.kind, to);
  },
});

const assign = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/assign',
  operationId: 'assignConversation',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Lets another operator continue the same conversation',
  description: 'It stays open and keeps its id; who takes over is in the body.',
  params,
  query: CompanyQuery,
  body: wantedBody,
  answer: jsonResponse('The conversation in its current state', Conversation),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { operatorId: 11 } },
  async handle({ c, params: { conversationId }, query }, service: ConversationParts) {
    const { company, row } = await requireConversation(service, query.companyId, conversationId);
    const to = parseBody(WantedBody, await c.req.text());
    const assigned = await service.conversations.assign(company.id, conversationId, to);
    if (assigned.kind === 'assigned') return await viewConversation(service, company, conversationId);
    throw assigned.kind === 'ended' ? notActive(row, 'assigned') : noOperator(assigned.kind, to);
  },
});

/** What operators do (CON-17, CON-18, GRP-01). */
export const conversationRoutes: readonly Route<ConversationParts>[] = [
  open,
  list,
  get,
  sendOperatorMessage,
  close,
  resolve,
  transfer,
  assign,
];
