import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { readUserId } from '../messages/send-request.ts';
import { bodyErrorResponses, parseBody, CompanyQuery, errorResponses, Page, PageQuery, createRowCursor } from '../platform/http/admin.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { needs } from '../platform/http/auth/require-permission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { OperatorId } from '../platform/http/date-range.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireCompany, requireBot } from '../tenants/companies.ts';
import { usualIdleMs } from './activity.ts';
import type { ConversationParts } from './conversations.ts';
import {
  requireConversation,
  readConversationPage,
  notActive,
  noOperator,
  viewConversation,
  params,
  tags,
  path,
} from './find-conversation.ts';
import { operatorMessageRoutes } from './operator-messages.ts';
import { Conversation, conversationStates, describeConversation, EndBody, OpenBody, WantedBody } from './schema.ts';

const wantedBody = closedBody('Who takes over', {
  type: 'object',
  properties: { operatorId: { type: 'integer' }, teamId: { type: 'integer' } },
});
const endBody = closedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } });

const open = createRoute({
  method: 'post',
  path: '/conversations',
  operationId: 'openConversation',
  tags,
  summary: 'Starts a conversation of an operator with a user',
  description: 'The answer names the operator who has the conversation.',
  request: {
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
  },
  responses: { 200: jsonResponse('The conversation', Conversation), ...bodyErrorResponses },
});

const cursors = createRowCursor('conversations');

const ConversationsQuery = PageQuery.extend({
  botId: QueryText('botId', 128).optional(),
  userId: QueryText('userId', 256).optional(),
  operatorId: OperatorId.optional(),
  state: QueryChoice('state', conversationStates).optional(),
  cursor: cursors.query,
});

const list = createRoute({
  method: 'get',
  path: '/conversations',
  operationId: 'listConversations',
  ...needs('view'),
  tags,
  summary: 'Conversations of a company, newest first',
  description:
    'The cursor counts from the newest: a conversation that begins between two pages shifts another one onto the next page again.',
  request: {
    query: ConversationsQuery,
  },
  responses: { 200: jsonResponse('Conversations', Page(Conversation)), ...errorResponses },
});

const get = createRoute({
  method: 'get',
  path,
  operationId: 'getConversation',
  ...needs('view'),
  tags,
  summary: 'A conversation in its current state',
  description: 'Says whose it is, in which state, and when it began.',
  request: { params, query: CompanyQuery },
  responses: { 200: jsonResponse('The conversation', Conversation), ...errorResponses },
});

const createEndRoute = (verb: 'close' | 'resolve') =>
  createRoute({
    method: 'post',
    path: `${path}/${verb}`,
    operationId: `${verb}Conversation`,
    tags,
    summary: verb === 'close' ? 'Closes a conversation' : 'Closes a conversation whose matter is settled',
    description: 'The body may give a reason. The answer is the ended conversation.',
    request: { params, query: CompanyQuery, body: endBody },
    responses: { 200: jsonResponse('The ended conversation', Conversation), ...bodyErrorResponses },
  });

const transfer = createRoute({
  method: 'post',
  path: `${path}/transfer`,
  operationId: 'transferConversation',
  tags,
  summary: 'Hands the user over to another operator or team, in a conversation of their own',
  description: 'The conversation of the path ends; the answer is the one that continues it.',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: jsonResponse('The child, which continues', Conversation), ...bodyErrorResponses },
});

const assign = createRoute({
  method: 'post',
  path: `${path}/assign`,
  operationId: 'assignConversation',
  tags,
  summary: 'Lets another operator continue the same conversation',
  description: 'It stays open and keeps its id; who takes over is in the body.',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: jsonResponse('The conversation in its current state', Conversation), ...bodyErrorResponses },
});

/** What operators do (CON-17, CON-18, GRP-01). */
export function conversationRoutes(app: OpenAPIHono<HttpEnv>, service: ConversationParts): void {
  const { conversations, store } = service;

  app.openapi(open, async (c) => {
    const company = requireCompany(service, c.req.valid('query').companyId);
    const { botId, userId: given, operatorId, teamId, origin } = parseBody(OpenBody, await c.req.text());
    const bot = requireBot(service, company.id, botId);
    const userId = readUserId(given, bot);
    const contact = await store.executions.contact(company.id, bot.id, [userId]);
    const opening = {
      companyId: company.id,
      botId: bot.id,
      userId: contact?.userId ?? userId,
      origin,
      idleMs: usualIdleMs,
      isUserWaiting: false,
    };
    const opened = await conversations.open({ ...opening, operatorId, teamId });
    switch (opened.kind) {
      case 'opened':
        return c.json(await viewConversation(service, company, opened.id), 200);
      case 'taken':
        throw invalidFields({ userId: [`the user has the active conversation "${opened.id}": send messages there, or end it first`] });
      default:
        throw noOperator(opened.kind, { operatorId, teamId });
    }
  });

  app.openapi(list, async (c) => {
    const { companyId, limit, cursor = '0', botId, userId, operatorId, state } = c.req.valid('query');
    const company = requireCompany(service, companyId);
    const bots = botId === undefined ? service.companies.bots(company.id) : [requireBot(service, company.id, botId)];
    const offset = Number(cursor);
    const filter = { companyId: company.id, botId, userId, operatorId, state, offset, limit: limit + 1 };
    const rows = await readConversationPage(service, filter, bots);
    const results = rows.slice(0, limit).map((row) => describeConversation(row, company, service.companies, service.clock.now()));
    return c.json({ results, nextCursor: cursors.write(rows.length > limit ? String(offset + limit) : null) }, 200);
  });

  app.openapi(get, async (c) => {
    const company = requireCompany(service, c.req.valid('query').companyId);
    return c.json(await viewConversation(service, company, c.req.valid('param').conversationId), 200);
  });

  operatorMessageRoutes(app, service);

  for (const [verb, state, reason] of [
    ['close', 'closed', 'closed_by_operator'],
    ['resolve', 'resolved', 'resolved_by_operator'],
  ] as const)
    app.openapi(createEndRoute(verb), async (c) => {
      const { conversationId } = c.req.valid('param');
      const { company, row } = await requireConversation(service, c.req.valid('query').companyId, conversationId);
      const body = parseBody(EndBody, await c.req.text());
      if (!(await conversations.end(company.id, conversationId, state, body.reason ?? reason))) throw notActive(row, state);
      return c.json(await viewConversation(service, company, conversationId), 200);
    });

  app.openapi(transfer, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await requireConversation(service, c.req.valid('query').companyId, conversationId);
    const to = parseBody(WantedBody, await c.req.text());
    const moved = await conversations.transfer(company.id, conversationId, to);
    if (moved.kind === 'transferred') return c.json(await viewConversation(service, company, moved.childId), 200);
    throw moved.kind === 'ended' ? notActive(row, 'transferred') : noOperator(moved.kind, to);
  });

  app.openapi(assign, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await requireConversation(service, c.req.valid('query').companyId, conversationId);
    const to = parseBody(WantedBody, await c.req.text());
    const assigned = await conversations.assign(company.id, conversationId, to);
    if (assigned.kind === 'assigned') return c.json(await viewConversation(service, company, conversationId), 200);
    throw assigned.kind === 'ended' ? notActive(row, 'assigned') : noOperator(assigned.kind, to);
  });
}
