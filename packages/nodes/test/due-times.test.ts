import { simulate } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from './flows.ts';

describe('a due time', () => {
  it('is a whole millisecond, for any fraction in a duration (P11)', async () => {
    const talk = await simulate(
      flow(
        [
          ['begin', 'start', { fallback: true }],
          ['pause', 'delay', { duration: 'PT0.123456M' }],
          ['done', 'end'],
        ],
        ['next', 'elapsed'],
      ),
    );
    await talk.says('hi');
    const { openedAtMs = 0, dueAtMs } = (await talk.execution())?.state.wait ?? {};
    expect(dueAtMs).toBe(openedAtMs + 7_407);
  });

  it('is kept to the millisecond, even after a timer of an answered wait fired (P11)', async () => {
    const talk = await simulate(
      flow(
        [
          ['begin', 'start', { fallback: true }],
          ['gather', 'collect', { window: 'PT10S' }],
          ['done', 'end'],
        ],
        ['next', 'collected'],
      ),
    );
    await talk.says('one');
    await talk.passes(500);
    await talk.says('two'); // 10 s from here are over at 10.5 s; at 10 s the first wait would have been
    await talk.passes(9_999);
    expect((await talk.execution())?.state.status).toBe('waiting');
    await talk.passes(1);
    expect((await talk.execution())?.state.status).toBe('completed');
  });

  it('is a whole millisecond at every retry, for any growth of the delays (P11)', async () => {
    const talk = await simulate(
      flow(
        [
          ['begin', 'start', { fallback: true }],
          ['call', 'api', { url: 'https://shop.example', retry: { attempts: 7, delay: 'PT1S', factor: 1.5, jitter: 'none' } }],
          ['done', 'end'],
        ],
        ['next', 'success'],
      ),
    );
    await talk.says('hi');
    const delays: number[] = [];
    for (let retry = 1; retry < 7; retry += 1) {
      await talk.apiAnswers({ status: 500 });
      const { openedAtMs = 0, dueAtMs } = (await talk.execution())?.state.wait ?? {};
      delays.push(Number(dueAtMs) - openedAtMs);
      await talk.passes('10s');
    }
    expect(delays).toEqual([1_000, 1_500, 2_250, 3_375, 5_063, 7_594]);
  });
});
