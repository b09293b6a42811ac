// A race: the window of grouped messages ends while another message arrives.
import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { says } from '../cluster/small-canvas.ts';
import { canvasOf, published } from './canvases.ts';
import type { Outcome } from './course.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { createWorld, write } from './world.ts';

/** Shorter than the pauses of an alarm, so that it is set for this very instant. */
const windowMs = 2_000;

/** Groups the user's messages, sends them back, and repeats. */
const canvases = published(
  canvasOf(
    'groups',
    [
      ['begin', 'start', { fallback: true }],
      ['collect', 'collect', { window: 'PT2S', maxMessages: 3 }],
      says('told', 'I have {{size($messages)}}'),
      ['again', 'collect', { window: 'PT2S', maxMessages: 3, begins: 'withNext' }],
      ['done', 'end'],
    ],
    [
      ['begin', 'next', 'collect'],
      ['collect', 'collected', 'told'],
      ['told', 'sent', 'again'],
      ['again', 'collected', 'done'],
    ],
  ),
);

const process = fc.nat({ max: 1 });
const deliveries = fc.oneof({ weight: 3, arbitrary: fc.tuple(process) }, { weight: 1, arbitrary: fc.tuple(process, process) });

/** The ids of the messages of a group. */
const idsOf = (group: Json): readonly Json[] => (group as readonly { readonly id: string }[]).map(({ id }) => id);

/** One after the other: messages, each with the processes that its deliveries come to, and the passing of a window. */
const drawn = fc.array(fc.oneof({ weight: 2, arbitrary: deliveries }, { weight: 1, arbitrary: fc.constant('passes' as const) }), {
  minLength: 3,
  maxLength: 7,
});

const outcomes = ['1 group', '2 groups', '3 groups or more', 'full group'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, moments) => {
  const world = createWorld(course, { canvases, ...withLeases(course) });
  for (const engine of world.engines) await engine.start();
  course.begin();
  const calls: Promise<Outcome<unknown>>[] = [];
  const play = ([moment, ...later]: typeof moments): void => {
    if (moment === 'passes') course.passes(windowMs);
    for (const process of moment === 'passes' || moment === undefined ? [] : moment) {
      const id = `message ${later.length}`;
      calls.push(course.enter(`${id}, delivery ${calls.length}`, () => write(world.engines[process]!, id)));
    }
    if (later.length > 0) course.tell('the next moment comes', () => play(later));
  };
  play(moments);
  await course.end();
  await atRest(world);
  for (const call of await Promise.all(calls)) expect(call.kind).toBe('answered');

  const accepted = world.committed.flatMap(({ enqueue }) =>
    enqueue.flatMap(({ accepted }) => (accepted.kind === 'message' ? [accepted.message['id']] : [])),
  );
  const groups = world.committed.flatMap(({ history }) =>
    history.flatMap(({ entries }) =>
      entries.flatMap(({ writes = [] }) => writes.filter(({ path }) => path[0] === '$messages').map(({ value }) => value ?? [])),
    ),
  );
  expect(accepted).toHaveLength(moments.filter((moment) => moment !== 'passes').length);
  expect(groups.flatMap(idsOf)).toEqual(accepted);
  return [
    groups.length > 2 ? '3 groups or more' : groups.length === 2 ? '2 groups' : '1 group',
    ...(groups.some((group) => idsOf(group).length === 3) ? (['full group'] as const) : []),
  ];
};

/** Each message is in one group, in the order of acceptance (P9). */
export const windowAgainstMessage = { drawn, outcomes, run };
