import fc from 'fast-check';
import { expect } from 'vitest';
import { advancedBy, resumed } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, createWorld, eventsOf, executionOf, started } from './world.ts';

/** Shorter than the pauses of an alarm, so that it is set for this very instant. */
const waitMs = 4_000;

const waitsAWhile = (id: string, oneTimeOnly: boolean) =>
  canvasOf(
    id,
    [
      hook({ oneTimeOnly }),
      ['wait', 'wait-external', { timeout: 'PT4S' }],
      ['paid', 'end', { outputs: { is: 'paid' } }],
      ['late', 'end', { outputs: { is: 'late' } }],
    ],
    [
      ['hook', 'new', 'wait'],
      ['wait', 'resumed', 'paid'],
      ['wait', 'timeout', 'late'],
    ],
  );

const canvases = published(waitsAWhile('once', true), waitsAWhile('often', false));

const drawn = fc.record({
  workflowId: fc.constantFrom('once', 'often'),
  callers: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 4 }),
  // More than some seconds late, a timer is tried with caution.
  passing: fc.constantFrom([waitMs], [waitMs - 1, 1], [waitMs, 60_000], [waitMs + 60_000]),
});

const outcomes = ['resume', 'timer'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { workflowId, callers, passing }) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  const executionId = await started(world, workflowId);
  const dueAtMs = course.clock.now() + waitMs;
  for (const engine of world.engines) await engine.start();
  course.begin();
  const calls = callers.map((process, by) =>
    course.enter(`resume ${by}`, () => callHook(world.engines[process]!, workflowId, { executionId, by })),
  );
  for (const ms of passing) course.passes(ms);
  await course.end();
  await atRest(world);

  const events = await eventsOf(world, executionId);
  const fired = events.filter(({ type }) => type === 'timer.fired');
  const { applied, ignored, refused } = resumed(await Promise.all(calls));
  expect(advancedBy(events)).toEqual(applied);
  expect(applied.length + fired.length).toBe(1);
  expect(applied.length + ignored.length + refused.length).toBe(callers.length);
  expect(ignored.length > 0 && (fired.length > 0 || workflowId === 'often')).toBe(false);
  for (const { atMs } of fired) expect(atMs).toBeGreaterThanOrEqual(dueAtMs);
  const { ending } = (await executionOf(world, executionId)).state;
  expect(ending?.outputs).toEqual({ is: fired.length > 0 ? 'late' : 'paid' });
  return [fired.length > 0 ? 'timer' : 'resume'];
};

/** A wait has one of its two consequences, and its timer never comes early (P7, P11). */
export const resumeAgainstTimer = { drawn, outcomes, run };
