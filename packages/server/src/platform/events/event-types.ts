// The events that subscribers may hear, each with what its data has. The page docs/events.md is made from this.
import { findNearestName, JsonObject, suggest } from '@hilo/engine/contract';
import { z } from 'zod';

const Message = JsonObject.describe('The message, as canvases have it');
const BotId = z.string().describe('The bot');
const UserId = z.string().describe('The user, as the bot knows them: BOT:ID names their contact');
const ExecutionId = z.string().describe('The execution');
const Failure = z.object({ cause: z.string(), message: z.string(), nodeId: z.string().optional() }).describe('Why it failed');

const execution = {
  executionId: ExecutionId,
  workflowId: z.string().describe('The workflow'),
  version: z.union([z.int(), z.literal('draft')]).describe('Its version, or draft'),
  route: z.enum(['production', 'test']).describe('Whether it is a test'),
  botId: BotId.optional(),
  userId: UserId.optional(),
  parentExecutionId: z.string().optional().describe('The execution that called it'),
};

const conversation = {
  conversationId: z.string().describe('The conversation'),
  botId: BotId,
  userId: UserId,
  operatorId: z.int().nullable().describe('The operator, where one has it'),
  teamName: z.string().nullable().describe('The team, where it came by one'),
};

const person = { botId: BotId.optional(), userId: UserId };

const campaign = { campaignId: z.string().describe('The campaign') };

/** @param says - when it happens, as a sentence for subscribers */
const event = <Shape extends z.ZodRawShape>(says: string, shape: Shape) => ({ says, data: z.strictObject(shape) });

/** Every event by its name. */
export const eventTypes = {
  'message.received': event('A user has written to a bot.', {
    botId: BotId,
    userId: UserId,
    messageId: z.string().describe('The id that its provider gave it'),
    message: Message,
  }),
  'message.sent': event('A message has left for its user, by a workflow, an operator, a campaign or a call.', {
    botId: BotId,
    userId: UserId,
    messageId: z.string().describe('Our id of it'),
    providerMessageId: z.string().optional().describe('The id that its provider gave it'),
    message: Message,
    executionId: ExecutionId.optional(),
    nodeId: z.string().optional().describe('The node that sent it'),
  }),
  'message.status': event('A message was delivered or read, or could not be sent.', {
    botId: BotId,
    userId: UserId.optional(),
    messageId: z.string().optional().describe('Our id of it, where it is known'),
    providerMessageId: z.string().optional().describe('The id that its provider gave it'),
    status: z.enum(['sent', 'delivered', 'read', 'failed']).describe('How far it is'),
    code: z.string().optional().describe('Why it failed'),
    explanation: z.string().optional().describe('The same in words'),
  }),
  'execution.started': event('An execution of a workflow has begun.', execution),
  'execution.ended': event('An execution has ended, however it did.', {
    ...execution,
    status: z.enum(['completed', 'failed', 'cancelled', 'expired']).describe('How it ended'),
    failure: Failure.optional(),
  }),
  'execution.failed': event('An execution has failed; execution.ended tells the same.', { ...execution, failure: Failure.optional() }),
  'contact.created': event('Somebody is known who was not known before.', person),
  'contact.updated': event('Fields, names or groups of a contact have changed.', {
    ...person,
    changed: z.array(z.string()).describe('What has changed, such as fields.city'),
    fields: JsonObject.optional().describe('The new values of fields; null for one that was removed'),
  }),
  'contact.consentChanged': event('A contact has granted or revoked the consent to marketing messages.', {
    ...person,
    marketing: z.enum(['granted', 'revoked']).describe('What holds now'),
    source: z.string().describe('keyword, node, api or import'),
    evidence: z.string().optional().describe('What proves it, such as the id of the message'),
  }),
  'conversation.opened': event('A conversation with an operator has begun: a hand-off, or one that an operator began.', {
    ...conversation,
    origin: z.string().describe('organic, induced_by_operator, app or another'),
    executionId: ExecutionId.optional().describe('The execution that waits for its end'),
  }),
  'conversation.assigned': event('Another operator goes on with a conversation.', conversation),
  'conversation.ended': event('A conversation was closed, resolved or transferred, or has expired.', {
    ...conversation,
    state: z.enum(['closed', 'resolved', 'transferred', 'expired']).describe('How it ended'),
    reason: z.string().optional().describe('Why, in words'),
    childId: z.string().optional().describe('The conversation that continues it'),
  }),
  'workflow.published': event('A version of a workflow was published.', {
    workflowId: z.string().describe('The workflow'),
    version: z.int().describe('Its new version'),
  }),
  'campaign.started': event('A campaign begins to be sent, or goes on after a break.', campaign),
  'campaign.ended': event('A campaign was sent to everybody, or cancelled.', {
    ...campaign,
    status: z.enum(['COMPLETED', 'CANCELLED']).describe('How it ended'),
  }),
  'job.ended': event('Durable work over many things is done, or was cancelled.', {
    jobId: z.string().describe('The job'),
    kind: z.string().describe('What it did'),
    status: z.enum(['done', 'cancelled']).describe('How it ended'),
    counts: z.record(z.string(), z.int()).describe('How many things had which outcome'),
    failure: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it has not done all that was asked'),
  }),
} as const;

export type EventType = keyof typeof eventTypes;
/** The data of an event. */
export type EventData<Type extends EventType> = z.input<(typeof eventTypes)[Type]['data']>;

export const eventNames = Object.keys(eventTypes) as readonly EventType[];

/** Every event with the JSON Schema of its data. */
export const describeEvents = () =>
  eventNames.map((name) => ({
    name,
    says: eventTypes[name].says,
    schema: z.toJSONSchema(eventTypes[name].data, { unrepresentable: 'any', io: 'input' }),
  }));

/** Whether a name or pattern of a subscription covers an event: `message.sent`, `message.*` or `*`. */
export const covers = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** Why a text is no name or pattern of events, with the nearest that is one; undefined where it is. */
export function explainPattern(pattern: string): string | undefined {
  if (eventNames.some((type) => covers(pattern, type))) return undefined;
  const groups = [...new Set(eventNames.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))];
  const nearest = suggest(findNearestName(pattern, [...eventNames, ...groups, '*'])) ?? `there are ${[...groups, '*'].join(', ')}`;
  return `There is no event "${pattern.slice(0, 64)}": ${nearest}`;
}
