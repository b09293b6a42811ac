// What tests of channels share: a provider that answers as it is told, and a host that records.
import type { Json, JsonObject } from '@hilo/engine/contract';
import type { Message } from '@hilo/nodes/effects';
import { expect } from 'vitest';
import type { ChannelHost, ChannelMessage, ConnectedChannel, Delivery, Received, SendResult } from '../src/channel-adapter.ts';

export const any = (type: unknown): unknown => expect.any(type);
export const containing = (text: string): unknown => expect.stringContaining(text);

type Call = Parameters<ChannelHost['dialer']['request']>[0];

interface Answered {
  readonly retryAfterMs?: number;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly nowMs?: number;
}

/** A provider that answers as it is told, and keeps what it was asked. */
export function provider(status: number, answer: Json | string, { retryAfterMs, headers = {}, nowMs = 0 }: Answered = {}) {
  const calls: Call[] = [];
  const body = new TextEncoder().encode(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const host: ChannelHost = {
    clock: { now: () => nowMs },
    dialer: {
      request(call) {
        calls.push(call);
        return Promise.resolve({ status, headers, body, url: call.url, retryAfterMs, bytes: body.length });
      },
    },
  };
  return { host, calls };
}

export const outbound = (message: JsonObject, more: Partial<ChannelMessage> = {}): ChannelMessage => ({
  messageId: 'msg_1',
  idempotencyKey: 'key-1',
  recipient: { id: '5215512345678' },
  message,
  ...more,
});

export const delivery = (body: Json): Delivery => ({
  headers: new Headers(),
  body: new TextEncoder().encode(JSON.stringify(body)),
  json: () => body,
});

/** What is wrong with a refusal: it has to say why. */
export const refusalProblems = (result: SendResult): readonly string[] =>
  result.kind === 'refused' && ['INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE'].includes(result.cause) && result.message !== ''
    ? []
    : [`not refused with a reason: ${result.kind}`];

/** As the service hands it over: JSON of a checked message. */
export const jsonOf = (message: Message): JsonObject => JSON.parse(JSON.stringify(message)) as JsonObject;

/** The events of a delivery that was understood. */
export async function eventsOf(
  channel: ConnectedChannel,
  sent: Delivery,
): Promise<Extract<Received, { readonly kind: 'events' }>['events']> {
  const received = await channel.receive(sent, provider(404, {}).host);
  if (received.kind !== 'events') throw new Error(received.message);
  return received.events;
}
