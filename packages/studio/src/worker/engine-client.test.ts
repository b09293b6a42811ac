import { standardNodes } from '@hilo/nodes';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { addNode, type Command, moveNodes, remove, setData } from '../canvas/commands.ts';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';
import { checkDraft, serveStudioWorker } from './serve-worker.ts';

/** Workers in this thread: what is posted is a copy, as between threads. */
function fakeWorkers() {
  const posted: number[] = [];
  let lost = 0;
  let current: { onerror: ((event: Partial<ErrorEvent>) => void) | null } | undefined;
  const make = (): Worker => {
    let serve: (event: MessageEvent<WorkerRequest>) => void = () => undefined;
    const worker = {
      onmessage: (_event: MessageEvent<WorkerAnswer>): void => undefined,
      onerror: null,
      postMessage(request: WorkerRequest) {
        posted.push(JSON.stringify(request).length);
        const message = { data: structuredClone(request) } as MessageEvent<WorkerRequest>;
        if (lost === 0) serve(message);
      },
      terminate: () => undefined,
    };
    serveStudioWorker({
      addEventListener: (_type, listener) => void (serve = listener),
      postMessage(answer) {
        posted.push(JSON.stringify(answer).length);
        worker.onmessage({ data: structuredClone(answer) } as MessageEvent<WorkerAnswer>);
      },
    });
    current = worker;
    return worker as unknown as Worker;
  };
  return {
    make,
    posted,
    die: () => current?.onerror?.({ message: 'out of memory' }),
    /** The code of this many workers does not come: they hear nothing. */
    lose: (count: number) => void (lost = count),
    /** The browser says that the code of the newest one did not come. */
    notLoaded() {
      lost -= 1;
      current?.onerror?.({});
    },
  };
}

const edit = fc.record({ what: fc.nat(3), at: fc.nat() }).map(({ what, at }) => (canvas: CanvasJson): CanvasJson => {
  const node = canvas.nodes[at % Math.max(1, canvas.nodes.length)];
  const edits: readonly Command[] = [
    remove(new Set([node?.id ?? ''])),
    setData(node?.id ?? '', { label: `${at}` }),
    moveNodes(new Map([[node?.id ?? '', { x: at, y: 0 }]])),
    addNode({ id: `new-${at}`, type: 'end' }),
  ];
  return edits[what]!(canvas);
});

/** A chain of messages, each of which leads to the next. */
const chain = (length: number): CanvasJson => ({
  schemaVersion: 1,
  id: 'chain',
  name: 'Chain',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    ...Array.from({ length }, (_node, index) => ({ id: `n${index}`, type: 'message', data: { message: { type: 'text', text: 'Hello' } } })),
    { id: 'end', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'n0' },
    ...Array.from({ length }, (_edge, index) => ({
      source: `n${index}`,
      sourceHandle: 'sent',
      target: index + 1 < length ? `n${index + 1}` : 'end',
    })),
  ],
});
const check = (engine: EngineClient, canvas: CanvasJson) => engine.check(canvas, []);

describe('a worker that is told of edits', () => {
  it('answers about the whole canvas after any edits, also when it died in between', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraries.canvas(), fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 5 }), async (first, edits) => {
        const { make, die } = fakeWorkers();
        const engine = createEngineClient(make);
        let canvas: CanvasJson = first;
        expect(await check(engine, canvas)).toEqual(checkDraft(canvas, [], standardNodes));
        for (const [apply, isDeath] of edits) {
          if (isDeath) die();
          const before = canvas;
          canvas = apply(canvas);
          expect(await check(engine, canvas)).toEqual(checkDraft(canvas, [], standardNodes));
          if (before.nodes.length === 0 || canvas.nodes.length === 0) continue; // no canvas that the engine reads
          const { nodes } = await engine.diff(before, canvas);
          expect(nodes.filter(({ nodeId }) => !canvas.nodes.some(({ id }) => id === nodeId)).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is sent no more than the edit, and answers no more than what it changed', async () => {
    const { make, posted } = fakeWorkers();
    const engine = createEngineClient(make);
    const canvas = chain(300);
    const before = await check(engine, canvas);
    const [sentWhole = 0, answeredWhole = 0] = posted.splice(0);
    expect(sentWhole).toBeGreaterThan(30_000);
    expect(answeredWhole).toBeGreaterThan(30_000);
    const after = await check(engine, setData('n150', { message: { type: 'text', text: 'Hello there' } })(canvas));
    expect(posted[0]).toBeLessThan(500);
    expect(posted[1]).toBeLessThan(500);
    expect(after.nodes.filter((node, index) => node !== before.nodes[index]).map(({ nodeId }) => nodeId)).toEqual(['n150']);
    expect(after.problems).toBe(before.problems);
  });

  it('is sent the whole canvas again when a message could not be sent', async () => {
    const { make } = fakeWorkers();
    const engine = createEngineClient(make);
    const canvas = chain(3);
    await check(engine, canvas);
    const unsendable = { ...canvas, name: (() => 'no text') as unknown as string };
    await expect(check(engine, unsendable)).rejects.toThrow('could not be cloned');
    const edited = setData('n1', {})(canvas);
    expect(await check(engine, edited)).toEqual(checkDraft(edited, [], standardNodes));
  });

  it('whose code did not come is started again once it can, and answers all that it was asked meanwhile, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraries.canvas(),
        fc.array(edit, { maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (first, edits, times) => {
          const { make, lose, notLoaded } = fakeWorkers();
          let comeBack = Promise.withResolvers<boolean>();
          const engine = createEngineClient(make, () => comeBack.promise);
          const canvases = edits.reduce<readonly CanvasJson[]>((before, apply) => [...before, apply(before.at(-1) ?? first)], [first]);
          const [beginning = first, ...later] = canvases;
          lose(times);
          const answers = [check(engine, beginning)];
          for (let time = 0; time < times; time += 1) {
            notLoaded();
            if (time === 0) answers.push(...later.map((canvas) => check(engine, canvas)));
            const { resolve } = comeBack;
            comeBack = Promise.withResolvers();
            resolve(true);
            await new Promise((done) => setImmediate(done));
          }
          expect(await Promise.all(answers)).toEqual(canvases.map((canvas) => checkDraft(canvas, [], standardNodes)));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('that does not load though the service gives its code is tried twice, and its calls fail', async () => {
    const { make, lose, notLoaded } = fakeWorkers();
    const engine = createEngineClient(make, () => Promise.resolve(false));
    lose(2);
    const refused = check(engine, chain(1)).catch(String);
    notLoaded();
    await new Promise((done) => setImmediate(done));
    notLoaded();
    expect(await refused).toContain('could not be loaded');
    expect(await check(engine, chain(1))).toEqual(checkDraft(chain(1), [], standardNodes));
  });
});
