import { getPath, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { providers } from '../../../channels/test/providers.ts';
import { startHttp } from '../../../drivers/test/local-servers.ts';
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

/** A call of the provider. @property messageId - left out where the request has none */
interface Reached {
  readonly key: string;
  readonly userId: string;
  readonly text: string;
  readonly messageId?: string;
}

/** The bot's provider, which records its calls. It is slow, so that each kill finds messages being sent. */
interface Receiving extends AsyncDisposable {
  readonly calls: readonly Reached[];
  readonly host: string;
  readonly changes: Parameters<typeof changed>[1];
}

const pauseMs = 5;

const openers: { readonly [kind: string]: (reached: () => void) => Promise<Receiving> } = {
  async custom(reached) {
    const { calls, port, options, ...rest } = await receiver((_call, _attempt, response) => {
      reached();
      setTimeout(() => response.end(), pauseMs);
    });
    return { ...rest, calls, host: `127.0.0.1:${port}`, changes: options.changes };
  },
  // Without idempotency keys: a second request is a second message.
  async 'whatsapp-cloud'(reached) {
    const provider = (await providers()).find(({ adapter }) => adapter.kind === 'whatsapp-cloud');
    if (provider === undefined) throw new Error('There is such a provider');
    const calls: Reached[] = [];
    const server = await startHttp(({ body: sent }, response) => {
      const body = JSON.parse(sent) as JsonObject;
      expect(provider.plan.problemsOf(body)).toBe('');
      const read = (...path: readonly string[]): string => JSON.stringify(getPath(body, path)).slice(1, -1);
      calls.push({ key: read('biz_opaque_callback_data'), userId: read('to'), text: read('text', 'body') });
      reached();
      setTimeout(() => response.end(JSON.stringify({ messages: [{ id: `wamid.${calls.length}` }] })), pauseMs);
    });
    const bot = {
      id: 'bot_own',
      name: 'Own',
      channel: 'whatsapp',
      connectedAt: '2026-01-01T00:00:00Z',
      provider: { kind: 'whatsapp-cloud', ...provider.fields(`http://${server.host}`) },
      settings: { enforceSessionWindow: false },
    };
    return { calls, host: server.host, changes: { '/companies/0/bots/-': bot }, [Symbol.asyncDispose]: server.close };
  },
};

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

describe.each(Object.keys(openers))('a service that is killed while its outbox sends to %s', (kind) => {
  it(`delivers all that it accepted, in order, and what comes twice comes with the same key (P1, P3, P4, P9)`, {
    timeout: 120_000 + kills * 60_000,
  }, async () => {
    let reached = (): void => undefined;
    await using receiving = await openers[kind]?.(() => reached());
    if (receiving === undefined) throw new Error('There is a receiver');
    const arrivals = (count: number): Promise<void> => {
      const goal = receiving.calls.length + count;
      return new Promise((resolve) => (reached = () => void (receiving.calls.length >= goal && resolve())));
    };
    const workspace = changed(await inlineExample(), { '/companies/0/workflows': [], '/companies/1/workflows': [], ...receiving.changes });
    using place = openPlace(workspace);
    const start = () => place.start(['--egress-allow', receiving.host]);
    const lanes = Array.from({ length: users }, (_, user) =>
      Array.from({ length: each }, (_, number): Wanted => ({ userId: String(5_215_500_000_000 + user), text: String(number) })),
    );

    await (await start()).end('SIGTERM'); // a program that is killed leaves no compiled code for the next start

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
    const standing = async ({ messageId }: Wanted): Promise<string> => {
      const { body } = await caller.call(`GET /v1/bots/bot_own/messages/${messageId}`, { headers: { authorization } });
      const { status, error } = body as { readonly status: string; readonly error?: { readonly code: string } };
      return error?.code ?? status;
    };
    // A connection that breaks on this side of a provider without keys is an unknown outcome: recorded, and not repeated (P5).
    const ends = kind === 'custom' ? ['sent'] : ['sent', 'OUTCOME_UNKNOWN'];
    for (const wanted of lanes)
      await expect
        .poll(async () => (await Promise.all(wanted.map(standing))).filter((now) => !ends.includes(now)), {
          timeout: 60_000 + kills * 1_000,
        })
        .toEqual([]);

    let missing = 0;
    for (const wanted of lanes) {
      const own = receiving.calls.filter(({ userId }) => userId === wanted[0]?.userId);
      const reached = new Set(own.map(({ text }) => text));
      const standings = await Promise.all(wanted.map(standing));
      // Each one that is recorded as sent; one of unknown outcome may be missing.
      const inOrder = wanted.flatMap(({ text }, index) => (standings[index] === 'sent' || reached.has(text) ? [text] : []));
      missing += each - inOrder.length;
      // Only the message at hand comes again, before the next one.
      expect(own.map(({ text }) => text).filter((text, index, texts) => text !== texts[index - 1])).toEqual(inOrder);
      expect(new Set(own.map(({ key, text }) => `${key} ${text}`)).size).toBe(inOrder.length);
      expect(new Set(own.map(({ key }) => key)).size).toBe(inOrder.length);
      const names = own.flatMap(({ messageId }) => messageId ?? []).filter((name, index, all) => name !== all[index - 1]);
      expect(names).toEqual(names.length === 0 ? [] : wanted.map(({ messageId }) => messageId));
    }
    const again = receiving.calls.length - (users * each - missing);
    expect(again).toBeLessThanOrEqual(users * kills);
    if (process.env['HILO_OUTBOX_KILLS'] !== undefined)
      console.log(
        `${kind}: ${kills} kills, ${users * each} messages, none lost, none under two keys, ${again} sent again, ${missing} of unknown outcome did not arrive`,
      );
  });
});
