// A race: of a family of three generations, one is cancelled while the others work.
import { finalStatuses } from '@hilo/engine/store-kit';
import fc from 'fast-check';
import { expect } from 'vitest';
import { says, type SmallNode } from '../cluster/small-canvas.ts';
import { ascending } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import type { Outcome } from './course.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, companyId, createWorld, userId } from './world.ts';

/** Calls another workflow, and sends a message when that has ended. */
const calling = (id: string, workflowId: string, [begin, port]: readonly [SmallNode, string] = [['begin', 'start'], 'next']) =>
  canvasOf(
    id,
    [begin, ['call', 'workflow', { workflowId }], says('told', `${id} is done`), ['done', 'end'], ['failed', 'end', { outcome: 'failed' }]],
    [
      [begin[0], port, 'call'],
      ['call', 'success', 'told'],
      ['call', 'error', 'failed'],
      ['told', 'sent', 'done'],
    ],
  );

const canvases = published(
  calling('parent', 'child', [hook(), 'new']),
  calling('child', 'grandchild'),
  canvasOf(
    'grandchild',
    [['begin', 'start'], ['work', 'api', { url: 'https://shop.example' }], says('told', 'It works'), ['done', 'end']],
    [
      ['begin', 'next', 'work'],
      ['work', 'success', 'told'],
      ['told', 'sent', 'done'],
    ],
  ),
);

/** Which of the family is cancelled, by whom. */
const cancel = fc.record({ process: fc.nat({ max: 1 }), generation: fc.nat({ max: 2 }) });

const drawn = fc.record({
  starter: fc.nat({ max: 1 }),
  at: fc.constantFrom('work', 'told'),
  cancels: fc.array(cancel, { minLength: 1, maxLength: 3 }),
});

const outcomes = ['completed', 'failed', 'cancelled'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { starter, at, cancels }) => {
  const cancelling: Promise<Outcome<unknown>>[] = [];
  const world = createWorld(course, {
    canvases,
    ...withLeases(course),
    onMade({ nodeId }) {
      if (nodeId !== at || cancelling.length > 0) return;
      for (const [index, { process, generation }] of cancels.entries())
        cancelling.push(
          course.enter(`cancel ${index}, of generation ${generation}`, async () => {
            const { results } = await world.contents.list(companyId, { limit: 3 });
            const member = results.find(({ state }) => state.depth === generation);
            return world.engines[process]!.cancel(companyId, member?.executionId ?? '');
          }),
        );
    },
  });
  course.begin();
  const start = course.enter('start', () => callHook(world.engines[starter]!, 'parent', { userId }));
  await course.end();
  const family = await atRest(world);

  expect(ascending(family.map(({ state }) => state.depth))).toEqual([0, 1, 2]);
  for (const { state } of family) expect(finalStatuses.has(state.status)).toBe(true);
  expect((await start).kind).toBe('answered');
  for (const answer of await Promise.all(cancelling)) expect(answer.kind).toBe('answered');

  // After the commit of a cancel, the cancelled descendants commit only their own end.
  const depths = new Map(family.map(({ executionId, state }) => [executionId, state.depth]));
  let cancelledDepth = Number.POSITIVE_INFINITY;
  for (const { saves, history } of world.committed) {
    for (const { state } of saves) if (state.depth > cancelledDepth) expect(state.status).toBe('cancelled');
    for (const { event, executionId } of history)
      if (event.type === 'execution.cancelled') cancelledDepth = Math.min(cancelledDepth, depths.get(executionId) ?? 0);
  }
  const root = family.find(({ state }) => state.depth === 0);
  const status = root?.state.status;
  return status === 'completed' || status === 'failed' ? [status] : ['cancelled'];
};

/** Of three generations, none acts once an ancestor is cancelled (P18). */
export const familyAgainstCancel = { drawn, outcomes, run };
