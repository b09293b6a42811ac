import { checkCanvas, parseCanvas } from '@hilo/engine';
import { leave, type NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { clusterCanvases } from './canvases.ts';
import { clusterModes, planOf } from './plan.ts';
import { createScheduler } from './scheduler.ts';
import { shrinkCluster } from './shrink-cluster.ts';
import { simulateCluster } from './simulate-cluster.ts';

describe('the scheduler', () => {
  const orders = async (seed: number) => {
    const scheduler = createScheduler({ seed, startMs: 0 });
    const done: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) scheduler.add(name, name, () => void done.push(name));
    while (await scheduler.step(0));
    return { order: done.join(''), hash: scheduler.traceHash() };
  };

  it('runs each ready task once, in an order that the seed decides', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, (_, seed) => orders(seed)));
    expect(new Set(runs.map(({ order }) => order)).size).toBeGreaterThan(10);
    for (const { order } of runs) expect(order.split('').toSorted().join('')).toBe('abcde');
    expect(await Promise.all(Array.from({ length: 20 }, (_, seed) => orders(seed)))).toEqual(runs);
  });

  it('advances time only when nothing is ready, and no further than requested', async () => {
    const scheduler = createScheduler({ seed: 1, startMs: 0 });
    const seen: number[] = [];
    const look = (): void => void seen.push(scheduler.now());
    scheduler.add('a', 'later', look, 100);
    scheduler.add('a', 'now', look);
    scheduler.add('a', 'much later', look, 1_000);
    while (await scheduler.step(500));
    expect(seen).toEqual([0, 100]);
  });

  it('runs no task of a held owner, and none that was dropped or removed', async () => {
    const scheduler = createScheduler({ seed: 1, startMs: 0 });
    const done: string[] = [];
    const add = (owner: string) => scheduler.add(owner, owner, () => void done.push(owner));
    add('held');
    add('dropped');
    const takeBack = add('taken back');
    scheduler.hold('held');
    scheduler.drop('dropped');
    takeBack();
    while (await scheduler.step(1_000));
    expect(done).toEqual([]);
    scheduler.resume('held');
    while (await scheduler.step(1_000));
    expect(done).toEqual(['held']);
  });

  it('finishes all consequences of a task before it runs the next', async () => {
    const scheduler = createScheduler({ seed: 3, startMs: 0 });
    const done: string[] = [];
    for (const name of ['a', 'b'])
      scheduler.add(name, name, () => {
        void Promise.resolve()
          .then(() => done.push(`${name}1`))
          .then(() => done.push(`${name}2`));
      });
    while (await scheduler.step(0));
    expect(['a1 a2 b1 b2', 'b1 b2 a1 a2']).toContain(done.join(' '));
  });
});

describe('the canvases of a cluster', () => {
  it('can all be published', () => {
    const canvases = clusterCanvases.flatMap((json) => parseCanvas(json).canvas ?? []);
    expect(canvases).toHaveLength(clusterCanvases.length);
    for (const canvas of canvases) {
      const errors = checkCanvas(canvas, { nodes: standardNodes }).filter(({ severity }) => severity === 'error');
      expect({ id: canvas.id, errors }).toEqual({ id: canvas.id, errors: [] });
    }
  });
});

describe('simulateCluster', () => {
  it.each(clusterModes)('does the same again for the same seed, bit for bit: %s', async (mode) => {
    for (const seed of [2, 7, 11]) {
      const [one, other] = [await simulateCluster({ seed, mode }), await simulateCluster({ seed, mode })];
      expect(other.traceHash).toBe(one.traceHash);
      expect(other.steps).toBe(one.steps);
    }
  });

  it('does something else for another seed', async () => {
    const hashes = await Promise.all([1, 2, 3].map(async (seed) => (await simulateCluster({ seed })).traceHash));
    expect(new Set(hashes).size).toBe(3);
  });

  it('draws different plans from seeds: processes, faults, modes', () => {
    const plans = Array.from({ length: 200 }, (_, seed) => planOf(seed, 'normal'));
    expect(new Set(plans.map(({ processes }) => processes))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(plans.some(({ isShared }) => !isShared)).toBe(true);
    expect(new Set(plans.flatMap(({ faults }) => Object.keys(faults))).size).toBeGreaterThan(15);
  });

  it('finds a node that breaks a promise, and the smallest run that shows it', async () => {
    const canvas = {
      schemaVersion: 1,
      id: 'moody',
      name: 'Moody',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'hello', type: 'message', data: { message: { type: 'text', text: 'Hello' } } },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'hello' },
        { source: 'hello', sourceHandle: 'sent', target: 'done' },
      ],
    };
    // `run` must be pure: a node that counts its calls decides differently when its history is replayed (P19).
    let calls = 0;
    const run = () => {
      calls += 1;
      return leave('next', [{ path: ['$context', 'calls'], value: calls }]);
    };
    const nodes = standardNodes.map((node): NodeDefinition => (node.type === 'start' ? { ...node, run } : node));
    const options = { canvases: [canvas], nodes };
    const report = await simulateCluster({ ...options, seed: 4 });
    expect(report.findings.map(({ oracle }) => oracle)).toContain('pinned');
    const smallest = await shrinkCluster(report, options);
    expect(smallest.findings.map(({ oracle }) => oracle)).toContain('pinned');
    expect(smallest.plan).toMatchObject({ faults: {}, answering: 0 });
    expect(smallest.plan.commands).toHaveLength(1);
  });
});
