// A race: a resume arrives before the wait for it is committed.
import fc from 'fast-check';
import { expect } from 'vitest';
import { advancedBy, resumed } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import type { Outcome } from './course.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, createWorld, eventsOf, userId } from './world.ts';

const canvases = published(
  canvasOf(
    'order',
    [hook(), ['call', 'api', { url: 'https://shop.example' }], ['wait', 'wait-external'], ['done', 'end']],
    [
      ['hook', 'new', 'call'],
      ['call', 'success', 'wait'],
      ['wait', 'resumed', 'done'],
    ],
  ),
);

const drawn = fc.record({ starter: fc.nat({ max: 1 }), callers: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 3 }) });

const outcomes = ['before the wait', 'refused'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { starter, callers }) => {
  const calls: Promise<Outcome<Awaited<ReturnType<typeof callHook>>>>[] = [];
  const world = createWorld(course, {
    canvases,
    ...withLeases(course),
    // The called side calls back before it answers.
    onMade: ({ executionId }) =>
      calls.push(
        ...callers.map((process, by) =>
          course.enter(`resume ${by}`, () => callHook(world.engines[process]!, 'order', { executionId, by })),
        ),
      ),
  });
  course.begin();
  const start = course.enter('start', () => callHook(world.engines[starter]!, 'order', { userId }));
  await course.end();
  const [execution] = await atRest(world);

  expect(await start).toMatchObject({ value: { executionId: execution?.executionId } });
  const { applied, refused } = resumed(await Promise.all(calls));
  expect(advancedBy(await eventsOf(world, execution?.executionId ?? ''))).toEqual(applied);
  expect(applied).toHaveLength(1);
  expect(refused).toHaveLength(callers.length - 1);
  expect(execution?.state.status).toBe('completed');
  return refused.length > 0 ? ['refused'] : ['before the wait'];
};

/** A resume that comes before its wait is committed counts, once (P7). */
export const resumeAgainstPause = { drawn, outcomes, run };
