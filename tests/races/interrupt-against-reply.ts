// A race: a reply and a keyword that interrupts arrive at once.
import fc from 'fast-check';
import { expect } from 'vitest';
import { says, type SmallNode } from '../cluster/small-canvas.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { companyId, createWorld, eventsOf, started, write } from './world.ts';

const question = (id: string): SmallNode => [id, 'ask', { message: { type: 'text', text: id }, input: { kind: 'text' } }];

/** A child asks first, then its caller; a keyword of another workflow interrupts both. */
const canvases = published(
  canvasOf(
    'order',
    [hook(), ['form', 'workflow', { workflowId: 'form' }], question('second'), says('thanks', 'Thank you'), ['done', 'end']],
    [
      ['hook', 'new', 'form'],
      ['form', 'success', 'second'],
      ['second', 'answered', 'thanks'],
      ['thanks', 'sent', 'done'],
    ],
  ),
  canvasOf(
    'form',
    [['begin', 'start'], question('first'), ['done', 'end']],
    [
      ['begin', 'next', 'first'],
      ['first', 'answered', 'done'],
    ],
  ),
  canvasOf(
    'stop',
    [['begin', 'start', { keywords: ['stop'], interrupts: true }], says('stopped', 'Stopped'), ['done', 'end']],
    [
      ['begin', 'next', 'stopped'],
      ['stopped', 'sent', 'done'],
    ],
  ),
);

const process = fc.nat({ max: 1 });

const drawn = fc.record({
  replies: fc.array(process, { minLength: 1, maxLength: 3 }),
  /** Each is a separate message, delivered once by each of these processes. */
  stops: fc.array(fc.array(process, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
  cancels: fc.array(process, { maxLength: 1 }),
});

const outcomes = ['interrupted at the child', 'interrupted at the caller', 'completed', 'cancelled'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { replies, stops, cancels }) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  const executionId = await started(world, 'order');
  course.begin();
  const calls = [
    ...replies.map((process, index) => course.enter(`reply ${index}`, () => write(world.engines[process]!, `reply ${index}`))),
    ...stops.flatMap((processes, index) =>
      processes.map((process) => course.enter(`stop ${index}`, () => write(world.engines[process]!, `stop ${index}`, 'Stop'))),
    ),
    ...cancels.map((process) => course.enter('cancel', () => world.engines[process]!.cancel(companyId, executionId))),
  ];
  await course.end();
  const executions = await atRest(world);
  for (const call of await Promise.all(calls)) if (call.kind === 'refused') throw call.error;

  // Each keyword started its workflow exactly once, however often it was delivered, and sent its message once.
  expect(executions.filter(({ workflowId, state }) => workflowId === 'stop' && state.status === 'completed')).toHaveLength(stops.length);
  expect(world.made.filter(({ nodeId }) => nodeId === 'stopped')).toHaveLength(stops.length);
  expect(executions).toHaveLength(stops.length + 2);

  const [caller, child] = ['order', 'form'].map((workflowId) => executions.find((one) => one.workflowId === workflowId));
  if (caller === undefined || child === undefined) throw new Error('An execution is gone');
  const { status, ending } = caller.state;
  const ends = (await eventsOf(world, executionId)).filter(({ type }) => type === 'execution.cancelled');
  expect(ends).toHaveLength(status === 'cancelled' ? 1 : 0);
  // The interruption and the start are one commit: a process that dies leaves both or neither.
  const interrupting = world.committed.filter(({ history }) =>
    history.some(({ event }) => event.type === 'execution.cancelled' && event.cause === 'INTERRUPTED' && event.reason.includes('"stop"')),
  );
  const isInterrupted = ending?.failure?.cause === 'INTERRUPTED';
  expect(interrupting).toHaveLength(isInterrupted ? 1 : 0);
  // A cancel may come while the last message is being sent; a keyword interrupts only waiting executions.
  const isThanking = status === 'cancelled' && !isInterrupted && caller.state.visits['thanks'] === 1;
  const thanks = world.made.filter(({ nodeId }) => nodeId === 'thanks').length;
  if (isThanking) expect(thanks).toBeLessThanOrEqual(1);
  else expect(thanks).toBe(status === 'completed' ? 1 : 0);
  for (const { saves } of interrupting)
    expect(saves.map(({ workflowId }) => workflowId)).toEqual(expect.arrayContaining(['order', 'stop']));
  if (status === 'completed') {
    expect(child.state.status).toBe('completed');
    return ['completed'];
  }
  expect([status, isInterrupted || ending?.failure?.cause === 'CANCELLED']).toEqual(['cancelled', true]);
  expect(['completed', 'cancelled']).toContain(child.state.status);
  if (!isInterrupted) return ['cancelled'];
  return [child.state.status === 'cancelled' ? 'interrupted at the child' : 'interrupted at the caller'];
};

/** A keyword ends the waiting execution with its family and starts its own workflow: both or neither, once (P3, P7, P10). */
export const interruptAgainstReply = { drawn, outcomes, run };
