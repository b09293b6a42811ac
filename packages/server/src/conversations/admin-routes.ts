import type { OpenAPIHono } from '@hono/zod-openapi';
import { usualIdleMs } from './conversations.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidFields } from '../platform/http/refusal.ts';
import { readUserId } from '../messages/read-send.ts';
import type { Service } from '../service.ts';
import { companyOf } from '../tenants/company-of.ts';
import { bodyOf, EndBody, OpenBody, WantedBody } from './conversation-body.ts';
import { notActive, unwanted } from './conversation-refusals.ts';
import { assign, ending, get, open, transfer } from './conversation-routes.ts';
import { botOf, conversationOf, viewConversation } from './find-conversation.ts';
import { operatorMessageRoutes } from './operator-messages.ts';

/** What operators do (CON-17, CON-18, GRP-01). */
export function conversationRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { conversations, store } = service;

  app.openapi(open, async (c) => {
    const company = companyOf(service, c.req.valid('query').companyId);
    const { botId, userId: given, operatorId, teamId, origin } = bodyOf(OpenBody, await c.req.text());
    const bot = botOf(service, company.id, botId);
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
        throw unwanted(opened.kind, { operatorId, teamId });
    }
  });

  app.openapi(get, async (c) => {
    const company = companyOf(service, c.req.valid('query').companyId);
    return c.json(await viewConversation(service, company, c.req.valid('param').conversationId), 200);
  });

  operatorMessageRoutes(app, service);

  for (const [verb, state, reason] of [
    ['close', 'closed', 'closed_by_operator'],
    ['resolve', 'resolved', 'resolved_by_operator'],
  ] as const)
    app.openapi(ending(verb), async (c) => {
      const { conversationId } = c.req.valid('param');
      const { company, row } = await conversationOf(service, c.req.valid('query').companyId, conversationId);
      const body = bodyOf(EndBody, await c.req.text());
      if (!(await conversations.end(company.id, conversationId, state, body.reason ?? reason))) throw notActive(row, state);
      return c.json(await viewConversation(service, company, conversationId), 200);
    });

  app.openapi(transfer, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await conversationOf(service, c.req.valid('query').companyId, conversationId);
    const to = bodyOf(WantedBody, await c.req.text());
    const moved = await conversations.transfer(company.id, conversationId, to);
    if (moved.kind === 'transferred') return c.json(await viewConversation(service, company, moved.childId), 200);
    throw moved.kind === 'ended' ? notActive(row, 'transferred') : unwanted(moved.kind, to);
  });

  app.openapi(assign, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await conversationOf(service, c.req.valid('query').companyId, conversationId);
    const to = bodyOf(WantedBody, await c.req.text());
    const assigned = await conversations.assign(company.id, conversationId, to);
    if (assigned.kind === 'assigned') return c.json(await viewConversation(service, company, conversationId), 200);
    throw assigned.kind === 'ended' ? notActive(row, 'assigned') : unwanted(assigned.kind, to);
  });
}
