// A race: an execution is resumed while it is cancelled.
import fc from 'fast-check';
import { expect } from 'vitest';
import { says } from '../cluster/small-canvas.ts';
import { advancedBy, ascending, resumed } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, companyId, createWorld, eventsOf, executionOf, started } from './world.ts';

const canvases = published(
  canvasOf(
    'order',
    [hook(), ['first', 'wait-external'], says('tell', 'It is on its way'), ['second', 'wait-external'], ['done', 'end']],
    [
      ['hook', 'new', 'first'],
      ['first', 'resumed', 'tell'],
      ['tell', 'sent', 'second'],
      ['second', 'resumed', 'done'],
    ],
  ),
);

const process = fc.nat({ max: 1 });

const drawn = fc.record({
  resumes: fc.array(process, { minLength: 1, maxLength: 3 }),
  cancels: fc.array(process, { minLength: 1, maxLength: 2 }),
});

const outcomes = ['cancelled at once', 'cancelled later', 'completed'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { resumes, cancels }) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  const executionId = await started(world, 'order');
  course.begin();
  const calls = resumes.map((process, by) =>
    course.enter(`resume ${by}`, () => callHook(world.engines[process]!, 'order', { executionId, by })),
  );
  const cancelling = cancels.map((process, index) =>
    course.enter(`cancel ${index}`, () => world.engines[process]!.cancel(companyId, executionId)),
  );
  await course.end();
  await atRest(world);

  const { state } = await executionOf(world, executionId);
  for (const answer of await Promise.all(cancelling))
    expect(answer).toMatchObject({ kind: 'answered', value: { state: { status: state.status } } });
  const events = await eventsOf(world, executionId);
  const ends = events.flatMap(({ type }, index) => (type === 'execution.cancelled' ? [index] : []));
  expect(ends).toEqual(state.status === 'cancelled' ? [events.length - 1] : []);
  const { applied, refused } = resumed(await Promise.all(calls));
  expect(ascending(advancedBy(events))).toEqual(ascending(applied));
  expect(applied.length + refused.length).toBe(resumes.length);
  // Told once the intent was committed, and not again.
  expect(world.made.map(({ nodeId }) => nodeId)).toEqual(applied.length > 0 ? ['tell'] : []);
  if (state.status === 'completed') expect(applied).toHaveLength(2);
  else expect(state.status).toBe('cancelled');
  return [state.status === 'completed' ? 'completed' : applied.length === 0 ? 'cancelled at once' : 'cancelled later'];
};

/** Whichever is first, nothing happens after the cancel (P7, P8). */
export const resumeAgainstCancel = { drawn, outcomes, run };
