import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';

const windowMs = 5_000;
const maxWaitMs = 12_000;
const maxMessages = 4;

const canvas = {
  schemaVersion: 1,
  id: 'bursts',
  name: 'Bursts',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['0'] } },
    { id: 'gather', type: 'collect', data: { window: `PT${windowMs / 1000}S`, maxWait: `PT${maxWaitMs / 1000}S`, maxMessages } },
    { id: 'done', type: 'end', data: { outputs: { burst: '{{$messages.map(each, each.text)}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'gather' },
    { source: 'gather', sourceHandle: 'collected', target: 'done' },
  ],
};

/** The pauses before the messages that follow the first, most of them around a limit. */
const pauses = fc.array(fc.oneof(fc.constantFrom(0, 1, windowMs - 1, windowMs, windowMs + 1), fc.integer({ min: 0, max: windowMs })), {
  maxLength: 6,
});

/** The burst after GRP-03, and when it ends; messages are named by their number. */
function expected(pausesMs: readonly number[]): { readonly burst: readonly string[]; readonly endsAtMs: number } {
  const burst = ['0'];
  let atMs = 0;
  let endsAtMs = windowMs;
  for (const pauseMs of pausesMs) {
    atMs += pauseMs;
    if (atMs >= endsAtMs) break;
    burst.push(String(burst.length));
    endsAtMs = burst.length === maxMessages ? atMs : Math.min(atMs + windowMs, maxWaitMs);
  }
  return { burst, endsAtMs };
}

describe('collect', { timeout: 120_000 }, () => {
  it('gathers messages until the user pauses, up to a time and a number, and ends to the millisecond (GRP-03, P11)', () =>
    fc.assert(
      fc.asyncProperty(pauses, async (pausesMs) => {
        const { burst, endsAtMs } = expected(pausesMs);
        const conversation = await simulate(canvas);
        const startMs = conversation.clock.now();
        await conversation.says('0');
        for (const [index, pauseMs] of pausesMs.slice(0, burst.length - 1).entries()) {
          await conversation.passes(pauseMs);
          await conversation.says(String(index + 1));
        }
        await conversation.passes(Math.max(0, startMs + endsAtMs - 1 - conversation.clock.now()));
        expect((await conversation.execution())?.state.status).toBe(burst.length === maxMessages ? 'completed' : 'waiting');
        await conversation.passes(1);
        expect((await conversation.execution())?.state).toMatchObject({ status: 'completed', ending: { outputs: { burst } } });
      }),
      { numRuns: 100 },
    ));
});
