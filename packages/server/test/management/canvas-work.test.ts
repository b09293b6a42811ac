import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { checkCanvas, parseCanvas, checkCanvasText } from '@hilo/engine';
import { describeCanvas, diffCanvases } from '@hilo/engine/authoring';
import type { Worker } from '@hilo/drivers';
import { type Canvas, defineNode, leave } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { drawCanvas } from '@hilo/picture';
import { arbitraries, createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../src/service/load-config.ts';
import { HttpError } from '../../src/platform/http/errors.ts';
import { createCanvasWork, wasStopped } from '../../src/platform/canvas-work/canvas-work.ts';
import { canvasWorkLimits } from '../../src/platform/canvas-work/run-canvas-tasks.ts';
import { createSimulationWork, simulationLimits } from '../../src/platform/canvas-work/simulation-work.ts';
import type { ThreadOutcome } from '../../src/platform/canvas-work/start-thread.ts';
import { runTask, type Task } from '../../src/platform/canvas-work/thread-messages.ts';
import { fewRuns } from '../../../../scripts/vitest/part-of.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** A canvas of nodes one behind the other, each with data of its own. */
function chain(count: number, type: string, data: (index: number) => object): Canvas {
  const ids = ['begin', ...numbers(count).map((index) => `n${index}`), 'done'];
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'hostile',
    name: 'Hostile',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      ...numbers(count).map((index) => ({ id: `n${index}`, type, data: data(index) })),
      { id: 'done', type: 'end', data: {} },
    ],
    edges: ids.slice(1).map((target, index) => ({ source: ids[index], target })),
  });
  return canvas!;
}

const clock = createVirtualClock();
/** What the tests that need a thread share, since one takes long to start: even the smallest canvas goes there. */
const threads = createCanvasWork({ nodes: standardNodes, clock, limits: { atOnceSize: -1 } });
const here = createCanvasWork({ nodes: standardNodes, clock, limits: { atOnceSize: Number.POSITIVE_INFINITY } });
const folder = mkdtempSync(join(tmpdir(), 'hilo-canvas-work-'));
afterAll(async () => {
  await threads.close();
  rmSync(folder, { recursive: true });
});

const readJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('work on canvases', () => {
  it('has the same answers in a thread as on the event loop, and as without either', () =>
    fc.assert(
      fc.asyncProperty(
        arbitraries.canvas(),
        arbitraries.canvas({ id: 'other' }),
        fc.subarray(['nodes', 'edges', 'name'] as const),
        async (given, other, broken) => {
          const text = JSON.stringify({ ...given, ...Object.fromEntries(broken.map((name) => [name, 7])) });
          const resolve = ({ id }: { readonly id: string }) => (id.length % 3 === 0 ? undefined : id.length % 3 === 1);
          const published = [{ workflowId: 'other', canvas: parseCanvas(other).canvas! }];
          const checks = { channels: ['whatsapp', 'web'], resolve, published, effects: new Set<string>() } as const;
          const all = { ...checks, nodes: standardNodes };
          for (const work of [threads, here]) {
            const reading = await work.read('1', text);
            const { canvas, problems } = parseCanvas(text);
            expect(reading.problems).toEqual(problems);
            expect(await work.validate('1', text, reading.references, checks)).toEqual(checkCanvasText(text, all));
            expect(readJson(await work.describe('1', text, reading.references, checks))).toEqual(asJson(describeCanvas(text, all)));
            if (canvas === undefined) continue;
            expect(JSON.parse(reading.canvas?.json ?? '')).toEqual(JSON.parse(JSON.stringify(canvas)));
            const together = [
              { canvas, references: reading.references },
              { canvas: published[0]!.canvas, references: (await work.references('1', published[0]!.canvas)).references },
            ];
            expect(await work.check('1', together, checks)).toEqual(together.map((one) => checkCanvas(one.canvas, all)));
            expect(await work.diff('1', canvas, published[0]!.canvas)).toEqual(diffCanvases(canvas, published[0]!.canvas));
            expect(await work.draw('1', canvas)).toEqual(drawCanvas(canvas, standardNodes));
          }
        },
      ),
      fewRuns(15),
    ));

  it.each([
    ['many expressions', chain(120, 'set', (n) => ({ assignments: [{ path: `$context.a${n}`, value: `{{$context.b${n} + 1}}` }] }))],
    ['many faults', chain(120, 'set', (n) => ({ assignments: [{ path: `$context.a${n}`, value: `{{$context.b${n} + + 1}}` }] }))],
    ['many unknown fields', chain(120, 'message', () => ({ message: { type: 'text', txt: 'x' }, other: 1 }))],
  ])('leaves the event loop its turns while a large canvas is checked: %s', async (_, canvas) => {
    expect(JSON.stringify(canvas).length).toBeGreaterThan(canvasWorkLimits.atOnceSize);
    // What checks it is as slow as the test wants: the loop has all turns until then.
    const ready = Promise.withResolvers<void>();
    const start = () =>
      instead(async (task) => {
        await ready.promise;
        return runTask(standardNodes, task);
      });
    const work = createCanvasWork({ nodes: standardNodes, clock, start });
    let isOver = false;
    const checked = work.check('1', [{ canvas, references: [] }], {}).finally(() => (isOver = true));
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(isOver).toBe(false);
    ready.resolve();
    expect(await checked).toEqual([checkCanvas(canvas, { nodes: standardNodes })]);
  });

  it.each([
    [canvasWorkLimits.atOnceSize - 1, 0],
    [canvasWorkLimits.atOnceSize, 0],
    [canvasWorkLimits.atOnceSize + 1, 1],
  ])('of a size of %i takes %i threads', async (size, started) => {
    let starts = 0;
    const work = createCanvasWork({
      nodes: standardNodes,
      clock,
      start() {
        starts += 1;
        return instead((task) => runTask(standardNodes, task));
      },
    });
    await work.read('1', ' '.repeat(size));
    expect(starts).toBe(started);
  });

  it('counts what a canvas is compared with', async () => {
    let starts = 0;
    const start = () => {
      starts += 1;
      return instead((task) => runTask(standardNodes, task));
    };
    const work = createCanvasWork({ nodes: standardNodes, clock, start });
    const small = chain(1, 'log', () => ({ message: 'x' }));
    const many = chain(1, 'start', () => ({ keywords: numbers(60).map((n) => `${n}`.repeat(90)) }));
    const plain = chain(300, 'log', () => ({ message: 'x'.repeat(100) })); // has nothing to compete with but its start
    await work.check('1', [{ canvas: small, references: [] }], { published: [{ workflowId: 'plain', canvas: plain }] });
    expect(starts).toBe(0);
    const published = numbers(2).map((n) => ({ workflowId: `w${n}`, canvas: many }));
    await work.check('1', [{ canvas: small, references: [] }], { published });
    expect(starts).toBe(1);
  });
});

describe('work on a canvas that does not come to its end', () => {
  const canvas = chain(1, 'log', () => ({ message: 'x' }));
  const text = JSON.stringify(canvas);
  const stops = { late: { kind: 'late' }, ended: { kind: 'ended', reason: 'out of memory' } } as const;

  it.each(['late', 'ended'] as const)('is a problem of the canvas: %s', async (kind) => {
    const work = createCanvasWork({ nodes: standardNodes, clock, limits: { atOnceSize: -1 }, start: () => instead(() => stops[kind]) });
    const stopped = {
      code: 'CANVAS_NOT_CHECKED',
      severity: 'error',
      message: expect.stringContaining(kind === 'late' ? 'more than 20 s' : 'out of memory') as unknown,
    };
    const reading = await work.read('1', text);
    expect(reading).toMatchObject({ problems: [stopped], canvas: undefined });
    expect(wasStopped(reading.problems)).toBe(true);
    expect(await work.references('1', canvas)).toMatchObject({ stopped });
    expect(await work.check('1', [{ canvas, references: [] }], {})).toMatchObject([[stopped]]);
    expect(await work.validate('1', text, [], {})).toMatchObject([stopped]);
    expect(readJson(await work.describe('1', text, [], {}))).toMatchObject({ nodes: [], problems: [stopped] });
    expect(await work.draw('1', canvas)).toMatchObject({ problem: stopped });
    await expect(work.diff('1', canvas, canvas)).rejects.toMatchObject({ status: 422, problems: [stopped] });
  });

  it('is a problem of that canvas alone among those that are checked together', async () => {
    const hostile = { ...canvas, name: 'Hostile' };
    const start = () => instead((task) => (JSON.stringify(task).includes('Hostile\\"') ? stops.late : runTask(standardNodes, task)));
    const work = createCanvasWork({ nodes: standardNodes, clock, limits: { atOnceSize: -1 }, start });
    const one = { ...canvas, name: 'One' };
    const checked = await work.check(
      '1',
      [one, hostile, one].map((each) => ({ canvas: each, references: [] })),
      {},
    );
    expect(checked.map(wasStopped)).toEqual([false, true, false]);
  });

  it('is refused with 503 where too much of its company waits, and where it waits too long', async () => {
    const ofTest = createVirtualClock();
    const reached: string[] = [];
    const work = createCanvasWork({
      nodes: standardNodes,
      clock: ofTest,
      limits: { atOnceSize: -1, waiting: 2, threads: 1 },
      start: never,
      onLimit: ({ limit, holder }) => void reached.push(`${limit} ${holder}`),
    });
    const asked = numbers(4).map(() => work.references('1', canvas)); // one at work, two that wait, one too many
    await expect(asked[3]).rejects.toBeInstanceOf(HttpError);
    await expect(asked[3]).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const others = work.references('2', canvas);
    const refused = Promise.allSettled([asked[1], asked[2], others]);
    ofTest.advanceBy(canvasWorkLimits.waitMs);
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(reached).toEqual(['canvas-places 1', 'canvas-places 1', 'canvas-places 1', 'canvas-places 2']);
    const first = Promise.allSettled([asked[0]]);
    await work.close();
    expect(await first).toMatchObject([{ status: 'rejected', reason: { status: 503 } }]);
    await expect(work.references('1', canvas)).rejects.toMatchObject({ status: 503 });
  });

  it('keeps no other company from its turn', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 2, maxLength: 20 }), async (companies) => {
        const order: string[] = [];
        const work = createCanvasWork({
          nodes: standardNodes,
          clock,
          limits: { atOnceSize: -1, threads: 1 },
          start: () =>
            instead((task) => {
              order.push(String(task.given[0]).slice(0, 1));
              return runTask(standardNodes, task);
            }),
        });
        await Promise.all(companies.map((company) => work.read(company, company)));
        expect(order).toHaveLength(companies.length);
        // Between two turns of one company, each other one that waits has its turn.
        const left = Map.groupBy(companies, (company) => company);
        for (const [at, company] of order.entries()) {
          left.get(company)?.pop();
          const next = order.indexOf(company, at + 1);
          if (next < 0) continue;
          const waiting = [...left].filter(([other, rest]) => other !== company && rest.length > 0).map(([other]) => other);
          expect(order.slice(at + 1, next)).toEqual(expect.arrayContaining(waiting));
        }
      }),
    ));
});

describe('nodes of a host', () => {
  const engine = import.meta.resolve('@hilo/engine/contract');
  const zod = import.meta.resolve('zod');
  /** A node whose check ends the thread, loops for ever, or says what it is told. */
  const path = join(folder, 'hilo.config.mjs');
  writeFileSync(
    path,
    `import { defineNode, leave } from '${engine}';
import { z } from '${zod}';
import { isMainThread } from 'node:worker_threads';
const hostile = defineNode({
  type: 'hostile',
  config: z.object({ what: z.string() }),
  visual: { label: 'Hostile', category: 'logic', icon: 'x', colour: '#000000', description: 'For a test' },
  ports: ['next'],
  check({ what }) {
    if (isMainThread) return [];
    if (what === 'die') process.exit(3);
    while (what === 'loop');
    return [{ code: 'OWN', severity: 'warning', at: [], message: what, hint: 'None' }];
  },
  run({ config: { what } }) {
    while (what === 'run for ever');
    return leave('next');
  },
});
export default { nodes: [hostile] };
`,
  );
  const using = (what: string) => ({ canvas: chain(1, 'hostile', () => ({ what })), references: [] });

  it('are loaded by the thread itself, which a node may end, and of which the next canvas has another', async () => {
    const ofTest = createVirtualClock();
    const { nodes, nodesFrom } = await loadConfig(path);
    const work = createCanvasWork({ nodes, nodesFrom, clock: ofTest, limits: { atOnceSize: -1 } });
    expect(await work.check('1', [using('well')], {})).toMatchObject([[{ code: 'OWN', message: 'well' }]]);
    expect(await work.check('1', [using('die')], {})).toMatchObject([[{ code: 'CANVAS_NOT_CHECKED' }]]);
    expect(await work.check('1', [using('again')], {})).toMatchObject([[{ code: 'OWN', message: 'again' }]]);
    const looping = work.check('1', [using('loop')], {});
    for (let turns = 0; turns < 3; turns += 1) await turn();
    ofTest.advanceBy(canvasWorkLimits.taskMs);
    expect(await looping).toMatchObject([[{ code: 'CANVAS_NOT_CHECKED', message: expect.stringContaining('20 s') as unknown }]]);
    await work.close();
  });

  it('are played in a thread, which ends with a conversation that never does', async () => {
    const ofTest = createVirtualClock();
    const { nodes, nodesFrom } = await loadConfig(path);
    const work = createSimulationWork({ nodes, nodesFrom, clock: ofTest });
    const play = (what: string) => {
      const begin = { id: 'begin', type: 'start', data: { keywords: ['hi'] } };
      const canvas = { ...chain(1, 'hostile', () => ({ what })), nodes: [begin, ...chain(1, 'hostile', () => ({ what })).nodes.slice(1)] };
      return work.simulate('1', { canvases: [JSON.stringify(canvas)], scripts: [{ name: 'one', text: 'user: hi\n' }] });
    };
    expect(await play('well')).toMatchObject({
      report: { scripts: [{ kind: 'played', transcript: 'user: hi\n  ended: completed\n' }], never: [] },
    });
    const endless = play('run for ever');
    for (let turns = 0; turns < 3; turns += 1) await turn();
    ofTest.advanceBy(simulationLimits.taskMs);
    expect(await endless).toEqual({ kind: 'stopped', reason: expect.stringContaining('within 10 s') as unknown });
    expect(await play('again')).toMatchObject({ kind: 'done' });
    await work.close();
  });

  it('that no thread can load keep to the event loop, and large canvases are refused with the reason', async () => {
    const own = defineNode({
      type: 'own',
      config: z.object({}),
      visual: { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'For a test' },
      ports: ['next'],
      run: () => leave('next'),
    });
    const work = createCanvasWork({ nodes: [...standardNodes, own], clock, limits: { atOnceSize: 0 }, start: never });
    const small = chain(2, 'own', () => ({}));
    expect(await work.check('1', [{ canvas: small, references: [] }], {})).toEqual([
      checkCanvas(small, { nodes: [...standardNodes, own] }),
    ]);
    const large = chain(2, 'note', () => ({ text: 'x'.repeat(canvasWorkLimits.loopSize / 2) }));
    expect(await work.check('1', [{ canvas: large, references: [] }], {})).toMatchObject([
      [{ code: 'CANVAS_NOT_CHECKED', message: expect.stringContaining('nodesFrom') as unknown }],
    ]);
  });

  it.each([
    ['is not there', join(folder, 'none.mjs'), 'there is no such file'],
    ['lacks a node', undefined, 'it does not know the nodes own'],
  ])('whose file %s are reported once', async (_, nodesFrom, reason) => {
    const reasons: string[] = [];
    const own = { ...standardNodes[0], type: 'own' };
    const work = createCanvasWork({
      nodes: [...standardNodes, own],
      nodesFrom: nodesFrom ?? path,
      clock,
      limits: { atOnceSize: 0 },
      onRefused: (why) => void reasons.push(why),
    });
    const canvas = chain(1, 'log', () => ({ message: 'x' }));
    for (let times = 0; times < 2; times += 1)
      expect(await work.references('1', canvas)).toMatchObject({ references: [], beginsWithMessage: true });
    expect(reasons).toEqual([expect.stringContaining(reason)]);
    await work.close();
  });
});

/** Answers in place of a thread. */
const instead = (answer: (task: Task) => ThreadOutcome | Promise<ThreadOutcome>): Worker<Task, ThreadOutcome> => ({
  ready: Promise.resolve(),
  ended: Promise.resolve(),
  isAlive: () => true,
  pause: () => false,
  resume: () => undefined,
  kill: () => undefined,
  run: async (task) => answer(task),
});

/** A thread that never answers until it is ended. */
function never(): Worker<Task, ThreadOutcome> {
  const over = Promise.withResolvers<ThreadOutcome>();
  const ended = over.promise.then(() => undefined);
  return { ...instead(() => ({ kind: 'busy' })), ended, run: () => over.promise, kill: () => over.resolve({ kind: 'busy' }) };
}
