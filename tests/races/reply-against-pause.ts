// A race: a reply arrives before the wait for it is committed.
import fc from 'fast-check';
import { expect } from 'vitest';
import { says } from '../cluster/small-canvas.ts';
import { canvasOf, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { createWorld, executionOf, write } from './world.ts';

const canvases = published(
  canvasOf(
    'talk',
    [
      ['begin', 'start', { fallback: true }],
      says('hello', 'Hello'),
      ['name', 'ask', { message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' }, saveAs: '$context.name' }],
      ['done', 'end', { outputs: { name: '{{$context.name}}' } }],
    ],
    [
      ['begin', 'next', 'hello'],
      ['hello', 'sent', 'name'],
      ['name', 'answered', 'done'],
    ],
  ),
);

const drawn = fc.record({ starter: fc.nat({ max: 1 }), replier: fc.nat({ max: 1 }), at: fc.constantFrom('hello', 'name') });

const outcomes = ['hello', 'name'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { starter, replier, at }) => {
  const world = createWorld(course, {
    canvases,
    ...withLeases(course),
    onMade: ({ nodeId }) => void (nodeId === at && course.enter('reply', () => write(world.engines[replier]!, 'Ana'))),
  });
  course.begin();
  void course.enter('message', () => write(world.engines[starter]!, 'good morning'));
  await course.end();
  const [execution, ...others] = await atRest(world);

  expect(others).toEqual([]);
  const { status, ending } = (await executionOf(world, execution?.executionId ?? '')).state;
  expect([status, ending?.outputs]).toEqual(['completed', { name: 'Ana' }]);
  expect(world.made.map(({ nodeId }) => nodeId)).toEqual(['hello', 'name']);
  return [at];
};

/** A reply answers the question that the user has and the store has not (P2, P9). */
export const replyAgainstPause = { drawn, outcomes, run };
