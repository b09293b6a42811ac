import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { invalidRequest, type Refusal } from '../platform/http/refusal.ts';
import type { Outbox, SendKey } from './outbox.ts';

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
