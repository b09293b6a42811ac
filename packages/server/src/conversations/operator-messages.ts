import { deliveryKey } from '@hilo/engine';
import { JsonObject } from '@hilo/engine/contract';
import { issueCode, Message, StrictMessage } from '@hilo/nodes';
import { decodeText } from '@hilo/stores';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { OperatorMessageOutcome, ConversationParts } from './conversations.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { HttpError, invalidInput } from '../platform/http/errors.ts';
import type { UsedKey } from '../messages/messages.ts';
import { checkForBot, checkMedia, checkWindow, keyTaken, sendKeyOf } from '../messages/send-request.ts';
import type { Bot } from '../tenants/companies.ts';
import { requireConversation, findConversation, notAttended, params, tags, path } from './find-conversation.ts';
import { bodyErrorResponses, CompanyQuery, formatInstant, parseOptionalObject } from '../platform/http/admin.ts';
import { requireBot } from '../tenants/companies.ts';

/** Validated in code, as for sending: a malformed key is a 400 there (MSG-03). */
const keyHeader = z.object({
  'idempotency-key': z.string().optional().openapi({
    maxLength: 128,
    pattern: deliveryKey.source,
    description: 'A repeated key with the same body within 24 hours is the same message',
  }),
});

const OperatorMessage = z
  .object({
    success: z.literal(true),
    messageId: z.string().nullable().openapi({ description: 'Null for a text that leaves with others (GRP-01)' }),
    leavesAt: z.string().optional().openapi({ format: 'date-time', description: 'The latest time of sending' }),
  })
  .openapi('OperatorMessage');

const say = createRoute({
  method: 'post',
  path: `${path}/messages`,
  operationId: 'sendOperatorMessage',
  tags,
  summary: 'Sends a message of the operator, in order with all other messages to the user',
  description: 'A text may leave together with those that follow it: leavesAt says when at the latest.',
  request: {
    params,
    query: CompanyQuery,
    headers: keyHeader,
    body: closedBody('A message as POST /v1/bots/{botId}/messages takes it, without userId', messageSchema()),
  },
  responses: {
    200: jsonResponse('The message is stored and will be sent', OperatorMessage),
    ...bodyErrorResponses,
  },
});

function messageSchema(): JsonObject {
  const { $schema: _dialect, ...schema } = JsonObject.parse(z.toJSONSchema(Message, { io: 'input', unrepresentable: 'any' }));
  return schema;
}

/** What operators write (GRP-01). */
export function operatorMessageRoutes(app: OpenAPIHono<HttpEnv>, service: ConversationParts): void {
  app.openapi(say, async (c) => {
    const { conversationId } = c.req.valid('param');
    const { company, row } = await requireConversation(service, c.req.valid('query').companyId, conversationId);
    const body = parseOptionalObject(await c.req.text());
    const message = parseMessage(body);
    const bot = requireBot(service, company.id, decodeText(row.bot_id));
    const key = sendKeyOf(c, body);
    const before = key === undefined ? undefined : await service.outbox.used({ companyId: company.id, botId: bot.id }, key);
    if (before !== undefined) return c.json(describeOutcome(before), 200);
    if (row.state !== 'active' || row.operator_id === null) throw notAttended(row, 'takes messages');
    await checkSendable(service, bot, decodeText(row.user_id), message);
    const outcome = await service.conversations.send(company.id, conversationId, message, key);
    if (outcome.kind === 'unattended') throw notAttended(await findConversation(service, company.id, conversationId), 'takes messages');
    return c.json(describeOutcome(outcome), 200);
  });
}

/** @throws {HttpError} 400 for a key that was used for another request */
function describeOutcome(outcome: Exclude<OperatorMessageOutcome, { kind: 'unattended' }> | UsedKey): z.output<typeof OperatorMessage> {
  switch (outcome.kind) {
    case 'sent':
    case 'repeated':
      return { success: true, messageId: outcome.messageId };
    case 'gathered':
      return { success: true, messageId: null, leavesAt: formatInstant(outcome.leavesAtMs) };
    case 'key-taken':
      throw keyTaken();
  }
}

/** @throws {HttpError} 400 with the code of the first thing that is wrong, as where a message is sent (MSG-03); 422 for unknown fields */
function parseMessage(body: JsonObject): Message {
  const unknown = StrictMessage.safeParse(body).error?.issues.filter(({ code }) => code === 'unrecognized_keys') ?? [];
  const { data, error } = Message.safeParse(body);
  const [first] = error?.issues ?? [];
  if (data === undefined) throw new HttpError(400, first === undefined ? 'INVALID_REQUEST' : issueCode(first), first?.message ?? '');
  if (unknown.length > 0) throw invalidInput({ issues: unknown });
  return data;
}

/** @throws {HttpError} 400 for what the channel or the provider does not take, outside the 24-hour window, or for a file that cannot be sent */
async function checkSendable(service: ConversationParts, bot: Bot, userId: string, message: Message): Promise<void> {
  checkForBot(service, bot, message);
  const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
  await checkWindow(service, bot, userId, contact);
  await checkMedia(service.media, message, bot);
}
