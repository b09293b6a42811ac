import type { Json, JsonObject } from '@hilo/engine/contract';
import { issueCode, type Message, messageProblems, SendRequest, userIdFor } from '@hilo/nodes';
import { invalidRequest, Refusal } from '../platform/http/refusal.ts';
import type { Bot } from '../tenants/companies.ts';

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
