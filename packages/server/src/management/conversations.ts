import type { JsonObject } from '@hilo/engine/contract';
import { issueCode, Message } from '@hilo/nodes';
import { askOne, read, written } from '@hilo/stores';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Chosen, Wanted } from '../conversations/choose-operator.ts';
import { type Said, usualIdleMs } from '../conversations/conversations.ts';
import type { HttpEnv } from '../http/context.ts';
import { describedBody, said } from '../http/described.ts';
import { invalidFields, notFound, Refusal } from '../http/refusal.ts';
import type { UsedKey } from '../outbox/outbox.ts';
import { Conversation, conversationView, type ListedConversation } from '../rest/conversations/conversation-view.ts';
import { pageOfConversations } from '../rest/conversations/statements.ts';
import { checkForChannel, readUserId } from '../rest/messages/read-send.ts';
import { keyTaken, sendKeyOf } from '../rest/messages/send-key.ts';
import { checkMedia } from '../rest/messages/sendable-media.ts';
import { checkWindow } from '../rest/messages/session-window.ts';
import type { Bot, Company } from '../service/companies.ts';
import type { Service } from '../service/service.ts';
import { companyOf } from './company-of.ts';
import { bodyOf, EndBody, objectIn, OpenBody, WantedBody } from './conversation-body.ts';
import { instant } from './instant.ts';
import { CompanyQuery } from './queries.ts';
import { bodyRefusals, refusals } from './responses.ts';

const params = z.object({ conversationId: z.string() });
const tags = ['Conversations'];
const path = '/conversations/{conversationId}';
const wantedBody = describedBody('Who goes on', {
  type: 'object',
  properties: { operatorId: { type: 'integer' }, teamId: { type: 'integer' } },
});
const endBody = describedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } });

const open = createRoute({
  method: 'post',
  path: '/conversations',
  tags,
  summary: 'An operator begins a conversation with a user',
  request: {
    query: CompanyQuery,
    body: describedBody('With whom, and who attends: without "operatorId" whoever attends the fewest', {
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
  responses: { 200: said('The conversation', Conversation), ...bodyRefusals },
});

const get = createRoute({
  method: 'get',
  path,
  tags,
  summary: 'A conversation as it stands now',
  request: { params, query: CompanyQuery },
  responses: { 200: said('The conversation', Conversation), ...refusals },
});

/** Judged by hand, as where a message is sent: a key that is none is a 400 there (MSG-03). */
const keyHeader = z.object({
  'idempotency-key': z.string().optional().openapi({ maxLength: 128, description: 'The same key and body within 24 hours is one message' }),
});

const OperatorMessage = z
  .object({
    success: z.literal(true),
    messageId: z.string().nullable().openapi({ description: 'Null for a text that leaves with others (GRP-01)' }),
    leavesAt: z.string().optional().openapi({ format: 'date-time', description: 'When it leaves at the latest' }),
  })
  .openapi('OperatorMessage');

const say = createRoute({
  method: 'post',
  path: `${path}/messages`,
  tags,
  summary: 'Sends a message of the operator, in the order of all that is sent to the user',
  request: {
    params,
    query: CompanyQuery,
    headers: keyHeader,
    body: describedBody('A message as POST /v1/bots/{botId}/messages takes it, without userId'),
  },
  responses: {
    200: said('It is kept, and leaves', OperatorMessage),
    ...bodyRefusals,
  },
});

const ending = (verb: 'close' | 'resolve') =>
  createRoute({
    method: 'post',
    path: `${path}/${verb}`,
    tags,
    summary: verb === 'close' ? 'Closes a conversation' : 'Closes a conversation whose matter is settled',
    request: { params, query: CompanyQuery, body: endBody },
    responses: { 200: said('As it ended', Conversation), ...bodyRefusals },
  });

const transfer = createRoute({
  method: 'post',
  path: `${path}/transfer`,
  tags,
  summary: 'Hands the user over to another operator or team, in a conversation of their own',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: said('The child, which goes on', Conversation), ...bodyRefusals },
});

const assign = createRoute({
  method: 'post',
  path: `${path}/assign`,
  tags,
  summary: 'Lets another operator go on with the same conversation',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: said('As it stands now', Conversation), ...bodyRefusals },
});

/** What operators do (CON-17, CON-18, GRP-01). */
export function conversationRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { conversations, companies, store, clock } = service;

  const find = async (companyId: string, id: string): Promise<ListedConversation> => {
    const any = {
      companyId,
      fromMs: 0 - latestMs,
      toMs: latestMs,
      limit: 1,
      offset: 0,
      botId: null,
      userKey: null,
      operatorId: null,
      state: null,
    };
    const row = await store.runner.read(() => askOne(pageOfConversations(['conversationId']), { ...any, conversationId: written(id) }));
    if (row === undefined) throw notFound('CONVERSATION_NOT_FOUND', `There is no conversation "${id}"`);
    return row;
  };
  const view = async (company: Company, id: string) => conversationView(await find(company.id, id), company, companies, clock.now());
  /** The company and the conversation of a path, before its body is looked at (GEN-09). */
  const found = async (companyId: string | undefined, id: string) => {
    const company = companyOf(service, companyId);
    return { company, row: await find(company.id, id) };
  };

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
        return c.json(await view(company, opened.id), 200);
      case 'taken':
        throw invalidFields({ userId: [`the user has the active conversation "${opened.id}": send messages there, or end it first`] });
      default:
        throw unwanted(opened.kind, { operatorId, teamId });
    }
  });

  app.openapi(get, async (c) => {
    const company = companyOf(service, c.req.valid('query').companyId);
    return c.json(await view(company, c.req.valid('param').conversationId), 200);
  });

  app.openapi(say, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await found(c.req.valid('query').companyId, conversationId);
    const body = objectIn(await c.req.text());
    const message = messageIn(body);
    const bot = botOf(service, company.id, read(row.bot_id));
    const key = sendKeyOf(c, body);
    const before = key === undefined ? undefined : await service.outbox.used({ companyId: company.id, botId: bot.id }, key);
    if (before !== undefined) return c.json(viewOf(before), 200);
    if (row.state !== 'active' || row.operator_id === null) throw notAttended(row, 'takes messages');
    await checkSendable(service, bot, read(row.user_id), message);
    const came = await conversations.say(company.id, conversationId, message, key);
    if (came.kind === 'unattended') throw notAttended(await find(company.id, conversationId), 'takes messages');
    return c.json(viewOf(came), 200);
  });

  for (const [verb, state, reason] of [
    ['close', 'closed', 'closed_by_operator'],
    ['resolve', 'resolved', 'resolved_by_operator'],
  ] as const)
    app.openapi(ending(verb), async (c) => {
      const { conversationId } = c.req.valid('param');
      const { company, row } = await found(c.req.valid('query').companyId, conversationId);
      const body = bodyOf(EndBody, await c.req.text());
      if (!(await conversations.end(company.id, conversationId, state, body.reason ?? reason))) throw notActive(row, state);
      return c.json(await view(company, conversationId), 200);
    });

  app.openapi(transfer, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await found(c.req.valid('query').companyId, conversationId);
    const to = bodyOf(WantedBody, await c.req.text());
    const moved = await conversations.transfer(company.id, conversationId, to);
    if (moved.kind === 'transferred') return c.json(await view(company, moved.childId), 200);
    throw moved.kind === 'ended' ? notActive(row, 'transferred') : unwanted(moved.kind, to);
  });

  app.openapi(assign, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await found(c.req.valid('query').companyId, conversationId);
    const to = bodyOf(WantedBody, await c.req.text());
    const assigned = await conversations.assign(company.id, conversationId, to);
    if (assigned.kind === 'assigned') return c.json(await view(company, conversationId), 200);
    throw assigned.kind === 'ended' ? notActive(row, 'assigned') : unwanted(assigned.kind, to);
  });
}

/** Any instant that a conversation can begin at. */
const latestMs = 8_640_000_000_000_000;

/** @throws {Refusal} 404 */
function botOf({ companies }: Pick<Service, 'companies'>, companyId: string, botId: string): Bot {
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

/** @throws {Refusal} 400 for a key that stands for another request */
function viewOf(came: Exclude<Said, { kind: 'unattended' }> | UsedKey): z.output<typeof OperatorMessage> {
  switch (came.kind) {
    case 'sent':
    case 'repeated':
      return { success: true, messageId: came.messageId };
    case 'gathered':
      return { success: true, messageId: null, leavesAt: instant(came.leavesAtMs) };
    case 'key-taken':
      throw keyTaken();
  }
}

/** @throws {Refusal} 400 with the code of the first thing that is wrong, as where a message is sent (MSG-03) */
function messageIn(body: JsonObject): Message {
  const { data, error } = Message.safeParse(body);
  const [first] = error?.issues ?? [];
  if (data === undefined) throw new Refusal(400, first === undefined ? 'INVALID_REQUEST' : issueCode(first), first?.message ?? '');
  return data;
}

/** @throws {Refusal} 400 for what the channel does not take, outside the 24-hour window, or for a file that cannot be sent */
async function checkSendable(service: Service, bot: Bot, userId: string, message: Message): Promise<void> {
  checkForChannel(message, bot);
  const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
  await checkWindow(service, bot, userId, contact);
  await checkMedia(service.media, message, bot);
}

const notActive = ({ id }: ListedConversation, what: string): Refusal =>
  invalidFields({ state: [`conversation "${read(id)}" has ended: only one that is active can be ${what}`] });

const notAttended = ({ id, state }: ListedConversation, what: string): Refusal =>
  state === 'active'
    ? invalidFields({ operatorId: [`nobody attends conversation "${read(id)}": assign it first`] })
    : invalidFields({ state: [`conversation "${read(id)}" has ended: only one that is active ${what}`] });

function unwanted(kind: Exclude<Chosen['kind'], 'chosen'>, { operatorId, teamId }: Wanted): Refusal {
  switch (kind) {
    case 'unknown-operator':
      return notFound('OPERATOR_NOT_FOUND', `There is no operator ${operatorId ?? ''}`);
    case 'unknown-team':
      return notFound('TEAM_NOT_FOUND', `There is no team ${teamId ?? ''}`);
    case 'of-another-team':
      return invalidFields({ operatorId: [`operator ${operatorId ?? ''} is not in team ${teamId ?? ''}`] });
    case 'nobody':
      return invalidFields({ teamId: ['there is no operator who could attend'] });
  }
}
