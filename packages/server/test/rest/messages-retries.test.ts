import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { firstDue } from '../../src/messages/outbox-sql.ts';
import { receiver } from './receiver.ts';
import { ana, messageIdOf, type RestStage, restStage } from './rest-stage.ts';

const send = (stage: RestStage, words: string) => stage.send({ type: 'text', userId: ana, text: words }, 'bot_own');
const find = ({ service }: RestStage, messageId: string) => service.outbox.find('1', 'bot_own', messageId);

/** Advances time until the outcome of a message is known. */
async function outcome(stage: RestStage, messageId: string, stepMs: number) {
  const isSettled = async (): Promise<boolean> => {
    stage.clock.advanceBy(stepMs);
    return (await find(stage, messageId))?.status !== 'queued';
  };
  await expect.poll(isSettled, { timeout: 60_000 }).toBe(true);
  return find(stage, messageId);
}

/** When the first message to Ana is due; behind a claim that is when the claim lapses. */
const pausedUntilMs = async ({ service }: RestStage): Promise<number | undefined> =>
  (await service.store.runner.readOne(firstDue({ companyId: '1', botId: 'bot_own', userKey: ana })))?.dueAtMs;

const answering = (status: number, retryAfter?: string) => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
});

/** The instant of a header, in the form that is now the usual one of HTTP. @param afterMs - whole seconds from now */
const dateOf = ({ clock }: RestStage, afterMs: number): string => new Date(Math.ceil(clock.now() / 1_000) * 1_000 + afterMs).toUTCString();

describe('a message to a custom receiver', () => {
  it.each([
    ['429', answering(429), 0],
    ['429 and no time', answering(429, '0'), 0],
    ['429 and seven seconds', answering(429, '7'), 7_000],
    ['503 and a minute', answering(503, '60'), 60_000],
    ['503 and no time', answering(503), 0],
    ['500', answering(500), 0],
  ] as const)('waits as long as requested by %s, and arrives with the same key (P4, P24)', async (_what, answer, pauseMs) => {
    const atMs: number[] = [];
    await using receiving = await receiver((_call, attempt, response) => {
      atMs.push(stage.clock.now());
      if (attempt > 1) response.end();
      else response.writeHead(answer.status, answer.headers).end();
    });
    await using stage = await restStage(receiving.options);
    const messageId = messageIdOf(await send(stage, 'patience'));
    await expect.poll(() => atMs.length, { timeout: 60_000 }).toBe(1);
    expect(await outcome(stage, messageId, Math.max(pauseMs, 1_000) / 20)).toMatchObject({ status: 'sent', error: undefined });
    expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThanOrEqual(pauseMs);
    expect(receiving.calls.map(({ key, messageId }) => [key, messageId])).toEqual([
      [receiving.calls[0]?.key, messageId],
      [receiving.calls[0]?.key, messageId],
    ]);
  });

  it.each([
    ['half a minute', 30_000, (text: string) => text],
    ['a minute, in the form of RFC 850', 59_000, (text: string) => text.replace(/^(...), (..) (...) \d\d(..)/, '$1day, $2-$3-$4')],
    ['an instant that is over', -3_600_000, (text: string) => text],
  ])('waits until the date in Retry-After: %s (P24)', async (_what, afterMs, spell) => {
    const atMs: number[] = [];
    const untilMs: number[] = [];
    await using receiving = await receiver((_call, attempt, response) => {
      atMs.push(stage.clock.now());
      if (attempt > 1) return void response.end();
      const date = dateOf(stage, afterMs);
      untilMs.push(Date.parse(date));
      response.writeHead(429, { 'retry-after': spell(date) }).end();
    });
    await using stage = await restStage(receiving.options);
    const messageId = messageIdOf(await send(stage, 'patience'));
    await expect.poll(() => atMs.length, { timeout: 60_000 }).toBe(1);
    expect(await outcome(stage, messageId, 3_000)).toMatchObject({ status: 'sent', error: undefined });
    expect(atMs).toHaveLength(2);
    expect(atMs[1]).toBeGreaterThanOrEqual(Math.max(untilMs[0] ?? Number.NaN, atMs[0] ?? Number.NaN));
  });

  it('gets no second try behind a date that is more than a minute away', async () => {
    await using receiving = await receiver(
      (_call, _attempt, response) => void response.writeHead(429, { 'retry-after': dateOf(stage, 61_000) }).end(),
    );
    await using stage = await restStage(receiving.options);
    expect(await outcome(stage, messageIdOf(await send(stage, 'once')), 0)).toMatchObject({ error: { code: 'PROVIDER_REFUSED' } });
    expect(receiving.calls).toHaveLength(1);
  });

  it('is tried four times under one key where each answer comes a byte a second, and says why its outcome is unknown (P5, P13)', async () => {
    const dripping = new Set<ServerResponse>();
    await using receiving = await receiver((_call, _attempt, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      dripping.add(response);
    });
    await using stage = await restStage(receiving.options);
    const messageId = messageIdOf(await send(stage, 'slowly'));
    const isSettled = async (): Promise<boolean> => {
      for (const response of dripping) response.write('  ');
      stage.clock.advanceBy(2_000);
      return (await find(stage, messageId))?.status !== 'queued';
    };
    await expect.poll(isSettled, { timeout: 60_000 }).toBe(true);
    const found = await find(stage, messageId);
    expect(found).toMatchObject({ status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } });
    expect(found?.error?.message).toMatch(/^After 4 attempts it is unknown whether the message arrived: \w+/);
    expect(receiving.calls.map(({ key }) => key)).toEqual(Array.from({ length: 4 }, () => receiving.calls[0]?.key));
  });

  it('fails with its cause after four tries, and the next one is sent (P9, P13)', async () => {
    await using receiving = await receiver(({ text }, _attempt, response) => void response.writeHead(text === 'never' ? 429 : 200).end());
    await using stage = await restStage(receiving.options);
    const [never, next] = [messageIdOf(await send(stage, 'never')), messageIdOf(await send(stage, 'next'))];
    expect(await outcome(stage, never, 1_000)).toMatchObject({
      status: 'failed',
      error: { code: 'PROVIDER_REFUSED', message: 'The receiver of bot "bot_own" answered 429' },
    });
    expect(await outcome(stage, next, 1_000)).toMatchObject({ status: 'sent' });
    expect(receiving.calls.map(({ text }) => text)).toEqual(['never', 'never', 'never', 'never', 'next']);
  });

  it.each([
    ['a 400', answering(400), 'PROVIDER_REFUSED'],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'TOO_MANY_REDIRECTS'],
    ['a 429 and more than a minute', answering(429, '61'), 'PROVIDER_REFUSED'],
  ])('gets no second try behind %s', async (_what, { status, headers }, code) => {
    await using receiving = await receiver((_call, _attempt, response) => void response.writeHead(status, headers).end());
    await using stage = await restStage(receiving.options);
    expect(await outcome(stage, messageIdOf(await send(stage, 'once')), 0)).toMatchObject({ error: { code } });
    expect(receiving.calls).toHaveLength(1);
  });

  it('is retried while the receiver is down, and arrives once it is up (P4)', async () => {
    const gone = await receiver();
    await using stage = await restStage(gone.options);
    await gone[Symbol.asyncDispose]();
    const messageId = messageIdOf(await send(stage, 'hello?'));
    await expect.poll(async () => Number(await pausedUntilMs(stage)) - stage.clock.now(), { timeout: 60_000 }).toBeLessThanOrEqual(1_000);
    await using back = await receiver(undefined, gone.port);
    expect(await outcome(stage, messageId, 250)).toMatchObject({ status: 'sent' });
    expect(back.calls.map(({ text }) => text)).toEqual(['hello?']);
  });

  it('fails when the receiver stays down (P13)', async () => {
    const gone = await receiver();
    await using stage = await restStage(gone.options);
    await gone[Symbol.asyncDispose]();
    expect(await outcome(stage, messageIdOf(await send(stage, 'hello?')), 1_000)).toMatchObject({ error: { code: 'CONNECT_FAILED' } });
  });

  it('fails at once when its destination is forbidden (P30)', async () => {
    await using receiving = await receiver();
    await using stage = await restStage({ ...receiving.options, settings: {} });
    expect(await outcome(stage, messageIdOf(await send(stage, 'inside')), 0)).toMatchObject({ error: { code: 'EGRESS_REFUSED' } });
    expect(receiving.calls).toEqual([]);
  });
});
