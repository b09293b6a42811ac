// A race: a child ends while its parent is cancelled.
import fc from 'fast-check';
import { expect } from 'vitest';
import { says } from '../cluster/small-canvas.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { companyId, createWorld, eventsOf, executionOf, started, write } from './world.ts';

const canvases = published(
  canvasOf(
    'parent',
    [
      hook(),
      ['call', 'workflow', { workflowId: 'child', timeout: 'PT4S' }],
      says('thanks', 'Thank you'),
      says('sorry', 'Another time'),
      ['done', 'end'],
    ],
    [
      ['hook', 'new', 'call'],
      ['call', 'success', 'thanks'],
      ['call', 'timeout', 'sorry'],
      ['call', 'error', 'sorry'],
      ['thanks', 'sent', 'done'],
      ['sorry', 'sent', 'done'],
    ],
  ),
  canvasOf(
    'child',
    [
      ['begin', 'start'],
      ['name', 'ask', { message: { type: 'text', text: 'Who are you?' }, input: { kind: 'text' } }],
      ['done', 'end', { outputs: { name: 'Ana' } }],
    ],
    [
      ['begin', 'next', 'name'],
      ['name', 'answered', 'done'],
    ],
  ),
);

const process = fc.nat({ max: 1 });
const someone = fc.array(process, { maxLength: 2 });

const drawn = fc.record({ replies: someone, parentCancels: someone, childCancels: someone, isLate: fc.boolean() });

const outcomes = ['child.ended', 'timer.fired', 'execution.cancelled'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { replies, parentCancels, childCancels, isLate }) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  for (const engine of world.engines) await engine.start();
  const parentId = await started(world, 'parent');
  const childId = (await executionOf(world, parentId)).state.wait?.childId ?? '';
  course.begin();
  const calls = [
    ...replies.map((process, index) => course.enter<unknown>(`reply ${index}`, () => write(world.engines[process]!, `Ana ${index}`))),
    ...parentCancels.map((process, index) =>
      course.enter(`cancel the parent ${index}`, () => world.engines[process]!.cancel(companyId, parentId)),
    ),
    ...childCancels.map((process, index) =>
      course.enter(`cancel the child ${index}`, () => world.engines[process]!.cancel(companyId, childId)),
    ),
  ];
  if (isLate) course.passes(4_000);
  await course.end();
  await atRest(world);
  for (const call of await Promise.all(calls)) expect(call.kind).toBe('answered');

  const [parent, child] = [await executionOf(world, parentId), await executionOf(world, childId)];
  const [ofParent, ofChild] = [await eventsOf(world, parentId), await eventsOf(world, childId)];
  // The parent was accepted and started; what comes third ended the call.
  const decided = ofParent[2]?.type;
  expect(ofParent.filter(({ type }) => type === 'child.ended' || type === 'timer.fired')).toHaveLength(
    decided === 'execution.cancelled' ? 0 : 1,
  );
  for (const [{ state }, events] of [
    [parent, ofParent],
    [child, ofChild],
  ] as const) {
    const cancelled = events.findIndex(({ type }) => type === 'execution.cancelled');
    expect(cancelled).toBe(state.status === 'cancelled' ? events.length - 1 : -1);
    expect(['completed', 'cancelled']).toContain(state.status);
  }
  const isAnswered = child.state.status === 'completed';
  expect(ofChild.filter(({ type }) => type === 'reply.received')).toHaveLength(isAnswered ? 1 : 0);
  for (const event of ofParent)
    if (event.type === 'child.ended')
      expect(event.result).toMatchObject(
        isAnswered ? { kind: 'completed', outputs: { name: 'Ana' } } : { kind: 'failed', cause: 'CANCELLED' },
      );
  const said = decided === 'execution.cancelled' ? [] : [decided === 'child.ended' && isAnswered ? 'thanks' : 'sorry'];
  expect(world.made.map(({ nodeId }) => nodeId)).toEqual(['name', ...said]);
  return decided === 'child.ended' || decided === 'timer.fired' ? [decided] : ['execution.cancelled'];
};

/** Each of the two ends once, and the parent gets the child's end once or never (P18). */
export const childEndAgainstCancel = { drawn, outcomes, run };
