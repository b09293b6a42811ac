// A wall clock that is set back by an hour, as by NTP: nothing that the process keeps, refuses or allows for a while lasts longer for it (P12).
import type { Clock } from '@hilo/engine/contract';
import { isWithin } from '@hilo/engine/contract';
import { openSqliteStore } from '@hilo/stores';
import { createVirtualClock } from '@hilo/testing';
import { Hono } from 'hono';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredentialBreaker } from '../../src/channels/credential-breaker.ts';
import { createChatStreams } from '../../src/chat/streams.ts';
import { createInboxFeed } from '../../src/conversations/inbox-feed.ts';
import { laneOf } from '../../src/platform/database/lanes.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import type { HttpEnv } from '../../src/platform/http/context.ts';
import { createFailedLogins } from '../../src/platform/http/failed-logins.ts';
import { streamPolled } from '../../src/platform/http/stream-polled.ts';
import { exchangeTokens } from '../../src/tenants/access-tokens.ts';
import type { Bot } from '../../src/tenants/companies.ts';

const hourMs = 3_600_000;

/** Timers run on as before; only what the clock shows is set back. */
function wrongClock() {
  const timers = createVirtualClock(100 * hourMs);
  let backMs = 0;
  const clock: Clock = { ...timers, now: () => timers.now() - backMs };
  return { clock, timers, setBack: () => void (backMs += hourMs) };
}

const log = { info: () => {}, warn: () => {}, error: () => {} };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass by little steps, until something has happened. */
async function passUntil(timers: { advanceBy(ms: number): void }, forMs: number, isDone: () => boolean): Promise<void> {
  for (let passedMs = 0; passedMs < forMs && !isDone(); passedMs += 1_000) {
    timers.advanceBy(1_000);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}

describe('a clock that is set back by an hour', () => {
  it('does not keep a bot from trying its credentials again', () => {
    const { clock, timers, setBack } = wrongClock();
    const breaker = createCredentialBreaker({ clock, log });
    const bot = { companyId: '1', id: 'a' } as Bot;
    breaker.note(bot, { kind: 'refused', cause: 'PROVIDER_UNAUTHORIZED', message: 'revoked' });
    setBack();
    timers.advanceBy(60_000);
    expect([breaker.refusal(bot)?.kind, breaker.refusal(bot)?.kind]).toEqual([undefined, 'refused']);
  });

  it('does not keep a token for longer than it is good', async () => {
    const { clock, timers, setBack } = wrongClock();
    let asked = 0;
    const request = async () => {
      asked += 1;
      const body = Buffer.from(JSON.stringify({ access_token: `t${asked}`, expires_in: 600 }));
      return { status: 200, headers: {}, body, url: '', retryAfterMs: undefined };
    };
    const credential = { kind: 'oauth2', tokenUrl: 'https://t.example/', clientId: 'c', clientSecret: 's' };
    const done = async (): Promise<void> => undefined;
    const find = exchangeTokens(async () => credential, { dialer: { request }, clock, keep: done, refresh: done });
    await find('1', 'crm');
    setBack();
    timers.advanceBy(600_000);
    await find('1', 'crm');
    await find('1', 'crm');
    expect(asked).toBe(2);
  });

  it('does not hold an inbox at what it was', async () => {
    const { clock, timers, setBack } = wrongClock();
    let reads = 0;
    const read = async (): Promise<never[]> => ((reads += 1), []);
    const feed = createInboxFeed({ runner: { read, readEach: async () => [] }, clock });
    await feed.state('1', []);
    setBack();
    timers.advanceBy(1_000);
    await feed.state('1', []);
    await feed.state('1', []);
    expect(reads).toBe(2);
  });

  it('does not shut out a network for an hour after wrong credentials', async () => {
    const { clock, timers, setBack } = wrongClock();
    const logins = createFailedLogins(clock);
    const attempt = async (): Promise<unknown> => {
      let outcome: unknown;
      void logins
        .attempt('198.51.100.7', 'admin', () => false)
        .then(
          (isRight) => (outcome = isRight),
          (error: unknown) => (outcome = error),
        );
      await passUntil(timers, 30_000, () => outcome !== undefined);
      return outcome;
    };
    for (let count = 0; count < 15; count += 1) expect(await attempt()).toBe(false);
    setBack();
    for (let count = 0; count < 15; count += 1) expect(await attempt()).toBe(false);
  });

  it('does not keep a chat open for whom the token was taken from', async () => {
    const { clock, timers, setBack } = wrongClock();
    const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
    try {
      const streams = createChatStreams({ ...store, clock });
      let isValid = true;
      const stream = streams.open(laneOf({ companyId: '1', botId: 'b', userId: 'web:1' }), undefined, async () => isValid);
      let isOver = false;
      void stream.pipeTo(new WritableStream()).then(() => (isOver = true));
      await passUntil(timers, 20_000, () => isOver);
      setBack();
      isValid = false;
      await passUntil(timers, 60_000, () => isOver);
      expect(isOver).toBe(true);
    } finally {
      await store.close();
    }
  });

  it.each(['the rights were taken', 'ten minutes have passed'])('does not keep a stream of a page open after %s', async (reason) => {
    const { clock, timers, setBack } = wrongClock();
    let mayStay = true;
    const parts = { clock, log, engine: {}, isAccepting: () => true, companies: { company: () => ({}) } };
    const app = new Hono<HttpEnv>().get('/', (c) => {
      c.set('isUnchanged', async () => mayStay);
      const poll = async () => ({ newEvents: [], isOver: false });
      return streamPolled(c, parts as unknown as Parameters<typeof streamPolled>[1], 'ana', { companyId: '1', poll, listen: () => [] });
    });
    let isOver = false;
    const answer = await app.request('/');
    void answer.body?.pipeTo(new WritableStream()).then(() => (isOver = true));
    await passUntil(timers, 8_000, () => isOver);
    expect(isOver).toBe(false);
    setBack();
    mayStay = reason !== 'the rights were taken';
    await passUntil(timers, mayStay ? 600_000 : 8_000, () => isOver);
    expect(isOver).toBe(true);
  });

  it('ends what lasts a while at its length, or at once where the clock shows a time before it', () => {
    const instant = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(instant, instant, instant, (sinceMs, lengthMs, nowMs) => {
        expect(isWithin(sinceMs, lengthMs, nowMs)).toBe(sinceMs <= nowMs && nowMs < sinceMs + lengthMs);
      }),
    );
  });
});
