// A user writes while a node pauses before its next attempt, and the process ends: whenever the next one begins, the attempt is made, and what
// the user wrote has its turn behind it.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { getPath } from '@hilo/engine/contract';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { httpRequest } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { patient } from './patient.ts';

/** Between two attempts; and how long its user is held, whose messages are kept. */
const [pauseMs, holdMs] = [60_000, 10_000];

/** @returns what became of the conversation, long after the second process began */
async function talk(onMessage: 'queue' | 'discard', saidAfterMs: number, beginsAfterMs: number) {
  const clock = createVirtualClock();
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  let calls = 0;
  const drivers = [
    drive(sendMessage, (_request, { idempotencyKey }) => ({ kind: 'sent', messageId: idempotencyKey })),
    drive(httpRequest, () => {
      calls += 1;
      return calls === 1
        ? { kind: 'unreachable', reason: 'refused' }
        : { kind: 'response', response: { status: 200, headers: {}, body: null } };
    }),
  ];
  const open = async (seed: number) => {
    const engine = createEngine({ nodes: standardNodes, drivers, store, clock, random: seededRandom(seed) });
    await engine.start();
    return engine;
  };
  const pass = async (ms: number): Promise<void> => {
    for (const untilMs = clock.now() + ms; ; ) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const nextMs = Math.min(clock.nextMs() ?? untilMs, untilMs);
      if (clock.now() >= untilMs) return;
      clock.advanceTo(nextMs);
    }
  };
  const first = await open(1);
  const says = (engine: typeof first, text: string) =>
    engine.company('acme').message({ bot: 'b', deliveryId: text, user: { id: 'ada' }, message: { type: 'text', text } });
  await first.company('acme').publish(patient(onMessage, 'PT60S'));
  await says(first, 'hello');
  await pass(saidAfterMs);
  await says(first, 'Yes');
  await pass(0);
  await first.stop({ drainMs: 0 });
  await pass(beginsAfterMs);
  const second = await open(2);
  await pass(20 * pauseMs);
  const [execution] = (await second.company('acme').executions()).results;
  await second.stop({ drainMs: 0 });
  return { calls, status: execution?.state.status, answer: getPath(execution?.state.variables ?? {}, ['$context', 'answer']) };
}

const runs = { numRuns: fc.readConfigureGlobal().numRuns ?? 40 };

it('the attempt is made whenever the next process begins, and what was written answers the question behind it (P1, P9)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: holdMs - 1 }), fc.nat({ max: 20 * pauseMs }), async (saidAfterMs, beginsAfterMs) => {
      expect(await talk('queue', saidAfterMs, beginsAfterMs)).toEqual({ calls: 2, status: 'completed', answer: 'Yes' });
    }),
    runs,
  );
});

it.each([0, 1, pauseMs - 1, pauseMs, pauseMs + 1, 20 * pauseMs])('also where it begins %d ms later, and nothing is kept', async (later) => {
  expect(await talk('discard', 0, later)).toEqual({ calls: 2, status: 'waiting', answer: undefined });
});
