// Messages that operators write.
import { JsonObject } from '@hilo/engine/contract';
import { issueCode, type Message, RequestedMessage, StrictMessage } from '@hilo/nodes';
import { z } from '@hono/zod-openapi';
import { boundIssues } from '../platform/bound-issues.ts';
import type { OperatorMessageOutcome, ConversationParts } from './conversations.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { conversation } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { HttpError, invalidInput } from '../platform/http/errors.ts';
import type { UsedKey } from '../messages/messages.ts';
import { checkForBot, checkWindow, keyTaken, prepareFiles, sendHeaders, sendKeyOf } from '../messages/send-request.ts';
import type { Bot } from '../tenants/companies.ts';
import { requireConversation, findConversation, notAttended, params, tags } from './find-conversation.ts';
import { bodyErrorResponses, CompanyQuery, formatInstant, parseOptionalObject } from '../platform/http/admin.ts';
import { requireBot } from '../tenants/companies.ts';

const OperatorMessage = z
  .object({
    success: z.literal(true),
    messageId: z.string().nullable().openapi({ description: 'Null for a text that leaves with others (GRP-01)' }),
    leavesAt: z.string().optional().openapi({ format: 'date-time', description: 'The latest time of sending' }),
  })
  .openapi('OperatorMessage');

/** What operators write (GRP-01). */
export const sendOperatorMessage = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/messages',
  operationId: 'sendOperatorMessage',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Sends a message of the operator, in order with all other messages to the user',
  description: 'A text may leave together with those that follow it: leavesAt says when at the latest.',
  params,
  query: CompanyQuery,
  headers: sendHeaders,
  body: closedBody('A message as POST /v1/bots/{botId}/messages takes it, without userId', messageSchema()),
  answer: jsonResponse('The message is stored and will be sent', OperatorMessage),
  refusals: bodyErrorResponses,
  example: {
    ...conversation,
    body: { type: 'text', text: 'Hello Ana, what can I do for you?' },
  },
  async handle({ c, params: { conversationId }, query }, service: ConversationParts) {
    const { company, row } = await requireConversation(service, query.companyId, conversationId);
    const body = parseOptionalObject(await c.req.text());
    const message = parseMessage(body);
    const bot = requireBot(service, company.id, row.botId);
    const key = sendKeyOf(c, body);
    const before = key === undefined ? undefined : await service.outbox.used({ companyId: company.id, botId: bot.id }, key);
    if (before !== undefined) return describeOutcome(before);
    if (row.state !== 'active' || row.operatorId === undefined) throw notAttended(row, 'takes messages');
    const sendable = await checkSendable(service, bot, row.userId, message);
    const outcome = await service.conversations.send(company.id, conversationId, sendable, key);
    if (outcome.kind === 'unattended') throw notAttended(await findConversation(service, company.id, conversationId), 'takes messages');
    return describeOutcome(outcome);
  },
});

function messageSchema(): JsonObject {
  const { $schema: _dialect, ...schema } = JsonObject.parse(z.toJSONSchema(RequestedMessage, { io: 'input', unrepresentable: 'any' }));
  return schema;
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
  const unknown =
    boundIssues(StrictMessage)
      .safeParse(body)
      .error?.issues.filter(({ code }) => code === 'unrecognized_keys') ?? [];
  const { data, error } = boundIssues(RequestedMessage).safeParse(body);
  const [first] = error?.issues ?? [];
  if (data === undefined) throw new HttpError(400, first === undefined ? 'INVALID_REQUEST' : issueCode(first), first?.message ?? '');
  if (unknown.length > 0) throw invalidInput({ issues: unknown });
  return data;
}

/**
 * @returns the message with an address in place of the handle of a file
 * @throws {HttpError} 400 for what the channel or the provider does not take, outside the 24-hour window, or for a file that cannot be sent
 */
async function checkSendable(service: ConversationParts, bot: Bot, userId: string, message: Message): Promise<JsonObject> {
  checkForBot(service, bot, message);
  const contact = await service.store.executions.contact(bot.companyId, bot.id, [userId]);
  await checkWindow(service, bot, userId, contact);
  const sendable = await prepareFiles(service, message, { ...message }, bot);
  await checkWindow(service, bot, userId, contact); // it may have closed while the file was checked (WIN-04)
  return sendable;
}
