// Reads and checks a request to send.
import { createHash } from 'node:crypto';
import { parseJsonObject, utf8, deliveryKey, deliveryKeyChars } from '@hilo/engine';
import { type Contact, isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { issueCode, type MediaType, type Message, messageProblems, SendRequest, userIdFor } from '@hilo/nodes';
import { windowIsOpen } from '@hilo/nodes/effects';
import type { Context } from 'hono';
import { boundIssues } from '../platform/bound-issues.ts';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { HttpError, invalidRequest, notFound, tooBusy } from '../platform/http/errors.ts';
import { readBody } from '../platform/http/read-body.ts';
import { checkJsonType, commonErrorResponses } from '../platform/http/rest.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import type { MediaCheck, MediaVerdict } from './media/media-check.ts';
import type { MessageParts, Outbox, SendKey } from './messages.ts';
import { laneOf } from '../platform/database/lanes.ts';
import { templateOnItsWay } from './outbox-sql.ts';
import { z } from '@hono/zod-openapi';
import { jsonResponse, ErrorBody } from '../platform/http/openapi.ts';

/**
 * Reads the body of a send request, within the admission limits until it is answered (P22).
 *
 * @throws {HttpError} 400 for a body that is no JSON object or too large (MSG-03), 503 when there is no capacity
 */
export async function withSendBody(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  work: (body: JsonObject) => Promise<z.input<typeof Sent>>,
): Promise<z.input<typeof Sent>> {
  const holder = c.get('companyId');
  const entry = admission.enter({ kind: 'new', holder });
  try {
    if (!entry.mayStart())
      throw tooBusy({ name: 'starts', holder }, 'Too much is in progress to send anything new; send this again in a moment');
    return await work(await bodyOf(c, entry));
  } finally {
    entry.leave();
  }
}

async function bodyOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<JsonObject> {
  checkJsonType(c);
  return parseJsonObject(utf8(await bytesOf(c, entry)));
}

/** A body that is too large is a 400 here: 413 is no status of the send routes (MSG-03, WEB-26). */
async function bytesOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<Uint8Array> {
  try {
    return await readBody(c, entry);
  } catch (error) {
    throw error instanceof HttpError && error.status === 413 ? invalidRequest(error.message) : error;
  }
}

/**
 * The bot that the path names. Another company's is unknown (GEN-08, P28).
 *
 * @throws {HttpError} 404 `BOT_NOT_FOUND`
 */
export function findBot(c: Context<HttpEnv>, { companies }: Pick<MessageParts, 'companies'>): Bot {
  const botId = c.req.param('botId') ?? '';
  const bot = companies.botOf(c.get('companyId'), botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

/** A parsed send request. */
export interface ReadSend {
  readonly userId: string;
  readonly request: SendRequest;
  /** The message alone, as it is kept and delivered. */
  readonly message: JsonObject;
}

/**
 * Judges the body of a request to send a message by its fields alone: the recipient first, then the message (GEN-09). It is
 * the schema that judges a message of a canvas.
 *
 * @throws {HttpError} 400 with the code of the first thing that is wrong (MSG-03, ERR-30)
 */
export function readSend(body: JsonObject, bot: Pick<Bot, 'id' | 'channel' | 'settings'>): ReadSend {
  const userId = readUserId(body['userId'], bot);
  const { data: request, error } = boundIssues(SendRequest).safeParse(body);
  const first = error?.issues[0];
  if (first !== undefined) throw new HttpError(400, issueCode(first), first.message);
  if (request === undefined) throw invalidRequest('The body is no message');
  checkBotId(request.botId, bot);
  const { userId: _read, botId: _sameAsInPath, ...message } = request;
  return { userId, request, message };
}

/**
 * The recipient, exactly as received (UID-02).
 *
 * @throws {HttpError} 400 when it is missing, or `INVALID_USER_ID` for an id that this bot does not accept (UID-01 to UID-05)
 */
export function readUserId(userId: Json | undefined, { channel, settings }: Pick<Bot, 'channel' | 'settings'>): string {
  const { data, error } = userIdFor(channel, settings.userIdFormat).safeParse(userId);
  const first = error?.issues[0];
  if (data === undefined) throw new HttpError(400, first === undefined ? 'INVALID_USER_ID' : issueCode(first), first?.message ?? '');
  return data;
}

/** @throws {HttpError} 400 when the body names another bot than the path (MSG-06, TPL-06) */
export function checkBotId(botId: string | undefined, { id }: Pick<Bot, 'id'>): void {
  if (botId !== undefined && botId !== id)
    throw invalidRequest(`"botId" is "${botId}", and the path says "${id}": leave it out or make them the same`);
}

/** @throws {HttpError} 400 for what the bot's channel does not take (LIM-04, LIM-05, MSG-12, MSG-21 to MSG-25, MSG-41), or its provider */
export function checkForBot({ channels }: Pick<MessageParts, 'channels'>, bot: Bot, message: Message): void {
  const [problem] = messageProblems(message, bot.channel);
  const refusal = problem?.message ?? channels.refusal(bot, { ...message });
  if (refusal !== undefined) throw invalidRequest(refusal);
}

/**
 * The `Idempotency-Key` of a send request (MSG-43), with a fingerprint of the request: its route and its body, independent of the
 * order and spacing of the JSON.
 *
 * @throws {HttpError} 400 for a malformed key
 */
export function sendKeyOf(c: Context<HttpEnv>, body: Json): SendKey | undefined {
  const value = c.req.header('idempotency-key');
  if (value === undefined) return undefined;
  if (value.length > deliveryKeyChars || !deliveryKey.test(value))
    throw invalidRequest(`Idempotency-Key must be 1 to ${deliveryKeyChars} letters, digits or signs, without blanks`);
  const fingerprint = createHash('sha256')
    .update(`${c.req.path}\n${JSON.stringify(inOrder(body))}`)
    .digest('hex');
  return { value, fingerprint };
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, inOrder(item)] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/**
 * The answer that the key has got before; a new key has none.
 *
 * @throws {HttpError} 400 for a key of another request
 */
export async function recordedResponse(
  outbox: Pick<Outbox, 'used'>,
  bot: { readonly companyId: string; readonly botId: string },
  key: SendKey | undefined,
): Promise<string | undefined> {
  const before = key === undefined ? undefined : await outbox.used(bot, key);
  if (before === undefined) return undefined;
  if (before.kind !== 'repeated') throw keyTaken();
  return before.messageId;
}

/** 400: the idempotency key belongs to a different request. */
export const keyTaken = (): HttpError =>
  invalidRequest('This Idempotency-Key stands for another request of the last 24 hours: give each request a key of its own');

type WindowParts = Pick<MessageParts, 'store' | 'clock'>;

/**
 * Checks that a message may be sent to its user now: within 24 hours of their last message, or queued behind a template that opens
 * the window. The window is checked again when the message is sent (WIN-04).
 *
 * @param contact - the contact as read before
 * @throws {HttpError} 400 when only a template may be sent now (WIN-01, WIN-03)
 */
export async function checkWindow(parts: WindowParts, bot: Bot, userId: string, contact: Contact | undefined): Promise<void> {
  if (isOpen(parts, bot, contact)) return;
  if (bot.settings.templateReopensWindow === 'onSend') {
    if (await isBehindTemplate(parts, bot, contact?.userId ?? userId)) return;
    // One that was on its way may have left since the contact was read.
    if (isOpen(parts, bot, await parts.store.executions.contact(bot.companyId, bot.id, [userId]))) return;
  }
  throw new HttpError(400, 'OUTSIDE_SESSION_WINDOW', 'The user has not written for 24 hours: only a template can be sent now');
}

const isOpen = ({ clock }: Pick<MessageParts, 'clock'>, { settings, channel }: Bot, contact: Contact | undefined): boolean =>
  !settings.enforceSessionWindow || windowIsOpen(contact, channel, clock.now());

/** Whether an accepted template to the user is still queued: this message is sent after it (P9, WIN-02). */
async function isBehindTemplate({ store: { runner } }: WindowParts, { companyId, id }: Bot, knownAs: string): Promise<boolean> {
  const lane = laneOf({ companyId, botId: id, userId: knownAs });
  return (await runner.read(templateOnItsWay(lane))).length > 0;
}

/** The files that a message carries. */
function filesOf(message: Message): readonly { readonly type: MediaType; readonly url: string }[] {
  if (message.type === 'carousel') return message.parameters.cards.map(({ header }) => ({ type: 'image', url: header.image.link }));
  return 'mediaUrl' in message ? [{ type: message.type, url: message.mediaUrl }] : [];
}

type Unfit = Extract<MediaVerdict, { kind: 'refused' }>;

/** Why the first unsuitable file cannot be sent; `undefined` when all are suitable (MED-01 to MED-06). */
export async function unfitFile(
  check: MediaCheck,
  message: Message,
  { companyId, channel }: Pick<Bot, 'companyId' | 'channel' | 'provider'>,
): Promise<Unfit | undefined> {
  const verdicts = await Promise.all(filesOf(message).map((file) => check({ ...file, channel, companyId })));
  return verdicts.find((verdict): verdict is Unfit => verdict.kind === 'refused');
}

/**
 * Checks the files of a message.
 *
 * @param content - the message as it is kept
 * @returns the same, with an address in place of the handle of a file
 * @throws {HttpError} 400 with the code of the first file that cannot be sent
 */
export async function prepareFiles(
  { media, present }: Pick<MessageParts, 'media' | 'present'>,
  message: Message,
  content: JsonObject,
  bot: Pick<Bot, 'companyId' | 'channel' | 'provider'>,
): Promise<JsonObject> {
  const presented = (await present?.(content, bot)) ?? { kind: 'fits', message: content };
  if (presented.kind === 'refused') throw new HttpError(400, presented.code, presented.message);
  // One with a link of ours was judged by its bytes.
  const unfit = presented.message === content ? await unfitFile(media, message, bot) : undefined;
  if (unfit !== undefined) throw new HttpError(400, unfit.code, unfit.message);
  return presented.message;
}

/** What a message that was accepted is answered (MSG-02). */
export const Sent = z.object({ success: z.literal(true), messageId: z.string() }).openapi('Sent');

/** The body, by the very schema that judges it. It is judged by hand, so that checks keep their order (GEN-09). */
export const sendBody = { content: { 'application/json': { schema: bodySchema() } } };

function bodySchema(): JsonObject {
  const { $schema: _dialect, ...schema } = JsonObject.parse(z.toJSONSchema(SendRequest, { io: 'input', unrepresentable: 'any' }));
  return schema;
}

/** The headers of a request that sends a message. Judged in code: a malformed key is a 400 (MSG-03). */
export const sendHeaders = z.object({
  'idempotency-key': z.string().optional().openapi({
    maxLength: 128,
    pattern: deliveryKey.source,
    description: 'A repeated key with the same body within 24 hours is the same message',
  }),
});

/** The refusals of a request that sends a message, for /openapi.json. */
export const sendErrorResponses = {
  ...commonErrorResponses,
  400: jsonResponse('A field, the user, the file or the window: see error', ErrorBody),
  404: jsonResponse('No such bot, campaign or user: see error', ErrorBody),
};
