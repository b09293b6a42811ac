// Drafts that are tried in a real chat: a link for the phone of their author, and who comes by it.
import { type DraftLink, openDraftLink, sealDraftLink, webConfig } from '@hilo/channels';
import { z } from '@hono/zod-openapi';
import { buildResource } from '../platform/define-resource.ts';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, parseBody, workflowNotFound, WorkflowQuery } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError, unauthorized } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { type Bot, requireBot, requireWorkflowCompany } from '../tenants/companies.ts';
import { type ChatBot, type ChatParts, describeToAdapter } from './chat.ts';

/** Long enough to find a phone and to show it to a colleague; who has the link can make the draft act. */
const linkMs = 3_600_000;

const DraftLinkRequest = z.strictObject({ botId: z.string('botId is a text').optional() });

const makeDraftLink = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/draft-links',
  operationId: 'makeDraftLink',
  auth: 'operator',
  permission: 'operate',
  tags: ['Workflows'],
  summary: 'Makes a link by which the draft is tried in the web chat of a bot, on any device',
  description:
    'Whoever opens the link within an hour is a new visitor, whose messages start the draft as it is saved then. What it does is real: its calls are made, and its executions are kept. Other visitors of the bot are not affected.',
  params: z.object({ workflowId: z.string() }),
  query: WorkflowQuery,
  body: closedBody('The bot whose chat it is; the first that has one, when left out', {
    type: 'object',
    properties: { botId: { type: 'string', description: 'A bot of the web channel' } },
  }),
  answer: jsonResponse(
    'The link',
    z.object({
      botId: z.string(),
      path: z
        .string()
        .openapi({ description: 'Of the page, below the address of the service', example: '/chat/bot_chat#draft=DRAFT_TOKEN' }),
      expiresAt: z.string().openapi({ format: 'date-time' }),
    }),
  ),
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The bot, or any of the company, has no web chat', ErrorBody) },
  example: { path: { workflowId: 'hello' }, query: { companyId: '1' }, body: { botId: 'bot_chat' } },
  async handle({ c, params: { workflowId }, query }, service: LinkParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const { botId } = parseBody(DraftLinkRequest, await c.req.text());
    const named = botId === undefined ? undefined : requireBot(service, companyId, botId);
    if ((await service.store.canvases.draft(companyId, workflowId)) === undefined) throw workflowNotFound(workflowId);
    const [chat] = (named === undefined ? service.companies.bots(companyId) : [named]).flatMap(chatOf);
    if (chat === undefined) throw new HttpError(409, 'PROVIDER_UNSUPPORTED', noChat(named));
    const { bot } = chat;
    const expiresAtMs = Math.floor((service.clock.now() + linkMs) / 1_000) * 1_000;
    noteAct(c, { companyId, after: { botId: bot.id } });
    const token = sealDraftLink({ workflowId, expiresAtMs }, describeToAdapter(chat, service));
    return { botId: bot.id, path: `/chat/${encodeURIComponent(bot.id)}#draft=${token}`, expiresAt: new Date(expiresAtMs).toISOString() };
  },
});

/** A bot with a web chat, as its chat has it; nothing of another one. */
function chatOf(bot: Bot): readonly ChatBot[] {
  const { data: config } = bot.provider.kind === 'web' ? webConfig.safeParse(bot.provider.fields) : {};
  return config === undefined ? [] : [{ bot, config }];
}

const noChat = (bot: Bot | undefined): string =>
  bot === undefined
    ? 'No bot of the company has a web chat: connect one whose provider is of kind "web"'
    : `Bot "${bot.id}" has no web chat: its provider is of kind "${bot.provider.kind}"`;

type LinkParts = Pick<ChatParts, 'companies' | 'store' | 'clock' | 'engine'>;

/** Links to drafts. */
export const draftLinkResource = buildResource({ name: 'draftlinks', routes: [makeDraftLink] });

/**
 * What a new visitor comes for by a link: what they write starts that draft, as it is saved then, and nothing that is published.
 *
 * @throws {HttpError} 401 where the link has expired or is of another bot
 */
export function requireDraftLink(token: string, chat: ChatBot, service: Pick<ChatParts, 'clock'>): DraftLink {
  const link = openDraftLink(token, describeToAdapter(chat, service), service.clock.now());
  if (link === undefined) throw unauthorized('This link to a draft has expired, or is not of this bot: make another one in the studio');
  return link;
}
