// The inbox: what people who answer users see, and what they do beside the routes of conversations.
import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { templateParameters, windowIsOpen } from '@hilo/nodes/effects';
import { z } from '@hono/zod-openapi';
import { changeTags, describePeople, findPerson, readRoom } from '../contacts/contacts.ts';
import { isByItself, isOfCampaign, type MessageParts } from '../messages/messages.ts';
import { keyTaken, sendHeaders, sendKeyOf } from '../messages/send-request.ts';
import {
  bodyErrorResponses,
  CompanyQuery,
  createRowCursor,
  errorResponses,
  formatInstant,
  Instant,
  Page,
  PageQuery,
  parseBody,
  parseOptionalObject,
  Values,
} from '../platform/http/admin.ts';
import { OperatorId } from '../platform/http/date-range.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { ZonedInstant } from '../platform/http/instants.ts';
import { permissions } from '../platform/http/context.ts';
import { HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import { acme, conversation } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { streamPolled } from '../platform/http/stream-polled.ts';
import type { Platform } from '../platform/platform.ts';
import { isHere, operators as operatorTable, teams as teamTable } from '../platform/tables/conversations.ts';
import { tags as tagTable } from '../platform/tables/tags.ts';
import { noConsent } from '../messages/consent-gate.ts';
import { type ReadyParts, readyTemplate } from '../templates/templates.ts';
import { type Company, requireBot, requireCompany } from '../tenants/companies.ts';
import type { ConversationParts } from './conversations.ts';
import { findConversation, notAttended, params, requireConversation } from './find-conversation.ts';
import { countInbox, type InboxRow, markRead, readInbox, readInboxRow, readNewestMessages, type Whose } from './inbox.ts';
import type { InboxFeed } from './inbox-feed.ts';
import { Conversation, describeConversation } from './schema.ts';

type InboxParts = ConversationParts &
  Pick<Platform, 'engine' | 'isAccepting'> &
  Pick<MessageParts, 'messages'> &
  Pick<ReadyParts, 'channels'> & { readonly inbox: InboxFeed };

const tags = ['Inbox'];

/** Whatever no workflow sent was sent by a person, or by a program in their place. */
const Speaker = z.enum(['user', 'bot', 'operator']).openapi({ description: 'Who said it' });

const InboxConversation = Conversation.extend({
  channel: z.string().nullable(),
  waitingSince: Instant.nullable().openapi({
    example: '2031-03-03T09:00:00.000Z',
    description: 'Since when the user waits for an answer; null while nobody waits',
  }),
  unread: z.int().openapi({ description: 'Messages of the user that this operator has not seen, 100 at most' }),
  lastMessage: z
    .object({ by: Speaker, type: z.string(), text: z.string(), at: Instant })
    .nullable()
    .openapi({ description: 'The last message between the user and the bot; null before the first' }),
}).openapi('InboxConversation');

const Tally = z.object({
  open: z.int().openapi({ description: 'Conversations that are open' }),
  waiting: z.int().openapi({ description: 'Those of them in which the user waits for an answer' }),
});

const Counts = Tally.extend({
  withoutOperator: Tally.openapi({ description: 'Conversations without an operator' }),
  operators: z.array(Tally.extend({ operatorId: z.int() })),
  teams: z.array(Tally.extend({ teamName: z.string() })),
});

const cursors = createRowCursor('inbox');

const InboxListQuery = PageQuery.extend({
  whose: QueryChoice('whose', ['all', 'unassigned', 'operator', 'team'])
    .default('all')
    .openapi({ description: 'Whose conversations: operator and team name theirs with operatorId and teamName' }),
  operatorId: OperatorId.optional(),
  teamName: QueryText('teamName', 256).optional().openapi({ description: 'The name of the team', example: 'Support' }),
  q: QueryText('q', 100).optional().openapi({ description: 'A part of the name or the id of the user' }),
  cursor: cursors.query,
});

const list = defineRoute({
  get: '/admin/v1/inbox',
  operationId: 'listInbox',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'Open conversations: who has waited longest for an answer comes first',
  description: 'With the last message of each, what is unread, and the numbers that an inbox shows beside its filters.',
  query: InboxListQuery,
  answer: jsonResponse(
    'Conversations, and how many there are',
    Page(InboxConversation).extend({ counts: Counts.openapi({ description: 'The numbers beside the filters' }) }),
  ),
  refusals: errorResponses,
  example: { query: { companyId: '1', whose: 'operator', operatorId: '10' } },
  async handle({ operator, query: { companyId, limit, cursor = '0', q, ...named } }, service: InboxParts) {
    const company = requireCompany(service, companyId);
    const { runner } = service.store;
    const offset = Number(cursor);
    const asked = { companyId: company.id, whose: readWhose(named), search: q, offset, limit: limit + 1 };
    const [rows, counts] = await Promise.all([readInbox(runner, asked), countInbox(runner, company.id)]);
    return {
      results: await describeRows(service, company, operator, rows.slice(0, limit)),
      nextCursor: cursors.write(rows.length > limit ? String(offset + limit) : null),
      counts: { ...counts, operators: [...counts.operators], teams: [...counts.teams] },
    };
  },
});

/** @throws {HttpError} 422 for a filter that does not say whose */
function readWhose({ whose, operatorId, teamName }: Pick<z.output<typeof InboxListQuery>, 'whose' | 'operatorId' | 'teamName'>): Whose {
  if (whose === 'operator') {
    if (operatorId === undefined) throw invalidFields({ operatorId: ['operatorId is missing: whose=operator needs it'] });
    return { kind: 'operator', operatorId };
  }
  if (whose === 'team') {
    if (teamName === undefined) throw invalidFields({ teamName: ['teamName is missing: whose=team needs it'] });
    return { kind: 'team', teamName };
  }
  return { kind: whose };
}

async function describeRows({ store, companies, clock }: InboxParts, company: Company, reader: string, rows: readonly InboxRow[]) {
  const newest = await readNewestMessages(store.runner, { companyId: company.id, reader }, rows);
  return rows.map((row, index) => {
    const { last, unread = 0 } = newest[index] ?? {};
    const { text, type } = last?.message ?? {};
    return {
      ...describeConversation(row, company, companies, clock.now()),
      channel: companies.botOf(company.id, row.botId)?.channel ?? null,
      waitingSince: row.waitingSinceMs === undefined ? null : formatInstant(row.waitingSinceMs),
      unread,
      lastMessage:
        last === undefined
          ? null
          : {
              by: speakerOf(last),
              type: typeof type === 'string' ? type : 'text',
              text: typeof text === 'string' ? shorten(text) : '',
              at: formatInstant(last.createdAtMs),
            },
    };
  });
}

/** A list shows one line of a message. */
const shownChars = 200;
const shorten = (text: string): string => text.slice(0, shownChars).toWellFormed();

/** The speaker of a message of the log. What no workflow and no person wrote, such as a campaign or what STOP is answered with, is the bot's. */
const speakerOf = ({
  direction,
  executionId,
  idempotencyKey,
}: {
  readonly direction: string;
  readonly executionId: string | null | undefined;
  readonly idempotencyKey: string | null | undefined;
}): 'user' | 'bot' | 'operator' => {
  if (direction === 'inbound') return 'user';
  const key = { idempotencyKey: idempotencyKey ?? '' };
  return typeof executionId === 'string' || isOfCampaign(key) || isByItself(key) ? 'bot' : 'operator';
};

const people = defineRoute({
  get: '/admin/v1/inbox/people',
  operationId: 'listInboxPeople',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'Who answers: the operators and their teams, and the tags that conversations can have',
  description: 'An inbox offers them where a conversation is assigned or tagged.',
  query: CompanyQuery,
  answer: jsonResponse(
    'Operators, teams and tags',
    z.object({
      operatorId: z.int().nullable().openapi({ description: 'The operator who has the name or e-mail address of the caller, if any' }),
      operators: z.array(z.object({ id: z.int(), names: z.string(), email: z.string(), teams: z.array(z.int()) })),
      teams: z.array(z.object({ id: z.int(), name: z.string() })),
      tags: z.array(z.object({ id: z.int(), name: z.string(), color: z.string(), textColor: z.string() })),
    }),
  ),
  refusals: errorResponses,
  example: acme,
  async handle({ operator, query }, { store: { runner }, ...service }: InboxParts) {
    const company = requireCompany(service, query.companyId);
    const [known, teams, allTags] = await Promise.all([
      runner.read(operatorTable.all(company.id)),
      runner.read(teamTable.all(company.id)),
      runner.read(tagTable.all(company.id)),
    ]);
    const operators = known.filter(isHere);
    return {
      operatorId: operators.find(({ names, email }) => [names, email].includes(operator))?.id ?? null,
      operators: operators.map(({ id, names, email, teamIds }) => ({ id, names, email, teams: [...teamIds] })),
      teams: teams.map(({ id, name }) => ({ id, name })),
      tags: allTags.map(({ id, name, color, textColor }) => ({ id, name, color, textColor })),
    };
  },
});

const InboxDetails = z
  .object({
    conversation: InboxConversation,
    window: z
      .object({
        isOpen: z.boolean().openapi({ description: 'Whether any message may be sent now; else only a template' }),
        until: Instant.nullable().openapi({ description: 'When it closes, or closed; null where the channel has no window' }),
      })
      .openapi({ description: 'The time after a message of the user in which any message may be sent' }),
    templates: z.array(
      z.object({ id: z.string(), name: z.string(), language: z.string(), body: z.string(), parameters: z.array(z.string()) }),
    ),
    execution: z
      .object({ executionId: z.string(), workflowId: z.string(), status: z.string(), variables: Values })
      .nullable()
      .openapi({ description: 'What handed the user over, with what the bot knew; null where nothing waits for the end' }),
    tags: z.array(z.int()).openapi({ description: 'Ids of the tags of the room' }),
    contact: z
      .object({
        id: z.string(),
        fields: Values.openapi({ description: 'Personal ones only for who may view contacts' }),
        groups: z.array(z.string()),
        marketing: z.enum(['unknown', 'granted', 'revoked']).openapi({ description: 'Whether they want marketing messages' }),
      })
      .nullable()
      .openapi({ description: 'What is known of the person; null where they were erased' }),
    fields: z
      .array(z.object({ key: z.string().openapi({ example: 'city' }), label: z.string().openapi({ example: 'City' }) }))
      .openapi({ description: 'What the company keeps of contacts, as people call it' }),
  })
  .openapi('InboxDetails');

const details = defineRoute({
  get: '/admin/v1/inbox/{conversationId}',
  operationId: 'getInboxConversation',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'A conversation with what a person needs who answers it',
  description: 'Says whether the window of the channel is open, which templates can be sent where it is not, and what the bot knew.',
  params,
  query: CompanyQuery,
  answer: jsonResponse('The conversation', InboxDetails),
  refusals: errorResponses,
  example: conversation,
  async handle({ c, operator, params: { conversationId }, query }, service: InboxParts) {
    const company = requireCompany(service, query.companyId);
    const row = await requireRow(service, company.id, conversationId);
    const [described] = await describeRows(service, company, operator, [row]);
    if (described === undefined) throw unknownConversation(conversationId);
    return { conversation: described, ...(await readDetails(service, company, row, (c.get('can') ?? permissions).includes('view'))) };
  },
});

const unknownConversation = (id: string) => notFound('CONVERSATION_NOT_FOUND', `There is no conversation "${id}"`);

/** @throws {HttpError} 404 */
async function requireRow({ store }: Pick<InboxParts, 'store'>, companyId: string, id: string): Promise<InboxRow> {
  const row = await readInboxRow(store.runner, companyId, id);
  if (row === undefined) throw unknownConversation(id);
  return row;
}

const pickFields = (fields: JsonObject, shown: readonly { readonly key: string }[]): JsonObject =>
  Object.fromEntries(shown.flatMap(({ key }) => (fields[key] === undefined ? [] : [[key, fields[key]]])));

/** Variables without the fields of the person that are not shown. */
function withFields(variables: JsonObject, shown: readonly { readonly key: string }[]): JsonObject {
  const { $user: user } = variables;
  const fields = isJsonObject(user) ? user['fields'] : undefined;
  return isJsonObject(user) && isJsonObject(fields) ? { ...variables, $user: { ...user, fields: pickFields(fields, shown) } } : variables;
}

async function readDetails(parts: InboxParts, company: Company, row: InboxRow, canView: boolean) {
  const { store, companies, clock, engine } = parts;
  const companyId = company.id;
  const botId = row.botId;
  const bot = companies.botOf(companyId, botId);
  const [contact, room, execution] = await Promise.all([
    store.executions.contact(companyId, botId, [row.userId]),
    row.roomId === undefined ? undefined : readRoom(store.runner, companyId, row.roomId),
    row.executionId === undefined ? undefined : engine.execution(companyId, row.executionId),
  ]);
  const found = await findPerson(parts, companyId, row.userId);
  const [person] = found === undefined ? [] : await describePeople(parts, company, [found]);
  const shown = (company.fields ?? []).filter(({ isPersonal }) => canView || isPersonal !== true);
  const hasWindow = bot !== undefined && bot.settings.enforceSessionWindow && !windowIsOpen(undefined, bot.channel, clock.now());
  const until = contact?.windowUntilMs;
  return {
    window: {
      isOpen: !hasWindow || windowIsOpen(contact, bot.channel, clock.now()),
      until: hasWindow && typeof until === 'number' ? formatInstant(until) : null,
    },
    templates: companies
      .templates(companyId)
      .filter((template) => template.botId === botId && template.status === 'APPROVED')
      .map(({ id, elementName, language, body, components }) => ({
        id,
        name: elementName,
        language,
        body: body ?? '',
        parameters: [...templateParameters({ body, components }).required],
      })),
    execution:
      execution === undefined
        ? null
        : {
            executionId: execution.executionId,
            workflowId: execution.workflowId,
            status: execution.state.status,
            variables: canView ? execution.state.variables : withFields(execution.state.variables, shown),
          },
    tags: [...(room?.tags ?? [])],
    contact:
      person === undefined
        ? null
        : { id: person.id, fields: pickFields(person.fields, shown), groups: person.groups, marketing: person.consent.marketing },
    fields: shown.map(({ key, label }) => ({ key, label })),
  };
}

const InboxMessage = z
  .object({
    messageId: z.string(),
    by: Speaker,
    message: Values,
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed', 'received']),
    createdAt: Instant,
    cause: z.string().nullable().openapi({ description: 'Why it failed, or why no workflow took it' }),
    executionId: z.string().nullable().openapi({ description: 'The execution that sent it, if one did' }),
  })
  .openapi('InboxMessage');

const messageCursors = createRowCursor('messages');

const messages = defineRoute({
  get: '/admin/v1/inbox/{conversationId}/messages',
  operationId: 'listInboxMessages',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'What the user and the bot have said to each other, the newest first',
  description: 'Also what was said before the conversation began: the part of the bot is above that of the operator.',
  params,
  query: PageQuery.extend({ cursor: messageCursors.query }),
  answer: jsonResponse('Messages', Page(InboxMessage)),
  refusals: errorResponses,
  example: conversation,
  async handle({ params: { conversationId }, query: { companyId, limit, cursor } }, service: InboxParts) {
    const company = requireCompany(service, companyId);
    const row = await requireRow(service, company.id, conversationId);
    const wanted = { userId: row.userId, order: 'desc', limit, cursor } as const;
    const { results, nextCursor } = await service.messages.list(company.id, row.botId, wanted);
    return {
      results: results.map(({ messageId, message, status, createdAtMs, cause, executionId, direction, idempotencyKey }) => ({
        messageId,
        by: speakerOf({ direction, executionId, idempotencyKey }),
        message,
        status,
        createdAt: formatInstant(createdAtMs),
        cause,
        executionId,
      })),
      nextCursor: messageCursors.write(nextCursor),
    };
  },
});

const ReadBody = z.object({ until: ZonedInstant('until is an instant in ISO 8601 with a zone, such as 2031-03-03T09:00:00Z').optional() });

const read = defineRoute({
  post: '/admin/v1/inbox/{conversationId}/read',
  operationId: 'markInboxRead',
  auth: 'operator',
  permission: 'answer',
  tags,
  summary: 'Notes up to where the operator of the request has read a conversation',
  description: 'Each operator has marks of their own, and a mark never moves back.',
  params,
  query: CompanyQuery,
  body: closedBody('Until when; now, if it is left out', {
    type: 'object',
    properties: {
      until: {
        type: 'string',
        format: 'date-time',
        description: 'When the last message that was seen was kept',
        example: '2031-03-03T09:00:00Z',
      },
    },
  }),
  answer: jsonResponse('The mark', z.object({ until: Instant.openapi({ description: 'Up to when it is read' }) })),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: {} },
  async handle({ c, operator, params: { conversationId }, query }, service: InboxParts) {
    const { company } = await requireConversation(service, query.companyId, conversationId);
    const { until } = parseBody(ReadBody, await c.req.text());
    const nowMs = service.clock.now();
    const untilMs = until === undefined ? nowMs : Math.min(nowMs, Date.parse(until));
    const kept = await markRead(service.store.runner, { companyId: company.id, conversationId, reader: operator }, untilMs);
    return { until: formatInstant(kept) };
  },
});

const TagsBody = z.object({ tags: z.array(z.int()).max(100) });

const setTags = defineRoute({
  put: '/admin/v1/inbox/{conversationId}/tags',
  operationId: 'setInboxTags',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Replaces the tags of the room of a conversation',
  description: 'The list is the whole of the new tags, by id; an empty one removes them.',
  params,
  query: CompanyQuery,
  body: closedBody('The tags to be', {
    type: 'object',
    required: ['tags'],
    properties: { tags: { type: 'array', items: { type: 'integer' }, maxItems: 100 } },
  }),
  answer: jsonResponse('The ids of its current tags', z.object({ tags: z.array(z.int()) })),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { tags: [1] } },
  async handle({ c, params: { conversationId }, query }, service: InboxParts) {
    const company = requireCompany(service, query.companyId);
    const { roomId: room } = await requireRow(service, company.id, conversationId);
    const given = parseBody(TagsBody, await c.req.text());
    if (room === undefined) throw notFound('ROOM_NOT_FOUND', `Conversation "${conversationId}" has no room that could have tags`);
    const changed = await changeTags(service.store.runner, { companyId: company.id, roomId: room, tags: () => given.tags });
    if (changed.kind === 'changed') return { tags: [...changed.tags] };
    throw changed.kind === 'unknown-tags'
      ? invalidFields({ tags: [`there is no tag ${changed.ids.slice(0, 10).join(', ')}`] })
      : notFound('ROOM_NOT_FOUND', `Conversation "${conversationId}" has no room that could have tags`);
  },
});

const TemplateBody = z.object({
  templateId: z.string().min(1),
  parameters: z.record(z.string(), z.union([z.string(), z.number().transform(String)])).default({}),
});

const sendTemplate = defineRoute({
  post: '/admin/v1/inbox/{conversationId}/templates',
  operationId: 'sendInboxTemplate',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags,
  summary: 'Sends a template in a conversation: what can be sent once the window of the channel is closed',
  description:
    'It leaves behind the texts that the operator wrote before. One of a category that the user has stopped is 400 `NO_CONSENT`: only they allow it again.',
  params,
  query: CompanyQuery,
  headers: sendHeaders,
  body: closedBody('The template, with a value for each of its parameters', {
    type: 'object',
    required: ['templateId'],
    properties: { templateId: { type: 'string', minLength: 1 }, parameters: { type: 'object' } },
  }),
  answer: jsonResponse('The message is stored and will be sent', z.object({ success: z.literal(true), messageId: z.string() })),
  refusals: bodyErrorResponses,
  example: { ...conversation, body: { templateId: 'tpl1', parameters: { name: 'Ana', code: 'A1' } } },
  async handle({ c, params: { conversationId }, query }, service: InboxParts) {
    const { company, row } = await requireConversation(service, query.companyId, conversationId);
    const text = await c.req.text();
    const { templateId, parameters } = parseBody(TemplateBody, text);
    const bot = requireBot(service, company.id, row.botId);
    const key = sendKeyOf(c, parseOptionalObject(text));
    if (row.state !== 'active' || row.operatorId === undefined) throw notAttended(row, 'takes messages');
    const message = readyTemplate(service, bot, templateId, parameters);
    const outcome = await service.conversations.sendTemplate(company.id, conversationId, message, key);
    if (outcome.kind === 'key-taken') throw keyTaken();
    if (outcome.kind === 'stopped') throw new HttpError(400, noConsent.cause, noConsent.message);
    if (outcome.kind !== 'sent') throw notAttended(await findConversation(service, company.id, conversationId), 'takes messages');
    return { success: true as const, messageId: outcome.messageId };
  },
});

const events = defineRoute({
  get: '/admin/v1/inbox/events',
  operationId: 'streamInbox',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags,
  summary: 'A server-sent event whenever something in the inbox has changed',
  description:
    '`inbox.changed` at once, and after a message or a conversation that began, ended or changed hands. A hint and no record: the ' +
    'inbox reads again. A stream ends after ten minutes.',
  query: CompanyQuery,
  answer: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
  refusals: errorResponses,
  example: acme,
  handle({ c, operator, query }, service: InboxParts) {
    const { id: companyId } = requireCompany(service, query.companyId);
    const botIds = () => service.companies.bots(companyId).map(({ id }) => id);
    let before: string | undefined;
    return streamPolled(c, service, operator, {
      companyId,
      async poll() {
        const state = await service.inbox.state(companyId, botIds());
        const isChanged = state !== before;
        before = state;
        return { newEvents: isChanged ? [{ event: 'inbox.changed', data: {} }] : [], isOver: false };
      },
      listen: (wake) => [service.inbox.listen(companyId, wake)],
    });
  },
});

/** The inbox. Paths that are fixed come before those with a conversation. */
export const inboxRoutes: readonly Route<InboxParts>[] = [list, people, events, details, messages, read, setTags, sendTemplate];
