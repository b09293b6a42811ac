// What the worker of the studio does for its page.
import './jitless.ts';
import { parseCanvas } from '@hilo/engine';
import { describeCanvas, diffCanvases } from '@hilo/engine/authoring';
import type { Canvas, Channel, NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { asCanvas } from '../canvas/canvas-json.ts';
import type { Argument, CheckResult, WorkerAnswer, WorkerMethods, WorkerRequest } from './protocol.ts';
import { createReceivedCanvases, createSentChecks } from './shared-canvases.ts';
import { leftOut } from './left-out.ts';
import type { Tester } from './tester.ts';

/** The worker's message interface: `self` of a dedicated worker. */
export interface WorkerPort {
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerRequest>) => void): void;
  postMessage(answer: WorkerAnswer): void;
}

/**
 * Serves checks, layouts and tests to a studio. A host with nodes of its own calls it in a worker of its own.
 *
 * @param nodes - all nodes of canvases; the standard ones when left out
 * @example
 * // studio-worker.ts
 * import { standardNodes } from '@hilo/nodes';
 * import { serveStudioWorker } from '@hilo/studio/worker';
 * serveStudioWorker(self, [...standardNodes, scoreLead]);
 */
export function serveStudioWorker(port: WorkerPort, nodes: readonly NodeDefinition[] = standardNodes): void {
  let tester: Promise<Tester> | undefined;
  const theTester = (): Promise<Tester> => (tester ??= import('./tester.ts').then(({ createTester }) => createTester(nodes)));
  const methods: WorkerMethods = {
    async check(canvas, channels) {
      const result = checkDraft(canvas, channels, nodes);
      if (!leftOut.isMissed) return result;
      leftOut.isMissed = false;
      await import('./tester.ts'); // it brings it, such as what reads a constant as a time
      return checkDraft(canvas, channels, nodes);
    },
    layout: async (input) => [...(await import('../canvas/layout.ts')).layOut(input)], // most canvases have their places
    diff: async (before, after) => diffCanvases(readDraft(before), readDraft(after)),
    startTest: async (...args) => (await theTester()).start(...args),
    playLine: async (line) => (await theTester()).play(line),
    async findConversation(canvases, goal, setting) {
      const { searchConversation } = await import('./tester.ts');
      return searchConversation(canvases, goal, setting, nodes, () => performance.now());
    },
    async runTranscripts(canvases, transcripts, setting) {
      const { runTranscripts } = await import('./tester.ts');
      return runTranscripts(canvases, transcripts, setting, nodes, () => performance.now());
    },
    exploreAgents: async (canvas) => (await import('./explore-agents.ts')).exploreAgents(canvas),
  };
  const take = createReceivedCanvases();
  const checked = createSentChecks();
  const read = (arg: Argument): unknown => ('canvas' in arg ? take(arg.canvas) : 'canvases' in arg ? arg.canvases.map(take) : arg.value);
  port.addEventListener('message', ({ data: { id, method, args } }) => {
    const call = methods[method] as (...args: readonly unknown[]) => Promise<unknown>;
    call(...args.map(read)).then(
      (result) => port.postMessage(method === 'check' ? { id, checked: checked(result as CheckResult) } : { id, result }),
      (error: unknown) => port.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  checkDraft({ schemaVersion: 1, id: 'warm', name: 'Warm', nodes: [{ id: 'end', type: 'end' }], edges: [] }, [], nodes); // warms up, since the first check is the slowest
}

/** Checks a draft with the engine itself, and describes each of its nodes. Never throws, for any draft. */
export function checkDraft(draft: unknown, channels: readonly Channel[], nodes: readonly NodeDefinition[]): CheckResult {
  const known = new Set(nodes.map(({ type }) => type));
  const used = new Set(asCanvas(draft)?.nodes.map(({ type }) => type));
  return { ...describeCanvas(draft, { nodes, channels }), unknownTypes: [...used].filter((type) => !known.has(type)) };
}

/** A draft as the engine parses it: an unreadable one has no differences. */
function readDraft(draft: unknown): Canvas {
  const { canvas, problems } = parseCanvas(draft);
  if (canvas === undefined) throw new Error(`The canvas cannot be read: ${problems[0]?.message ?? 'it is none'}`);
  return canvas;
}
