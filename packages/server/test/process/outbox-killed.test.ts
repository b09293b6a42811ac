import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { changed, inlineExample } from '../data/inline-example.ts';
import { receiver } from '../rest/receiver.ts';
import { basic, type Caller, callerOf, isGone, keys } from './caller.ts';
import { openPlace } from './place.ts';

/** `HILO_OUTBOX_KILLS=200` sets another number. */
const kills = Number(process.env['HILO_OUTBOX_KILLS'] ?? 3);
const [users, each] = [8, kills * 4];
const authorization = basic(keys.acmeClient);

/** A message to send, and its id once that was answered. */
interface Wanted {
  readonly userId: string;
  readonly text: string;
  messageId?: string;
}

/** Sends unaccepted messages, under the same key as before: those of a user one after the other, until the service is dead. */
async function sendOn(caller: Caller, wanted: readonly Wanted[]): Promise<void> {
  for (const message of wanted) {
    if (message.messageId !== undefined) continue;
    const { userId, text } = message;
    const body: JsonObject = { type: 'text', userId, text };
    const headers = { authorization, 'idempotency-key': `${userId}-${text}` };
    try {
      const answer = await caller.call('POST /v1/bots/bot_own/messages', { headers, body });
      if (answer.status !== 200) return;
      message.messageId = (answer.body as { readonly messageId: string }).messageId;
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}

describe('a service that is killed while its outbox sends', () => {
  it(`delivers all that it accepted, in order, and what comes twice comes with the same key (P1, P3, P4, P9)`, {
    timeout: 120_000 + kills * 20_000,
  }, async () => {
    let reached = (): void => undefined;
    const arrivals = (count: number): Promise<void> => {
      const goal = receiving.calls.length + count;
      return new Promise((resolve) => (reached = () => void (receiving.calls.length >= goal && resolve())));
    };
    // A slow channel, so that each kill finds messages being sent.
    await using receiving = await receiver((_call, _attempt, response) => {
      reached();
      setTimeout(() => response.end(), 5);
    });
    using place = openPlace(changed(await inlineExample(), receiving.options.changes));
    const start = () => place.start(['--egress-allow', `127.0.0.1:${receiving.port}`]);
    const lanes = Array.from({ length: users }, (_, user) =>
      Array.from({ length: each }, (_, number): Wanted => ({ userId: String(5_215_500_000_000 + user), text: String(number) })),
    );

    for (let kill = 0; kill < kills; kill += 1) {
      await using service = await start();
      const enough = arrivals(users * 2);
      const sending = lanes.map((wanted) => sendOn(callerOf(service.url), wanted));
      await enough;
      await service.end('SIGKILL');
      await Promise.all(sending);
    }
    await using service = await start();
    const caller = callerOf(service.url);
    await Promise.all(lanes.map((wanted) => sendOn(caller, wanted)));
    const statusOf = async ({ messageId }: Wanted): Promise<unknown> =>
      ((await caller.call(`GET /v1/bots/bot_own/messages/${messageId}`, { headers: { authorization } })).body as JsonObject)['status'];
    const statuses = () => Promise.all(lanes.flat().map(statusOf));
    await expect.poll(async () => new Set(await statuses()), { timeout: 60_000 }).toEqual(new Set(['sent']));

    const inOrder = Array.from({ length: each }, (_, number) => String(number));
    for (const wanted of lanes) {
      const own = receiving.calls.filter(({ userId }) => userId === wanted[0]?.userId);
      const [texts, names] = [own.map(({ text }) => text), own.map(({ messageId }) => messageId)];
      // Only the message at hand comes again, before the next one.
      expect(texts.filter((text, index) => text !== texts[index - 1])).toEqual(inOrder);
      expect(names.filter((name, index) => name !== names[index - 1])).toEqual(wanted.map(({ messageId }) => messageId));
      expect(new Set(own.map(({ key, messageId }) => `${key} ${messageId}`)).size).toBe(each);
    }
    const again = receiving.calls.length - users * each;
    expect(again).toBeLessThanOrEqual(users * kills);
  });
});
