// A race: copies of one delivery come to two processes.
import fc from 'fast-check';
import { expect } from 'vitest';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, companyId, createWorld, eventsOf, started, userId, type World, write } from './world.ts';

const canvases = published(
  canvasOf(
    'order',
    [hook(), ['first', 'wait-external'], ['second', 'wait-external'], ['done', 'end']],
    [
      ['hook', 'new', 'first'],
      ['first', 'resumed', 'second'],
      ['second', 'resumed', 'done'],
    ],
  ),
  canvasOf(
    'talk',
    [
      ['begin', 'start', { fallback: true }],
      ['first', 'ask', { message: { type: 'text', text: 'Yes?' }, input: { kind: 'text' } }],
      ['second', 'ask', { message: { type: 'text', text: 'And?' }, input: { kind: 'text' } }],
      ['done', 'end'],
    ],
    [
      ['begin', 'next', 'first'],
      ['first', 'answered', 'second'],
      ['second', 'answered', 'done'],
    ],
  ),
);

/** A delivery in several copies, and its preparation. @returns delivers a copy to a process */
const deliveries = {
  start:
    async ({ engines }: World) =>
    (process: number) =>
      callHook(engines[process]!, 'order', { userId }, 'key'),
  // Without a user, each execution has its own lane: only the key relates the copies.
  'start of nobody':
    async ({ engines }: World) =>
    (process: number) =>
      engines[process]!.startWorkflow({ origin: { companyId, route: 'production' }, workflowId: 'order', idempotencyKey: 'key' }),
  resume: async (world: World) => {
    const executionId = await started(world, 'order');
    return (process: number) => callHook(world.engines[process]!, 'order', { executionId, by: 1 }, 'key');
  },
  message:
    async ({ engines }: World) =>
    (process: number) =>
      write(engines[process]!, 'hello'),
  reply: async ({ engines }: World) => {
    await write(engines[0]!, 'hello');
    await engines[0]!.whenIdle();
    return (process: number) => write(engines[process]!, 'hello again');
  },
} as const;
type Delivery = keyof typeof deliveries;

const names = Object.keys(deliveries) as readonly Delivery[];

/** What happens to an execution for each delivery that counts. */
const consequences: ReadonlySet<string> = new Set(['execution.started', 'webhook.received', 'reply.received']);

const drawn = fc.record({
  delivery: fc.constantFrom(...names),
  /** For each copy, the process it comes to. */
  copies: fc.array(fc.nat({ max: 1 }), { minLength: 2, maxLength: 6 }),
});

const outcomes = names;

const run: Run<typeof drawn, typeof outcomes> = async (course, { delivery, copies }) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  const deliver = await deliveries[delivery](world);
  course.begin();
  const calls = copies.map((process, index) => course.enter<object>(`copy ${index}`, () => deliver(process)));
  await course.end();
  const executions = await atRest(world);

  expect(executions).toHaveLength(1);
  const events = await eventsOf(world, executions[0]?.executionId ?? '');
  const happened = events.filter(({ type }) => consequences.has(type));
  expect(happened).toHaveLength(delivery === 'resume' || delivery === 'reply' ? 2 : 1);
  const answers = (await Promise.all(calls)).map((answer) => (answer.kind === 'answered' ? answer.value : answer.error));
  if (delivery === 'message' || delivery === 'reply') {
    expect(answers.filter((answer) => /^{"outcome":"(started|resumed|queued)"}$/.test(JSON.stringify(answer)))).toHaveLength(1);
    expect(answers.filter((answer) => JSON.stringify(answer) === '{"outcome":"duplicate"}')).toHaveLength(copies.length - 1);
  } else {
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ executionId: executions[0]?.executionId });
  }
  expect(new Set(world.made.map(({ key }) => key)).size).toBe(world.made.length);
  return [delivery];
};

/** All copies of a delivery, to two processes, have one consequence and one answer (P10). */
export const duplicateAgainstOriginal = { drawn, outcomes, run };
