// A race: an execution is migrated while it is cancelled and resumed.
import fc from 'fast-check';
import { expect } from 'vitest';
import { createMemoryCanvases } from '@hilo/engine';
import { isHiloError } from '@hilo/engine/contract';
import { canvasHash } from '@hilo/engine/store-kit';
import { says } from '../cluster/small-canvas.ts';
import { canvasOf, hook } from './canvases.ts';
import { atRest } from './quiet.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { callHook, companyId, createWorld, eventsOf, executionOf, started } from './world.ts';

const order = (text: string) =>
  canvasOf(
    'order',
    [hook(), ['first', 'wait-external'], says('tell', text), ['done', 'end']],
    [
      ['hook', 'new', 'first'],
      ['first', 'resumed', 'tell'],
      ['tell', 'sent', 'done'],
    ],
  );

const process = fc.nat({ max: 1 });
const drawn = fc.record({
  migrates: fc.array(process, { minLength: 1, maxLength: 2 }),
  resumes: fc.array(process, { maxLength: 1 }),
  cancels: fc.array(process, { maxLength: 1 }),
  retries: fc.array(process, { maxLength: 2 }),
});

const outcomes = ['migrated', 'not migrated', 'continued'] as const;
const migration = { workflowId: 'order', from: 1, to: 2 };

const run: Run<typeof drawn, typeof outcomes> = async (course, { migrates, resumes, cancels, retries }) => {
  const canvases = createMemoryCanvases();
  const publish = async (text: string): Promise<void> => {
    const canvas = order(text);
    await canvases.publish(companyId, canvas, canvasHash(canvas), 0);
  };
  await publish('Before');
  const world = createWorld(course, { canvases, ...withLeases(course) });
  const executionId = await started(world, 'order');
  await publish('After');
  course.begin();
  const enter = <Answer>(name: string, by: readonly number[], act: (engine: (typeof world.engines)[number]) => Promise<Answer>) =>
    by.map((index, turn) => course.enter(`${name} ${turn}`, () => act(world.engines[index]!)));
  const migrating = enter('migrate', migrates, (engine) => engine.migrate(companyId, executionId, migration, { accept: ['changed'] }));
  const others = [
    ...enter('resume', resumes, (engine) => callHook(engine, 'order', { executionId, by: 0 })),
    ...enter('cancel', cancels, (engine) => engine.cancel(companyId, executionId)),
  ];
  const retrying = enter('retry', retries, (engine) => engine.company(companyId).retry(executionId));
  await course.end();
  await atRest(world);

  await Promise.all(others);
  const answers = await Promise.all(migrating);
  const events = await eventsOf(world, executionId);
  const migrated = events.filter(({ type }) => type === 'execution.migrated').length;
  const changed = answers.filter((one) => one.kind === 'answered' && one.value.kind === 'changed');
  expect(migrated).toBe(changed.length);
  expect(migrated).toBeLessThanOrEqual(1);
  const { version, state } = await executionOf(world, executionId);
  expect(version).toBe(1 + migrated);
  const end = events.findIndex(({ type }) => type === 'execution.cancelled');
  expect(end === -1 || events.slice(end + 1).every(({ type }) => type === 'execution.continued')).toBe(true);

  const made = (await Promise.all(retrying)).flatMap((one) => {
    if (one.kind === 'answered') return [one.value.executionId];
    expect(isHiloError(one.error, 'NOT_ENDED_BADLY') || isHiloError(one.error, 'CONTINUED_ALREADY')).toBe(true);
    return [];
  });
  expect(made.length).toBeLessThanOrEqual(1);
  expect(state.ending?.continuedAs).toBe(made[0]);
  // What was under way at a cancel may have happened: whoever continues it asks again under its key (P4).
  const keys = world.made.map((one) => `${one.executionId} ${one.key}`);
  expect(new Set(keys).size).toBe(keys.length);
  return [migrated === 1 ? 'migrated' : 'not migrated', ...(made.length > 0 ? (['continued'] as const) : [])];
};

/** A migration, a resume, a cancel and retries have one order: each happens once or not at all (P37, F3). */
export const migrateAgainstCancel = { drawn, outcomes, run };
