// What a system of the customer delivers to a custom bot, and to one that only logs.
import { getPath, Instant, isJsonObject, type Json, Locale, TimeZone } from '@hilo/engine/contract';
import { Bsuid, InboundMessage, userIdProblem } from '@hilo/nodes/effects';
import { z } from 'zod';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import { explainIssues, inWords } from '../explain-issues.ts';

const name = z.string().min(1, 'it is empty').max(256, 'it is longer than 256 characters');

/** A user's message in the contract of `log` and `custom` bots (EVT-02). Unknown fields are ignored (GEN-07). */
export const CustomEvent = z.object({
  /** The same id again is the same delivery (P10). */
  eventId: name,
  botId: z.string(),
  user: z.object({
    id: z.string(),
    // What is malformed of these is taken as not said: it must not cost the user's message.
    phone: z.string().nullable().exactOptional().catch(null),
    bsuid: Bsuid.nullable().exactOptional().catch(null),
    names: z.string().nullable().exactOptional().catch(null),
    timeZone: TimeZone.nullable().exactOptional().catch(null),
    locale: z
      .preprocess((value) => (typeof value === 'string' ? value.replaceAll('_', '-') : value), Locale.nullable())
      .exactOptional()
      .catch(null),
  }),
  message: InboundMessage,
  /** When the host got it. */
  receivedAt: Instant,
  /** When the user wrote it, where the host knows: left out or malformed, when it comes. */
  writtenAt: Instant.exactOptional().catch(0),
});

/** Reads Hilo's own contract: one event a delivery (EVT-02). */
export function receive(delivery: Delivery, { bot }: Pick<ChannelContext<unknown, unknown>, 'bot'>): Received {
  const { data: event, error } = CustomEvent.safeParse(withoutNulls(delivery.json()), { error: inWords });
  if (event === undefined) return invalid(explainIssues(error.issues, 'the event'));
  if (event.botId !== bot.id) return invalid(`botId is "${event.botId}" in the body and "${bot.id}" in the path: make them the same`);
  const { eventId, user, message, receivedAt: atMs, writtenAt: writtenAtMs = 0 } = event;
  const problem = userIdProblem(user.id, bot.channel, bot.userIdFormat);
  if (problem !== undefined) return { kind: 'invalid', code: 'INVALID_USER_ID', message: problem };
  return { kind: 'events', events: [{ kind: 'message', eventId, user, message, atMs, writtenAtMs }] };
}

/** The event without fields of its message that are null, which is how many languages write that there is none. Those of the host's own stay. */
function withoutNulls(event: Json): Json {
  const message = getPath(event, ['message']);
  if (!isJsonObject(event) || !isJsonObject(message)) return event;
  const there = Object.entries(message).filter(([name, value]) => value !== null || !Object.hasOwn(InboundMessage.shape, name));
  return { ...event, message: Object.fromEntries(there) };
}

const invalid = (message: string): Received => ({ kind: 'invalid', code: 'INVALID_REQUEST', message });
