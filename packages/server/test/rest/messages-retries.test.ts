import { call } from '@hilo/stores';
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
  await expect.poll(isSettled, { timeout: 30_000 }).toBe(true);
  return find(stage, messageId);
}

/** When the first message to Ana is due; behind a claim that is when the claim lapses. */
const pausedUntilMs = async ({ service }: RestStage): Promise<number | undefined> =>
  (await service.store.runner.readOne(call(firstDue, { companyId: '1', botId: 'bot_own', userKey: ana })))?.due_at_ms;

const answering = (status: number, retryAfter?: string) => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
});

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
    await expect.poll(() => atMs.length, { timeout: 30_000 }).toBe(1);
    expect(await outcome(stage, messageId, Math.max(pauseMs, 1_000) / 20)).toMatchObject({ status: 'sent', error: undefined });
    expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThanOrEqual(pauseMs);
    expect(receiving.calls.map(({ key, messageId }) => [key, messageId])).toEqual([
      [receiving.calls[0]?.key, messageId],
      [receiving.calls[0]?.key, messageId],
    ]);
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
    await expect.poll(async () => Number(await pausedUntilMs(stage)) - stage.clock.now(), { timeout: 30_000 }).toBeLessThanOrEqual(1_000);
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
