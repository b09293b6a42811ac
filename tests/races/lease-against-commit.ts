// A race: a lane changes its owner while the old one commits.
import { isHiloError } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createSharedStore } from '../cluster/shared-store.ts';
import { says } from '../cluster/small-canvas.ts';
import { advancedBy, ascending, resumed } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { toldBy } from './stores.ts';
import { callHook, createWorld, eventsOf, started } from './world.ts';

const canvases = published(
  canvasOf(
    'order',
    [
      hook(),
      ['first', 'wait-external'],
      ['call', 'api', { url: 'https://shop.example' }],
      says('tell', 'It is on its way'),
      ['second', 'wait-external'],
      ['done', 'end'],
    ],
    [
      ['hook', 'new', 'first'],
      ['first', 'resumed', 'call'],
      ['call', 'success', 'tell'],
      ['tell', 'sent', 'second'],
      ['second', 'resumed', 'done'],
    ],
  ),
);

const process = fc.nat({ max: 1 });
/** Whose lease runs out, and no earlier than when. */
const expiry = fc.record({ process, from: fc.constantFrom('begin', 'call', 'tell') });

const drawn = fc.record({
  callers: fc.array(process, { minLength: 1, maxLength: 3 }),
  expiring: fc.array(expiry, { minLength: 1, maxLength: 2 }),
});

const outcomes = ['late commit refused', 'lanes inherited', 'effect made again', 'caller told that nothing was written'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, { callers, expiring }) => {
  const rare = new Set<string>();
  const shared = createSharedStore(course.clock, { onRare: (state) => rare.add(state) });
  const connections = [shared.connect(), shared.connect()] as const;
  const ahead = new Set(expiring);
  /** Each lease expires once: an execution whose process dies repeatedly is quarantined (P17). */
  const expireFrom = (moment: string): void => {
    for (const expiry of ahead) {
      if (expiry.from !== moment) continue;
      ahead.delete(expiry);
      course.tell(`the lease of process ${expiry.process} runs out`, () => connections[expiry.process]?.expire());
    }
  };
  const world = createWorld(course, {
    canvases,
    contents: shared.contents,
    stores: connections.map((connection, index) => toldBy(course, index, connection)),
    onMade: ({ nodeId }) => expireFrom(nodeId),
  });
  for (const engine of world.engines) await engine.start();
  const executionId = await started(world, 'order');
  course.begin();
  const calls = callers.map((process, by) =>
    course.enter(`resume ${by}`, () => callHook(world.engines[process]!, 'order', { executionId, by })),
  );
  expireFrom('begin');
  await course.end(7_000); // a removed process learns so when its heartbeat timer fires
  const [execution] = await atRest(world);

  const { applied, failed } = resumed(await Promise.all(calls));
  for (const error of failed) if (!isHiloError(error, 'STORE_UNAVAILABLE')) throw error;
  // Exactly the callers answered as applied have advanced it, and no others: not even one that got STORE_UNAVAILABLE.
  expect(ascending(advancedBy(await eventsOf(world, executionId)))).toEqual(ascending(applied));
  expect(execution?.state.status).toBe(applied.length === 2 ? 'completed' : 'waiting');
  // At most once more for each expired lease, with the same payload each time.
  const keys = Map.groupBy(world.made, ({ key }) => key);
  expect([...keys.values()].map(([first]) => first?.nodeId)).toEqual(applied.length > 0 ? ['call', 'tell'] : []);
  for (const made of keys.values()) {
    expect(made.length).toBeLessThanOrEqual(1 + expiring.length);
    for (const again of made) expect(again).toEqual(made[0]);
  }
  return [
    ...(rare.has('zombie write refused') ? (['late commit refused'] as const) : []),
    ...(rare.has('lanes inherited') ? (['lanes inherited'] as const) : []),
    ...(world.made.length > keys.size ? (['effect made again'] as const) : []),
    ...(failed.length > 0 ? (['caller told that nothing was written'] as const) : []),
  ];
};

/** A lane is one process's at a time; what comes late is refused, and nothing is lost (P3, P7, P8). */
export const leaseAgainstCommit = { drawn, outcomes, run };
