import { end, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { type BoundDriver, type Commit, defineEffect, defineNode, driveDetached, leave, perform } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const note = defineEffect('note', { request: z.strictObject({ n: z.number() }), result: z.strictObject({ done: z.literal(true) }) });

const nodes = [
  start,
  defineNode({
    type: 'note',
    config: z.strictObject({ n: z.number() }),
    visual,
    ports: ['next'],
    run: ({ config }) => perform(note(config), () => leave('next')),
  }),
  end,
];

const { canvas } = parseCanvas({
  schemaVersion: 1,
  id: 'notes',
  name: 'Notes',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'one', type: 'note', data: { n: 1 } },
    { id: 'two', type: 'note', data: { n: 2 } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'one' },
    { source: 'one', target: 'two' },
    { source: 'two', target: 'done' },
  ],
});

describe('an effect that is performed detached', () => {
  let happened: string[];
  let commits: Commit[];
  beforeEach(() => ([happened, commits] = [[], []]));

  /** Runs the canvas on a store that reports its commits. */
  const run = async (driver: BoundDriver, commit?: () => Promise<never>) => {
    const store = createMemoryStore();
    const engine = createEngine({
      nodes,
      drivers: [driver],
      clock: { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined },
      random: { bytes: (length) => new Uint8Array(length) },
      store: {
        canvases: createMemoryCanvases(),
        executions: {
          ...store,
          async commit(given) {
            if (commit !== undefined) return commit();
            const committed = await store.commit(given);
            commits.push(given);
            happened.push('committed');
            return committed;
          },
        },
      },
    });
    engine.on('effect.settled', (_about, { type, outcome }) => happened.push(`${type} ${outcome}`));
    engine.on('execution.ended', (_about, { status }) => happened.push(status));
    engine.on('engine.fault', ({ error }) => happened.push(String(error)));
    if (canvas === undefined) throw new Error('The canvas cannot be parsed');
    await engine.saveDraft('1', canvas);
    await engine.publish('1', 'notes');
    const { executionId } = await engine.startWorkflow({ origin: { companyId: '1', route: 'production' }, workflowId: 'notes' });
    await engine.whenIdle();
    return { engine, executionId };
  };

  it('has its result in the commit that requests it, and is performed after that, before the end is reported (P1, P3)', async () => {
    const keys = new Set<string>();
    const told = driveDetached(note, { done: true }, ({ n }, { idempotencyKey }) => {
      keys.add(idempotencyKey);
      happened.push(`note ${n}`);
    });
    const { engine, executionId } = await run(told);
    expect(happened).toEqual(['committed', 'note 1', 'note 2', 'note result', 'note result', 'completed']);
    expect(keys.size).toBe(2);
    expect(commits).toHaveLength(1);
    const history = await engine.history('1', executionId);
    expect(history.map(({ event }) => event.type)).toEqual(['execution.accepted', 'execution.started', 'effect.settled', 'effect.settled']);
  });

  it('is not performed when nothing was committed (P1)', async () => {
    const told = driveDetached(note, { done: true }, () => void happened.push('note'));
    await expect(run(told, () => Promise.reject(new Error('The disk is full')))).rejects.toThrow('The disk is full');
    expect(happened).toEqual([]);
  });

  it('has no consequence when its driver fails', async () => {
    const failing = driveDetached(note, { done: true }, () => Promise.reject(new Error('Nobody listens')));
    const { engine, executionId } = await run(failing);
    expect((await engine.execution('1', executionId))?.state.status).toBe('completed');
    expect(happened.filter((text) => text.includes('Nobody listens'))).toHaveLength(2);
  });
});
