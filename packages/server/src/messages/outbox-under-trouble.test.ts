import type { Clock } from '@hilo/engine/contract';
import { createRunner, type DurableStore, openSqliteStore, storeUnavailable } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Deliver, DueMessage, Tried } from './messages.ts';
import type { Bot } from '../tenants/companies.ts';
import { serviceTables } from '../platform/database/tables.ts';
import { createOutbox } from './outbox.ts';
import { keepStatus } from './provider-records.ts';

const bot: Bot = {
  companyId: '1',
  id: 'bot',
  name: 'Bot',
  channel: 'whatsapp',
  connectedAtMs: 0,
  provider: { kind: 'custom', fields: {} },
  settings: { userIdFormat: 'open', enforceSessionWindow: false, templateReopensWindow: 'onSend' },
};

const columns = { companyId: '1', botId: 'bot' };

const sent: Tried = { kind: 'sent', messageId: 'm' };
const later = (cause: string): Tried => ({ kind: 'later', cause, message: 'Not now', retryAfterMs: undefined });
const refused: Tried = { kind: 'refused', cause: 'REFUSED', message: 'It came too late' };

interface Process {
  readonly outbox: ReturnType<typeof createOutbox>;
  /** When it handed a message over, in milliseconds since the test began. */
  readonly deliveredAtMs: number[];
  /** From here on nothing wakes it. */
  die(): void;
}

/** A store shared by processes, and a virtual clock. */
async function stage() {
  const opened = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  onTestFinished(() => opened.close());
  const clock = createVirtualClock();
  const startedAtMs = clock.now();
  const unavailable: Error = storeUnavailable('The disk is full');
  /** How many of the next requests the store does not answer, and why. */
  const errorResponses = { write: 0, contact: 0, error: unavailable };
  const store: DurableStore = {
    ...opened,
    durability: { ...opened.durability, database: 'postgres' },
    executions: { ...opened.executions, contact: (...named) => answer('contact', async () => opened.executions.contact(...named)) },
    runner: createRunner({ ...opened.runner, write: (calls) => answer('write', () => opened.runner.write(calls)) }),
  };
  const answer = async <Answer>(what: 'write' | 'contact', ask: () => Promise<Answer>): Promise<Answer> => {
    if (errorResponses[what] === 0) return ask();
    errorResponses[what] -= 1;
    throw errorResponses.error;
  };

  /** Keys of the messages that were sent. */
  const keys = new Set<string>();
  const warnings: string[] = [];
  let processes = 0;
  const start = async (deliver: (signal: Parameters<Deliver>[2]) => Tried | Promise<Tried>): Promise<Process> => {
    processes += 1;
    let isAlive = true;
    const ownClock: Clock = { ...clock, setTimeout: (callback, delayMs) => clock.setTimeout(() => void (isAlive && callback()), delayMs) };
    const deliveredAtMs: number[] = [];
    const outbox = createOutbox({
      store,
      isRecordOnly: () => false,
      companies: { botOf: () => bot },
      clock: ownClock,
      random: seededRandom(processes),
      log: { info: () => {}, warn: (_fields, text) => void warnings.push(text), error: () => {} },
      deliver: async (_bot: Bot, { idempotencyKey }: DueMessage, signal) => {
        keys.add(idempotencyKey);
        deliveredAtMs.push(clock.now() - startedAtMs);
        return deliver(signal);
      },
    });
    await outbox.start();
    return { outbox, deliveredAtMs, die: () => void (isAlive = false) };
  };

  /** Lets all that is ready happen. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    await settle();
    for (const endMs = clock.now() + ms; clock.now() < endMs; await settle()) clock.advanceBy(Math.min(500, endMs - clock.now()));
  };
  /** Accepts the message. @returns a way to read its outcome */
  const accept = async ({ outbox }: Process) => {
    const accepted = await outbox.accept({
      companyId: '1',
      botId: 'bot',
      userId: 'ana',
      knownAs: 'ana',
      message: { type: 'text', text: 'Hi' },
    });
    if (accepted.kind !== 'accepted') throw new Error(`The message was ${accepted.kind}`);
    await settle();
    return async () => (await outbox.find('1', 'bot', accepted.messageId))?.status;
  };
  /** The provider tells of the one message by the key that it was sent with. */
  const tell = async (status: 'delivered' | 'failed'): Promise<void> => {
    const [idempotencyKey = ''] = keys;
    const of = { providerMessageId: 'wamid.1', idempotencyKey };
    const failure = status === 'failed' ? { failure: { cause: 'NOT_DELIVERED', message: 'No' } } : {};
    await opened.runner.write(
      keepStatus(columns, { kind: 'status', eventId: 'e', atMs: clock.now(), status, of, ...failure }, clock.now()),
    );
  };
  return { start, pass, accept, tell, errorResponses, keys, warnings };
}

describe('a store that is unavailable for a while', () => {
  it('gets the outcome of a message when it is back, and the message is sent once (P3, P26)', async () => {
    const { start, pass, accept, errorResponses } = await stage();
    const one = await start(() => {
      errorResponses.write = 3;
      return sent;
    });
    const status = await accept(one);
    await pass(5_000);
    expect(await status()).toBe('sent');
    await pass(120_000);
    expect(one.deliveredAtMs).toEqual([0]);
  });

  it('gets the next try of a message when it is back, and no longer delays it (P9)', async () => {
    const { start, pass, accept, errorResponses } = await stage();
    const tried = [later('PROVIDER_REFUSED'), sent];
    const one = await start(() => {
      errorResponses.write = 2;
      return tried.shift() ?? refused;
    });
    const status = await accept(one);
    await pass(10_000);
    expect(await status()).toBe('sent');
    expect(one.deliveredAtMs).toHaveLength(2);
  });

  it('is asked again for the recipient of a message (P9)', async () => {
    const { start, pass, accept, errorResponses } = await stage();
    errorResponses.contact = 3;
    const one = await start(() => sent);
    const status = await accept(one);
    await pass(5_000);
    expect(await status()).toBe('sent');
    expect(one.deliveredAtMs).toHaveLength(1);
  });
});

describe('a message that gets no turn at its busy channel', () => {
  it('is no try of it, however often that happens (P22)', async () => {
    const { start, pass, accept } = await stage();
    const busy = Array.from({ length: 20 }, () => later('DESTINATION_BUSY'));
    const tried = [...busy, ...[1, 2, 3].map(() => later('PROVIDER_REFUSED')), sent];
    const one = await start(() => tried.shift() ?? refused);
    const status = await accept(one);
    await pass(150_000);
    expect(await status()).toBe('sent');
    expect(one.deliveredAtMs).toHaveLength(24);
  });

  it('is handed back when its process stops (P25)', async () => {
    const { start, pass, accept } = await stage();
    const one = await start(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(later('DESTINATION_BUSY')))),
    );
    const status = await accept(one);
    const two = await start(() => sent);
    await pass(60_000);
    expect([one.deliveredAtMs, two.deliveredAtMs]).toEqual([[0], []]);
    await one.outbox.stop();
    await pass(6_000);
    expect(two.deliveredAtMs).toHaveLength(1);
    expect(await status()).toBe('sent');
  });
});

describe('a message that a process has in hand', () => {
  it.each([3_000, 42_000])(
    'is sent by another within 30 s of its death after %i ms, whatever answer the dead one gets (P8, P25)',
    async (diesAtMs) => {
      const { start, pass, accept, keys } = await stage();
      const answer = Promise.withResolvers<Tried>();
      const one = await start(() => answer.promise);
      const status = await accept(one);
      const two = await start(() => sent);
      await pass(diesAtMs);
      one.die();
      await pass(30_000);
      expect(two.deliveredAtMs).toHaveLength(1);
      answer.resolve(refused);
      await pass(60_000);
      expect(await status()).toBe('sent');
      expect([one.deliveredAtMs.length, two.deliveredAtMs.length, keys.size]).toEqual([1, 1, 1]);
    },
  );

  it('goes again once that process is dead, under its key, and not without a word (P4, P5)', async () => {
    const { start, pass, accept, keys, warnings } = await stage();
    const one = await start(() => new Promise(() => {}));
    const status = await accept(one);
    one.die();
    const two = await start(() => sent);
    await pass(45_000);
    expect([two.deliveredAtMs.length, keys.size, await status()]).toEqual([1, 1, 'sent']);
    expect(warnings).toEqual([expect.stringContaining('may reach its user twice')]);
  });

  it('has all its retries left, however many processes died of something else meanwhile (P3)', async () => {
    const { start, pass, accept, keys } = await stage();
    const first = await start(() => new Promise(() => {}));
    const status = await accept(first);
    first.die();
    for (let deaths = 1; deaths < 10; deaths += 1) {
      const next = await start(() => new Promise(() => {}));
      await pass(25_000);
      expect(next.deliveredAtMs).toHaveLength(1);
      next.die();
    }
    const tried = [...[1, 2, 3].map(() => later('CONNECT_FAILED')), sent];
    const last = await start(() => tried.shift() ?? refused);
    await pass(90_000);
    expect([last.deliveredAtMs.length, keys.size, await status()]).toEqual([4, 1, 'sent']);
  });

  it.each(['delivered', 'failed'] as const)('is not sent again where its provider has told meanwhile: %s (P5)', async (told) => {
    const { start, pass, accept, tell, warnings } = await stage();
    const one = await start(() => new Promise(() => {}));
    const status = await accept(one);
    one.die();
    await tell(told);
    const two = await start(() => sent);
    await pass(45_000);
    expect([two.deliveredAtMs, await status(), warnings]).toEqual([[], told, []]);
    const next = await accept(two);
    await pass(1_000);
    expect(await next()).toBe('sent');
  });

  it('is as its provider tells, where its answer says nothing, before that answer or after it (P5)', async () => {
    const { start, pass, accept, tell } = await stage();
    const answer = Promise.withResolvers<Tried>();
    const one = await start(() => answer.promise);
    const status = await accept(one);
    await tell('delivered');
    answer.resolve({ kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: 'The answer broke off' });
    await pass(1_000);
    expect(await status()).toBe('delivered');

    const other = await stage();
    const two = await other.start(() => ({ kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: 'The answer broke off' }));
    const later = await other.accept(two);
    await other.pass(1_000);
    expect(await later()).toBe('failed');
    await other.tell('delivered');
    expect(await later()).toBe('delivered');
  });

  it('is held no longer when that process stumbles over it (P13)', async () => {
    const { start, pass, accept, errorResponses } = await stage();
    errorResponses.contact = 1;
    errorResponses.error = new Error('Nobody foresaw this');
    const one = await start(() => sent);
    const status = await accept(one);
    await pass(30_000);
    expect(await status()).toBe('sent');
    expect(one.deliveredAtMs).toHaveLength(1);
  });

  it('stays claimed for as long as its delivery takes, even while that process stops (P3, P9)', async () => {
    const { start, pass, accept } = await stage();
    const answer = Promise.withResolvers<Tried>();
    const one = await start(() => answer.promise);
    const status = await accept(one);
    const two = await start(() => sent);
    await pass(50_000);
    const stopped = one.outbox.stop();
    await pass(50_000);
    expect(await status()).toBe('queued');
    answer.resolve(sent);
    await stopped;
    await pass(60_000);
    expect(await status()).toBe('sent');
    expect([one.deliveredAtMs, two.deliveredAtMs]).toEqual([[0], []]);
  });
});
