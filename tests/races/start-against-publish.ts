// A race: executions start while the next version is published.
import { createMemoryCanvases } from '@hilo/engine';
import { canvasHash } from '@hilo/engine/store-kit';
import fc from 'fast-check';
import { expect } from 'vitest';
import { says } from '../cluster/small-canvas.ts';
import { canvasOf } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { botId, companyId, createWorld, executionOf, userId } from './world.ts';

/** Says its number twice, each time after a commit, and ends with it. */
const edition = (number: number) =>
  canvasOf(
    'news',
    [['begin', 'start'], says('first', `${number}`), says('second', `${number}`), ['done', 'end', { outputs: { number } }]],
    [
      ['begin', 'next', 'first'],
      ['first', 'sent', 'second'],
      ['second', 'sent', 'done'],
    ],
  );

/** Of which the first is published, the second is being published, and the third is the draft after it. */
const editions = [edition(1), edition(2), edition(3)] as const;
const hashes = editions.map((canvas) => canvasHash(canvas));

const process = fc.nat({ max: 1 });

const drawn = fc.record({
  publisher: process,
  starts: fc.array(fc.record({ process, route: fc.constantFrom('production', 'test') }), { minLength: 1, maxLength: 2 }),
});

type Pinned = `${'production' | 'test'} ${number}`;
const outcomes: readonly Pinned[] = ['production 1', 'production 2', 'test 2', 'test 3'];

const run: Run<typeof drawn, typeof outcomes> = async (course, { publisher, starts }) => {
  const canvases = createMemoryCanvases();
  const world = createWorld(course, { canvases, isCanvasesAcross: true, ...withLeases(course) });
  const author = world.engines[publisher]!;
  await canvases.publish(companyId, editions[0], hashes[0]!, 0);
  await author.saveDraft(companyId, editions[1]);
  course.begin();

  /** The edition that a start sees at the least, when it begins now. */
  const atLeast = { production: 1, test: 2 };
  const publishing = course.enter('publish', async () => {
    const { version } = await author.publish(companyId, 'news');
    atLeast.production = 2;
    await author.saveDraft(companyId, editions[2]);
    atLeast.test = 3;
    return version;
  });
  const starting = starts.map(({ process, route }, index) =>
    course.enter(`start ${index}`, async () => {
      const least = atLeast[route];
      const origin = { companyId, botId, userId: `${userId}${index}`, route };
      return { least, ...(await world.engines[process]!.startWorkflow({ origin, workflowId: 'news' })) };
    }),
  );
  await course.end();
  await atRest(world);

  expect(await publishing).toMatchObject({ value: { version: 2, hash: hashes[1] } });
  const pinned: Pinned[] = [];
  for (const [index, start] of (await Promise.all(starting)).entries()) {
    if (start.kind === 'refused') throw start.error;
    const { executionId, least } = start.value;
    const { version, state } = await executionOf(world, executionId);
    const number = hashes.indexOf(state.canvasHash) + 1;
    expect(number).toBeGreaterThanOrEqual(least);
    expect(version).toBe(starts[index]?.route === 'test' ? 'draft' : number);
    expect(state.ending?.outputs).toEqual({ number });
    const said = world.made.filter((made) => made.executionId === executionId);
    expect(said).toHaveLength(2);
    for (const { request } of said) expect(request).toHaveProperty('message.text', `${number}`);
    pinned.push(`${starts[index]?.route ?? 'test'} ${number}`);
  }
  return pinned;
};

/** A start is pinned to one version, the one before or the new one, and its whole run to that (P14, P15). */
export const startAgainstPublish = { drawn, outcomes, run };
