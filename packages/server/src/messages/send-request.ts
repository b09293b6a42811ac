import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { issueCode, type Message, messageProblems, SendRequest, userIdFor } from '@hilo/nodes';
import type { Context } from 'hono';
import type { Entry } from '../platform/http/admission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidRequest, notFound, Refusal, unavailable } from '../platform/http/errors.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { readBody } from '../platform/http/read-body.ts';
import { checkJsonType, jsonObjectIn } from '../platform/http/rest.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Outbox, SendKey, MessageParts } from './messages.ts';

/**
 * Reads the body of a request to send something, with a place among the requests in progress until it is answered (P22).
 *
 * @throws {Refusal} 400 for what is no JSON object or too much (MSG-03), 503 when there is no place
 */
export async function withSendBody(
  c: Context<HttpEnv>,
  { admission }: Pick<Traffic, 'admission'>,
  work: (body: JsonObject) => Promise<Response>,
): Promise<Response> {
  const entry = admission.enter({ kind: 'new', holder: c.get('companyId') });
  try {
    if (!entry.mayStart()) throw unavailable('Too much is in progress to send anything new; send this again in a moment');
    return await work(await bodyOf(c, entry));
  } finally {
    entry.leave();
  }
}

async function bodyOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<JsonObject> {
  checkJsonType(c);
  return jsonObjectIn(await bytesOf(c, entry));
}

/** Too much is a 400 here: 413 is none of the statuses of sending (MSG-03, WEB-26). */
async function bytesOf(c: Context<HttpEnv>, entry: Pick<Entry, 'take'>): Promise<Uint8Array> {
  try {
    return await readBody(c, entry);
  } catch (error) {
    throw error instanceof Refusal && error.status === 413 ? invalidRequest(error.message) : error;
  }
}

/**
 * The bot that the path names. Another company's is unknown (GEN-08, P28).
 *
 * @throws {Refusal} 404 `BOT_NOT_FOUND`
 */
export function findBot(c: Context<HttpEnv>, { companies }: Pick<MessageParts, 'companies'>): Bot {
  const botId = c.req.param('botId') ?? '';
  const bot = companies.botOf(c.get('companyId'), botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

/** What a body asks to send. */
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
 * @throws {Refusal} 400 with the code of the first thing that is wrong (MSG-03, ERR-30)
 */
export function readSend(body: JsonObject, bot: Pick<Bot, 'id' | 'channel' | 'settings'>): ReadSend {
  const userId = readUserId(body['userId'], bot);
  const { data: request, error } = SendRequest.safeParse(body);
  const first = error?.issues[0];
  if (first !== undefined) throw new Refusal(400, issueCode(first), first.message);
  if (request === undefined) throw invalidRequest('The body is no message');
  checkBotId(request.botId, bot);
  const { userId: _read, botId: _sameAsInPath, ...message } = request;
  return { userId, request, message };
}

/**
 * The recipient, exactly as received (UID-02).
 *
 * @throws {Refusal} 400 where there is none, or `INVALID_USER_ID` for an id that this bot does not take (UID-01 to UID-05)
 */
export function readUserId(userId: Json | undefined, { channel, settings }: Pick<Bot, 'channel' | 'settings'>): string {
  const { data, error } = userIdFor(channel, settings.userIdFormat).safeParse(userId);
  const first = error?.issues[0];
  if (data === undefined) throw new Refusal(400, first === undefined ? 'INVALID_USER_ID' : issueCode(first), first?.message ?? '');
  return data;
}

/** @throws {Refusal} 400 when the body names another bot than the path (MSG-06, TPL-06) */
export function checkBotId(botId: string | undefined, { id }: Pick<Bot, 'id'>): void {
  if (botId !== undefined && botId !== id)
    throw invalidRequest(`"botId" is "${botId}", and the path says "${id}": leave it out or make them the same`);
}

/** @throws {Refusal} 400 for what the bot's channel does not take (LIM-04, LIM-05, MSG-12, MSG-21 to MSG-25, MSG-41) */
export function checkForChannel(message: Message, { channel }: Pick<Bot, 'channel'>): void {
  const [problem] = messageProblems(message, channel);
  if (problem !== undefined) throw invalidRequest(problem.message);
}

/**
 * The `Idempotency-Key` of a request to send (MSG-43), with what tells it from another request: its route and its body,
 * whatever the order and the spacing of the JSON.
 *
 * @throws {Refusal} 400 for a key that is none
 */
export function sendKeyOf(c: Context<HttpEnv>, body: Json): SendKey | undefined {
  const value = c.req.header('idempotency-key');
  if (value === undefined) return undefined;
  if (value.length > httpLimits.deliveryKeyChars || !/^[\x21-\x7e]+$/.test(value))
    throw invalidRequest(`Idempotency-Key must be 1 to ${httpLimits.deliveryKeyChars} letters, digits or signs, without blanks`);
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
 * @throws {Refusal} 400 for a key of another request
 */
export async function answerBefore(
  outbox: Pick<Outbox, 'used'>,
  bot: { readonly companyId: string; readonly botId: string },
  key: SendKey | undefined,
): Promise<string | undefined> {
  const before = key === undefined ? undefined : await outbox.used(bot, key);
  if (before === undefined) return undefined;
  if (before.kind !== 'repeated') throw keyTaken();
  return before.messageId;
}

export const keyTaken = (): Refusal =>
  invalidRequest('This Idempotency-Key stands for another request of the last 24 hours: give each request a key of its own');
