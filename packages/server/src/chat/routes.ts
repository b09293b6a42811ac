// The routes of the web chat.
import { parseJson, utf8 } from '@hilo/engine';
import { randomBytes } from 'node:crypto';
import {
  bearerToken,
  type Delivery,
  issueSession,
  VisitorMessageId,
  visitorMessageName,
  type Visitor,
  visitorOf,
  webConfig,
} from '@hilo/channels';
import { userIdProblem } from '@hilo/nodes';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { takeEvent } from '../channels/channels.ts';
import { readUpTo, tellStatus } from '../messages/messages.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { createDayCounts, type DayCounts } from '../platform/http/day-counts.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { readPageWords } from '../platform/http/page-words.ts';
import { HttpError, invalidRequest, notFound, unauthorized } from '../platform/http/errors.ts';
import { takesGzip } from '../platform/http/kept-body.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { createRateLimit, isAnonymousVisitor, type RateLimit, type VisitorLimit } from '../platform/http/rate-limit.ts';
import { readBody } from '../platform/http/read-body.ts';
import { findNetwork, readClientAddress } from '../platform/http/socket-address.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import { telling } from '../platform/events/telling.ts';
import { tidyFileName } from '../platform/shown-names.ts';
import type { Bot } from '../tenants/companies.ts';
import { findServedBot } from '../tenants/moving/refuse-away.ts';
import { type ChatBot, type ChatParts, describeToAdapter } from './chat.ts';
import { requireDraftLink } from './draft-links.ts';
import { fileLimits, findFile, isShown, keepFile, maxFileBytes } from './files.ts';
import { laneOf } from '../platform/database/lanes.ts';

/** How long a session lasts without a visit. A session of a host's own user ends with the host's token, and one that tries a draft with its link. */
const sessionMs = 30 * 86_400_000;

/** More than the token of the longest id of a workflow has. */
const maxSessionBytes = 4_096;

/** New visitors per second of one network; behind a proxy all visitors share a network. */
const newVisitorsASecond = 50;

/** A visitor whom a token authenticates, and the bot of the path. */
interface Known extends ChatBot {
  readonly visitor: Visitor;
  readonly token: string;
}

/** What these routes work with. */
interface ChatRouteParts {
  readonly service: ChatParts;
  readonly traffic: Traffic;
  readonly limits: Limits;
}

const tags = ['Chat'];
const params = z.object({ botId: z.string() });
const botOfExample = { path: { botId: 'bot_chat' } };
const errors = {
  400: jsonResponse('The message or the file is not valid', ErrorBody),
  401: jsonResponse('The token is forged, expired, or of another bot; or the page is of another origin', ErrorBody),
  404: jsonResponse('There is no chat at this address', ErrorBody),
  413: jsonResponse('The body is too large', ErrorBody),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Nothing was written: see Retry-After', ErrorBody),
};
const Taken = z.object({ success: z.literal(true), outcome: z.string().optional(), mediaUrl: z.string().optional() });
const Session = z.object({
  token: z.string(),
  user: z.object({ id: z.string() }),
  bot: z.object({ name: z.string() }),
  expiresAt: z.string().openapi({ format: 'date-time' }),
});

/** What a visitor has read: all messages up to this one. */
const Receipt = z.object({ upTo: z.string().min(1).max(256) });

/** The fields of a message, for readers: the adapter of the channel checks them. */
const ChatMessage = z.object({
  id: z.string().openapi({ description: 'An id of the browser: the same one again is the same message' }),
  type: z.enum(['text', 'button', 'location', 'form']),
  text: z.string().optional(),
  payload: z.string().optional().openapi({ description: 'Of the option that was pressed' }),
  coordinates: z.object({ lat: z.number(), long: z.number() }).optional(),
  of: z
    .string()
    .optional()
    .openapi({ description: 'For a form: the message that offered it', example: '01a2093bd416764a9a95d9f0c7b6bd5b' }),
  values: z.record(z.string(), z.unknown()).optional().openapi({ description: 'For a form: the values of its fields' }),
});

const SessionRequest = z.object({
  draft: z.string().max(2_048).optional().openapi({
    example: 'dGVzdCBoZWxsbw.0123456789abcdefghijkl',
    description: 'For a new visitor: the token of a draft link. What they write starts that draft, and nothing else',
  }),
});

const startSession = defineRoute({
  post: '/chat/{botId}/session',
  operationId: 'startChatSession',
  tags,
  summary: 'Starts or renews a session; anonymous without a token',
  description: 'The token of the answer is the credential of the other routes.',
  auth: 'newVisitor',
  params,
  body: { ...jsonResponse('May be left out', SessionRequest), required: false },
  answer: jsonResponse('The session', Session),
  refusals: errors,
  example: { ...botOfExample, body: {} },
  handle: ({ c }, { service, traffic, limits }: ChatRouteParts) => openSession(c, service, traffic, limits),
});

const streamEvents = defineRoute({
  get: '/chat/{botId}/events',
  operationId: 'streamChatEvents',
  tags,
  summary: 'Messages of the visitor as server-sent events, after Last-Event-ID',
  description: 'Without Last-Event-ID it begins with the latest messages.',
  auth: 'visitor',
  params,
  answer: { description: 'Events message, draft, typing and ready', content: { 'text/event-stream': { schema: z.string() } } },
  refusals: errors,
  example: botOfExample,
  handle: ({ c }, { service }: ChatRouteParts) => openStream(c, service),
});

const sendMessage = defineRoute({
  post: '/chat/{botId}/messages',
  operationId: 'sendChatMessage',
  tags,
  summary: 'Receives a message; a repeated id is the same message',
  description: 'The message is stored before the answer; what the bot says comes as events.',
  auth: 'visitor',
  params,
  body: jsonResponse('A message', ChatMessage),
  answer: jsonResponse('Durably accepted', Taken),
  refusals: { ...errors, ...otherCell },
  example: { ...botOfExample, body: { id: 'message-1', type: 'text', text: 'Hello' } },
  handle: ({ c }, { service, traffic, limits }: ChatRouteParts) => takeMessage(c, service, traffic, limits),
});

const uploadFile = defineRoute({
  post: '/chat/{botId}/files',
  operationId: 'uploadChatFile',
  tags,
  summary: 'Takes a file of at most 5 MB, named by X-Message-ID and X-Filename',
  description: 'The body is the file itself; the bot receives it as a message of the visitor.',
  auth: 'visitor',
  params,
  body: { description: 'The file', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
  answer: jsonResponse('Durably accepted', Taken),
  refusals: { ...errors, ...otherCell },
  example: {
    ...botOfExample,
    headers: { 'X-Message-ID': 'message-2', 'X-Filename': 'notes.txt' },
    contentType: 'text/plain',
    body: 'What I wrote down',
  },
  handle: ({ c }, { service, traffic, limits }: ChatRouteParts) => takeFile(c, service, traffic, limits),
});

const markRead = defineRoute({
  post: '/chat/{botId}/read',
  operationId: 'markChatRead',
  tags,
  summary: 'Marks messages as read',
  description: 'Of the messages that the bot sent: those up to the named one.',
  auth: 'visitor',
  params,
  body: jsonResponse('Up to which message', Receipt),
  answer: jsonResponse('The messages are marked', Taken),
  refusals: errors,
  example: { ...botOfExample, body: { upTo: 'MESSAGE_ID' } },
  handle: ({ c }, { service, traffic, limits }: ChatRouteParts) => takeReceipt(c, service, traffic, limits),
});

const getFile = defineRoute({
  get: '/chat/{botId}/files/{fileId}',
  operationId: 'getChatFile',
  tags,
  summary: 'A file that a visitor sent, for any holder of its address',
  description: 'The address is in the answer to the upload, as mediaUrl.',
  auth: 'address',
  params: params.extend({ fileId: z.string() }),
  answer: { description: 'The file', content: { '*/*': { schema: z.string() } } },
  refusals: { 404: errors[404] },
  example: { path: { ...botOfExample.path, fileId: 'FILE_ID' } },
  handle: ({ c }, { service }: ChatRouteParts) => sendFile(c, service),
});

const showPage = defineRoute({
  get: '/chat/{botId}',
  operationId: 'showChatPage',
  tags,
  summary: 'The chat as a page',
  description: 'For bots whose visitors come by a link, and for trying one out.',
  auth: 'address',
  params,
  answer: { description: 'The page', content: { 'text/html': { schema: z.string() } } },
  refusals: { 404: errors[404] },
  example: botOfExample,
  handle: ({ c }, { service }: ChatRouteParts) =>
    service.chat.widget === undefined ? c.notFound() : renderChatPage(c, findChat(c, service)),
});

const getScript = defineRoute({
  get: '/chat.js',
  operationId: 'getChatScript',
  tags,
  summary: 'The script that shows the chat in a page',
  description: 'A script element of the page names this address and the bot.',
  auth: 'address',
  answer: { description: 'The script', content: { 'text/javascript': { schema: z.string() } } },
  refusals: { 404: jsonResponse('The script was not built', ErrorBody) },
  example: {},
  handle({ c }, { service: { chat } }: ChatRouteParts) {
    const { widget } = chat;
    if (widget === undefined) return c.notFound();
    const headers = { etag: widget.etag, 'cache-control': 'public, max-age=300', vary: 'accept-encoding', ...forAnyPage };
    if (c.req.header('if-none-match') === widget.etag) return c.body(null, 304, headers);
    const type = { 'content-type': 'text/javascript; charset=utf-8' };
    if (!takesGzip(c)) return c.body(widget.script, 200, { ...headers, ...type });
    return c.body(widget.compressed, 200, { ...headers, ...type, 'content-encoding': 'gzip' });
  },
});

const routes = [startSession, streamEvents, sendMessage, uploadFile, markRead, getFile, showPage, getScript];

/**
 * The chat of web pages: a script and a page and, for browsers, a session, a stream of server-sent events, and routes for messages,
 * files and receipts. A signed token alone identifies a visitor; cookies are not used, so pages of other sites may call.
 */
export function createChat(service: ChatParts, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerComponent('securitySchemes', 'visitor', {
    type: 'http',
    scheme: 'bearer',
    description: "A session of the chat, or a JWT (HS256, sub, aud = the bot's id, exp) that the host signs with the bot's appSecret",
  });
  const limits = {
    visitor: traffic.visitors,
    newcomers: createRateLimit(newVisitorsASecond, 'new-visitors'),
    sentBytes: createDayCounts(service.clock, fileLimits.ofNetworkADay),
  };
  app.use('/chat/*', envelope(service, traffic, 'chat'));
  app.use('/chat.js', envelope(service, traffic, 'chat'));
  app.use('/chat/:botId/:what/*', shareAnswers, requireOrigin(service));
  mountRoutes(app, { service, traffic, limits }, routes);
  return app;
}

interface Limits {
  readonly visitor: VisitorLimit;
  readonly newcomers: RateLimit;
  readonly sentBytes: DayCounts;
}

const forAnyPage = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * CORS: any page may ask, and may read a refusal. To a page whose preflight fails, or that cannot read the answer, the service seems to be
 * away, and its visitors would wait for it.
 */
const shareAnswers: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method === 'OPTIONS')
    return c.body(null, 204, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, content-type, last-event-id, x-filename, x-message-id',
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': '7200',
    });
  await next();
  const { headers } = c.res;
  if (!headers.has('access-control-allow-origin')) headers.set('access-control-allow-origin', '*');
  headers.set('access-control-expose-headers', 'retry-after');
  headers.set('vary', 'origin');
  return undefined;
};

/** Refuses pages of other origins than those that the bot lists, before anything of the request is used. */
const requireOrigin =
  (service: ChatParts): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const origin = c.req.header('origin');
    const { config } = findChat(c, service);
    const isOwn = origin !== undefined && URL.canParse(origin) && new URL(origin).host === c.req.header('host');
    const isWelcome = origin === undefined || isOwn || config.origins === undefined || config.origins.includes(origin);
    if (!isWelcome) throw unauthorized(`The chat of this bot is not for pages of ${origin}: its provider lists others as "origins"`);
    await next();
    if (config.origins !== undefined) c.res.headers.set('access-control-allow-origin', origin ?? 'null');
  };

/** @throws {HttpError} 404 where there is no bot of the web channel by this name */
function findChat(c: Context<HttpEnv>, { companies }: ChatParts): ChatBot {
  const bot = findServedBot(companies, c.req.param('botId') ?? '');
  const config = bot?.provider.kind === 'web' ? webConfig.safeParse(bot.provider.fields).data : undefined;
  if (bot === undefined || config === undefined) throw notFound('BOT_NOT_FOUND', 'There is no chat at this address');
  return { bot, config };
}

/** @throws {HttpError} 401 for a token that is malformed, forged, expired, or of another bot */
async function authenticateVisitor(c: Context<HttpEnv>, service: ChatParts): Promise<Known> {
  const chat = findChat(c, service);
  const token = bearerToken(c.req.raw.headers);
  const visitor = token === undefined ? undefined : await visitorOf(token, describeToAdapter(chat, service));
  if (token === undefined || visitor === undefined) throw unauthorized('The token of the visitor is missing, expired, or not of this bot');
  const problem = userIdProblem(visitor.id, chat.bot.channel, chat.bot.settings.userIdFormat);
  if (problem !== undefined) throw new HttpError(400, 'INVALID_USER_ID', problem);
  return { ...chat, token, visitor };
}

/** Begins a session: of a new visitor, of the user that the host's token names, or of a known visitor. */
async function openSession(
  c: Context<HttpEnv>,
  service: ChatParts,
  traffic: Traffic,
  { visitor: ofVisitor, newcomers }: Limits,
): Promise<Response> {
  const chat = findChat(c, service);
  const nowMs = service.clock.now();
  const isNew = c.req.header('authorization') === undefined;
  if (isNew) await newcomers.consume(findNetwork(readClientAddress(c)));
  const link = isNew ? await readDraft(c, traffic) : undefined;
  const tried = link === undefined ? undefined : requireDraftLink(link, chat, service);
  const visitor = isNew
    ? { id: `web:${randomBytes(16).toString('base64url')}`, expiresAtMs: tried?.expiresAtMs ?? nowMs, draft: tried?.workflowId }
    : (await authenticateVisitor(c, service)).visitor;
  if (!isNew) await ofVisitor.consume(chat.bot.id, visitor.id, readClientAddress(c));
  const isBounded = !isAnonymousVisitor(visitor.id) || visitor.draft !== undefined;
  const expiresAtMs = isBounded ? Math.min(visitor.expiresAtMs, nowMs + sessionMs) : nowMs + sessionMs;
  const token = await issueSession({ ...visitor, expiresAtMs }, describeToAdapter(chat, service));
  return c.json({ token, user: { id: visitor.id }, bot: { name: chat.bot.name }, expiresAt: new Date(expiresAtMs).toISOString() });
}

/** The token of a draft link that a new visitor comes with; nobody else's body is read. */
async function readDraft(c: Context<HttpEnv>, { admission }: Pick<Traffic, 'admission'>): Promise<string | undefined> {
  if (c.req.raw.body === null || c.req.header('content-length') === '0') return undefined;
  const reading = admission.enter({ kind: 'anonymous', address: readClientAddress(c) });
  const sent = utf8(await readBody(c, reading, maxSessionBytes).finally(() => reading.leave()));
  const { data } = SessionRequest.safeParse(sent.trim() === '' ? {} : parseJson(sent));
  if (data === undefined) throw invalidRequest('The body may be left out; "draft" is the token of a draft link');
  return data.draft;
}

/** Undefined without a connection. */
function findNetworkOf(c: Context<HttpEnv>): string | undefined {
  const address = readClientAddress(c);
  return address === undefined ? undefined : findNetwork(address);
}

/** Streams the messages of bot and visitor as they are stored: after `Last-Event-ID`, or the latest ones without it. */
async function openStream(c: Context<HttpEnv>, service: ChatParts): Promise<Response> {
  const { bot, visitor, token } = await authenticateVisitor(c, service);
  const isValid = async (): Promise<boolean> => {
    const now = service.companies.bot(bot.id);
    const config = now?.provider.kind === 'web' ? webConfig.safeParse(now.provider.fields).data : undefined;
    return (
      now !== undefined && config !== undefined && (await visitorOf(token, describeToAdapter({ bot: now, config }, service))) !== undefined
    );
  };
  const lane = laneOf({ companyId: bot.companyId, botId: bot.id, userId: visitor.id });
  return c.body(service.chat.streams.open(lane, c.req.header('last-event-id'), isValid, findNetworkOf(c)), 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // proxies that gather answers would hold messages back
  });
}

/** Takes a message, durably, by the adapter of the web channel (P1, P10). */
async function takeMessage(c: Context<HttpEnv>, service: ChatParts, traffic: Traffic, limits: Limits): Promise<Response> {
  const { bot, visitor } = await authenticateVisitor(c, service);
  await limits.visitor.consume(bot.id, visitor.id, readClientAddress(c));
  return withBody(c, traffic, bot, undefined, async (body) => {
    const channel = service.channels.of(bot);
    if (channel === undefined || 'unfitFields' in channel.connected) throw notFound('BOT_NOT_FOUND', 'There is no chat at this address');
    const delivery: Delivery = { headers: c.req.raw.headers, body, json: (text = utf8(body)) => parseJson(text) };
    const received = await channel.connected.receive(delivery, channel.host());
    if (received.kind === 'invalid') throw new HttpError(400, received.code, received.message);
    const [event] = received.events;
    if (event === undefined) throw invalidRequest('The body is no message: send { "id": "…", "type": "text", "text": "…" }');
    limits.visitor.countMessage(visitor.id, readClientAddress(c));
    return c.json({ success: true, outcome: await takeEvent(service, bot, event) });
  });
}

/** Takes a file and the message that it is, once, however often the browser tries. */
async function takeFile(c: Context<HttpEnv>, service: ChatParts, traffic: Traffic, limits: Limits): Promise<Response> {
  const { bot, visitor } = await authenticateVisitor(c, service);
  await limits.visitor.consume(bot.id, visitor.id, readClientAddress(c));
  const { data: messageId } = VisitorMessageId.safeParse(c.req.header('x-message-id'));
  if (messageId === undefined) throw invalidRequest('Name the message in the header X-Message-ID: 8 to 64 letters, digits, "_" or "-"');
  const filename = readFileName(c.req.header('x-filename'));
  return withBody(c, traffic, bot, maxFileBytes, async (content) => {
    const { runner } = service.store;
    const lane = laneOf({ companyId: bot.companyId, botId: bot.id, userId: visitor.id });
    const address = readClientAddress(c);
    const countForNetwork = (bytes: number): boolean => address === undefined || limits.sentBytes.take(address, bytes) === 0;
    const file = {
      lane,
      messageId,
      filename,
      content,
      contentType: c.req.header('content-type') ?? '',
      countForNetwork,
      network: findNetworkOf(c),
    };
    limits.visitor.countMessage(visitor.id, address);
    const { fileId, type, contentType } = await keepFile(runner, file, service.clock.now());
    const mediaUrl = `${service.chat.publicUrl.get()}/chat/${encodeURIComponent(bot.id)}/files/${fileId}`;
    const name = visitorMessageName(visitor.id, messageId);
    const message = { id: name, clientId: messageId, type, mediaUrl, mimeType: contentType, ...(filename !== null && { filename }) };
    const { id, names, phone, draft } = visitor;
    const user = { id, ...(names !== undefined && { names }), ...(phone !== undefined && { phone }) };
    const event = {
      kind: 'message',
      eventId: name,
      atMs: service.clock.now(),
      user,
      message,
      ...(draft !== undefined && { draft }),
    } as const;
    return c.json({ success: true, outcome: await takeEvent(service, bot, event), mediaUrl });
  });
}

/** The name of a file, which headers carry percent-encoded. */
function readFileName(encoded: string | undefined): string | null {
  try {
    return tidyFileName(decodeURIComponent(encoded ?? '')) ?? null;
  } catch {
    return null;
  }
}

/** Serves a file to any holder of its address: it cannot run scripts, and types that browsers do not display are downloaded. */
async function sendFile(c: Context<HttpEnv>, service: ChatParts): Promise<Response> {
  const { bot } = findChat(c, service);
  const at = { companyId: bot.companyId, botId: bot.id };
  const file = await findFile(service.store.runner, at, c.req.param('fileId') ?? '', service.clock.now());
  if (file === undefined) throw notFound('NOT_FOUND', 'There is no such file, or it is older than 30 days');
  const name = file.filename === null ? '' : `; filename*=UTF-8''${encodeURIComponent(file.filename).replaceAll("'", '%27')}`;
  return c.body(file.content, 200, {
    'content-type': file.contentType,
    'content-disposition': `${isShown(file.contentType) ? 'inline' : 'attachment'}${name}`,
    'cache-control': 'private, max-age=86400, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  });
}

/** Marks the messages to this visitor as read, up to a message. */
async function takeReceipt(c: Context<HttpEnv>, service: ChatParts, traffic: Traffic, limits: Limits): Promise<Response> {
  const { bot, visitor } = await authenticateVisitor(c, service);
  await limits.visitor.consume(bot.id, visitor.id, readClientAddress(c));
  return withBody(c, traffic, bot, undefined, async (body) => {
    const { data } = Receipt.safeParse(parseJson(utf8(body)));
    if (data === undefined) throw invalidRequest('"upTo" is missing: the id of the last message that was read');
    await service.store.runner.write([
      telling(readUpTo({ ...laneOf({ companyId: bot.companyId, botId: bot.id, userId: visitor.id }), messageId: data.upTo }), () =>
        tellStatus(
          { companyId: bot.companyId, botId: bot.id, status: 'read', message: { messageId: data.upTo, userId: visitor.id } },
          service.clock.now(),
        ),
      ),
    ]);
    return c.json({ success: true });
  });
}

/**
 * Reads a body, then works on it within the admission limits of the bot's company (P22). Anybody may be a visitor: until it has come whole, a
 * body counts as one without a credential, by the network that it comes from, and takes nothing of what the company has for its other callers.
 */
async function withBody(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  bot: Bot,
  maxBytes: number | undefined,
  work: (body: Uint8Array) => Promise<Response>,
): Promise<Response> {
  const reading = admission.enter({ kind: 'anonymous', address: readClientAddress(c) });
  const body = await readBody(c, reading, maxBytes).finally(() => reading.leave());
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  try {
    entry.take(body.byteLength);
    return await work(body);
  } finally {
    entry.leave();
  }
}

/** The chat as a page of its own, with the chat script as its only script. */
async function renderChatPage(c: Context<HttpEnv>, { bot }: ChatBot): Promise<Response> {
  const { language } = readPageWords(c);
  const text = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${bot.name}</title>
        <link rel="icon" href="data:," />
        <script src="../chat.js" data-bot="${bot.id}" data-mode="page" defer></script>
      </head>
      <body></body>
    </html>`;
  return c.html(text, 200, { 'content-security-policy': pagePolicy, 'referrer-policy': 'same-origin' });
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "media-src 'self' https:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'", // the studio shows it beside the code for a page
].join('; ');
