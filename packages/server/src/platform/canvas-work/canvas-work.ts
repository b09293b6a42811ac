// Checks and compiles canvases in threads, within limits of each company.
import { availableParallelism } from 'node:os';
import { createFairWorkers, type FairLimits, type OnLimit, type Worker } from '@hilo/drivers';
import type { CheckOptions, PublishedWorkflow } from '@hilo/engine';
import { type CanvasDiff, formatReferenceKey, type OutsideNames } from '@hilo/engine/authoring';
import type { Canvas, Clock, NodeDefinition, Problem, Reference } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import type { Dialogue } from '@hilo/simulator';
import { problemsRefused } from '../../platform/http/admin.ts';
import { unavailable } from '../../platform/http/errors.ts';
import {
  type CanvasReading,
  type CheckFacts,
  type TaskArguments,
  type TaskName,
  type TaskResult,
  writeDescription,
} from './canvas-tasks.ts';
import { startCanvasThread, threadEnds, type ThreadOutcome } from './start-thread.ts';
import type { SearchFacts } from './canvas-searches.ts';
import { runTask, type Search, type Task } from './thread-messages.ts';

/**
 * Every bound of work on canvases (P20, P23). Sizes are characters of JSON: those of the canvas, and of the starts that it is compared
 * with. A hostile canvas takes up to 4 ms for each 1,000 of them.
 */
export const canvasWorkLimits = {
  /** Work of this size is done at once, on the event loop: a thread would not be worth its messages. */
  atOnceSize: 12_000,
  /** Work that no thread can do, since the nodes of the host cannot be loaded there, is refused above this size. */
  loopSize: 200_000,
  /** How long one task may take, and a thread until it can work. */
  taskMs: 20_000,
  startMs: 30_000,
  /** The heap of a thread. */
  heapMb: 512,
  /** Canvases that are checked together, in their size. */
  batchSize: 1_000_000,
  /** Waiting tasks of one company, and how long each waits. */
  waiting: 20,
  waitMs: 30_000,
  /** Threads: one processor stays free for the event loop. */
  threads: Math.max(1, Math.min(availableParallelism() - 1, 2)),
  /** A thread that has done nothing for so long ends. */
  restMs: 60_000,
} as const;

type CanvasWorkLimits = { readonly [Name in keyof typeof canvasWorkLimits]: number };

/** What a canvas is checked against, but for the nodes. */
export type Checks = Omit<CheckOptions, 'nodes'>;

/**
 * Reads, checks, describes, compares and draws canvases: large ones in a thread, where companies take turns, so that nothing that an
 * author sends holds the event loop (P20, P23). Each method rejects with 503 where too much waits; the company is `''` where none is named.
 *
 * Work that passes its limit of time, or ends its thread, is answered with the problem `CANVAS_NOT_CHECKED`.
 */
export interface CanvasWork {
  read(companyId: string, text: string): Promise<CanvasReading>;
  /** What a valid canvas refers to; or why that was not found out. */
  references(companyId: string, canvas: Canvas): Promise<OutsideNames & { readonly stopped?: Problem }>;
  /** The problems of valid canvases, each with what it refers to; all are checked against the same. */
  check(companyId: string, canvases: readonly CheckedCanvas[], checks: Checks): Promise<readonly (readonly Problem[])[]>;
  /** The problems of a text. @param references - those of its reading */
  validate(companyId: string, text: string, references: readonly Reference[], checks: Checks): Promise<readonly Problem[]>;
  /**
   * Conversations that lead to problems of a text, in their order: `null` where none was found, `undefined` where none was looked for,
   * as where no thread can do the work.
   */
  dialogues(
    companyId: string,
    text: string,
    facts: SearchFacts,
    problems: readonly Problem[],
  ): Promise<readonly (Dialogue | null | undefined)[]>;
  /** What an editor shows of each node of a text, as the JSON of a `CanvasDescription`. */
  describe(companyId: string, text: string, references: readonly Reference[], checks: Checks): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws {HttpError} 422 where it takes too long */
  diff(companyId: string, before: Canvas, after: Canvas): Promise<CanvasDiff>;
  /** A canvas as SVG. */
  draw(companyId: string, canvas: Canvas): Promise<{ readonly svg: string } | { readonly problem: Problem }>;
  /** Ends every thread. */
  close(): Promise<void>;
}

/** A valid canvas, with what it refers to. */
export interface CheckedCanvas {
  readonly canvas: Canvas;
  readonly references: readonly Reference[];
}

interface CanvasWorkOptions {
  readonly nodes: readonly NodeDefinition[];
  /** The path of the configuration that the nodes of the host are from. */
  readonly nodesFrom?: string | undefined;
  readonly clock: Clock;
  readonly onLimit?: OnLimit;
  /** Called once, at the first canvas that a thread should work on and none can, with the reason. */
  readonly onRefused?: (reason: string) => void;
  readonly limits?: Partial<CanvasWorkLimits>;
  /** Starts what works beside the event loop; a thread, when left out. */
  readonly start?: () => Worker<Task | Search, ThreadOutcome>;
}

export function createCanvasWork({
  nodes,
  nodesFrom,
  clock,
  onLimit = () => undefined,
  onRefused = () => undefined,
  limits: given,
  start,
}: CanvasWorkOptions): CanvasWork {
  const limits: CanvasWorkLimits = { ...canvasWorkLimits, ...given };
  const standard: ReadonlySet<NodeDefinition> = new Set(standardNodes);
  /** Why no thread can do the work; `undefined` while one can. */
  let refusal: string | undefined =
    nodesFrom === undefined && nodes.some((node) => !standard.has(node))
      ? 'the nodes of the host are given as values, and the file that they are from (nodesFrom) is not'
      : undefined;
  const workers = createFairWorkers<Task | Search, ThreadOutcome>({
    clock,
    limits: fairLimits(limits),
    start: start ?? (() => startCanvasThread({ program: 'canvas-thread', clock, limits, nodesFrom, types: nodes.map(({ type }) => type) })),
    ...threadEnds,
    onLimit,
    reports: {
      turn: { limit: 'canvas-turn', message: 'Work on canvases of this company takes its turn' },
      places: { limit: 'canvas-places', message: 'Work on a canvas was refused: too much of this company waits, or no turn came in time' },
    },
  });
  const readStarts = createStartsReader(nodes);
  let isRefusalReported = false;

  async function run<Name extends TaskName>(
    companyId: string,
    size: number,
    name: Name,
    ...args: TaskArguments<Name>
  ): Promise<Outcome<TaskResult<Name>>> {
    const task: Task = { name, given: args };
    let outcome: ThreadOutcome =
      size <= limits.atOnceSize || (refusal !== undefined && size <= limits.loopSize)
        ? runTask(nodes, task)
        : refusal !== undefined
          ? { kind: 'refused', reason: refusal }
          : await workers.run(companyId, task);
    if (outcome.kind === 'refused' && refusal === undefined) {
      refusal = outcome.reason;
      if (size <= limits.loopSize) outcome = runTask(nodes, task);
    }
    if (refusal !== undefined && size > limits.atOnceSize && !isRefusalReported) {
      isRefusalReported = true;
      onRefused(refusal);
    }
    switch (outcome.kind) {
      case 'done':
        return { result: outcome.result as TaskResult<Name> }; // a thread runs the very function of this name
      case 'threw':
        throw new Error(`Work on a canvas (${name}) failed: ${outcome.message}`);
      case 'busy':
        throw unavailable('Too many canvases of this company are being worked on; send this again in a moment');
      case 'late':
        return { stopped: notChecked(`It took more than ${limits.taskMs / 1_000} s, and was stopped`) };
      case 'ended':
        return { stopped: notChecked(`It ended the thread that worked on it: ${outcome.reason}`) };
      case 'refused':
        return {
          stopped: notChecked(`No thread can work on it (${outcome.reason}), and it is larger than ${limits.loopSize / 1_000} kB`),
        };
    }
  }

  const facts = (references: readonly Reference[], { channels, effects, resolve, published, userFields }: Checks): CheckFacts => ({
    channels,
    userFields,
    effects,
    names: resolve && new Map(references.map((reference) => [formatReferenceKey(reference), resolve(reference)])),
    published: published?.map(readStarts),
  });

  async function checkTogether(
    companyId: string,
    canvases: readonly CheckedCanvas[],
    jsons: readonly string[],
    checks: Checks,
  ): Promise<readonly (readonly Problem[])[]> {
    const given = facts(
      canvases.flatMap(({ references }) => references),
      checks,
    );
    const outcome = await run(companyId, measure(given, ...jsons), 'check', given, ...jsons);
    if ('result' in outcome) return outcome.result;
    if (canvases.length === 1) return [[outcome.stopped]];
    const alone: (readonly Problem[])[] = []; // one of them is at fault
    for (const [index, canvas] of canvases.entries())
      alone.push(...(await checkTogether(companyId, [canvas], jsons.slice(index, index + 1), checks)));
    return alone;
  }

  return {
    async read(companyId, text) {
      const outcome = await run(companyId, text.length, 'read', text);
      return 'result' in outcome ? outcome.result : { problems: [outcome.stopped], canvas: undefined, id: undefined, ...nothing };
    },
    async references(companyId, canvas) {
      const json = JSON.stringify(canvas);
      const outcome = await run(companyId, json.length, 'references', json);
      return 'result' in outcome ? outcome.result : { ...nothing, stopped: outcome.stopped };
    },
    async check(companyId, canvases, checks) {
      const found: (readonly Problem[])[] = [];
      let batch: CheckedCanvas[] = [];
      let jsons: string[] = [];
      let size = 0;
      for (const [index, one] of canvases.entries()) {
        const json = JSON.stringify(one.canvas);
        batch.push(one);
        jsons.push(json);
        size += json.length;
        if (size < limits.batchSize && index < canvases.length - 1) continue;
        found.push(...(await checkTogether(companyId, batch, jsons, checks)));
        [batch, jsons, size] = [[], [], 0];
      }
      return found;
    },
    async validate(companyId, text, references, checks) {
      const given = facts(references, checks);
      const outcome = await run(companyId, measure(given, text), 'validate', given, text);
      return 'result' in outcome ? outcome.result : [outcome.stopped];
    },
    async dialogues(companyId, ...given) {
      if (refusal !== undefined) return [];
      const outcome = await workers.run(companyId, { name: 'dialogues', given });
      if (outcome.kind === 'busy') throw unavailable('Too many canvases of this company are being worked on; send this again in a moment');
      if (outcome.kind === 'threw') throw new Error(`The search for conversations failed: ${outcome.message}`);
      return outcome.kind === 'done' ? (outcome.result as readonly (Dialogue | null | undefined)[]) : [];
    },
    async describe(companyId, text, references, checks) {
      const given = facts(references, checks);
      const outcome = await run(companyId, measure(given, text), 'describe', given, text);
      return 'result' in outcome ? outcome.result : writeDescription({ nodes: [], problems: [outcome.stopped] });
    },
    async diff(companyId, before, after) {
      const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
      const outcome = await run(companyId, one.length + other.length, 'diff', one, other);
      if ('stopped' in outcome) throw problemsRefused([outcome.stopped]);
      return outcome.result;
    },
    async draw(companyId, canvas) {
      const json = JSON.stringify(canvas);
      const outcome = await run(companyId, json.length, 'draw', json);
      return 'result' in outcome ? { svg: outcome.result } : { problem: outcome.stopped };
    },
    close: workers.close,
  };
}

/** Whether the work that found these problems was stopped. */
export const wasStopped = (problems: readonly Problem[]): boolean => problems.some(({ code }) => code === notCheckedCode);

type Outcome<Result> = { readonly result: Result } | { readonly stopped: Problem };

const nothing: OutsideNames = { references: [], beginsWithMessage: false };

const fairLimits = ({ threads, taskMs, waiting, waitMs, restMs }: CanvasWorkLimits): FairLimits => ({
  waiting,
  waitMs,
  restMs,
  atOnce: threads,
  processes: threads,
  turnMs: taskMs, // a thread cannot be paused: its task ends within this time
  shortestTurnMs: taskMs,
});

/** The counted size of a check. */
const measure = ({ published = [] }: CheckFacts, ...texts: readonly string[]): number =>
  published.reduce((sum, { canvas }) => sum + canvas.length, 0) + texts.reduce((sum, text) => sum + text.length, 0);

const notCheckedCode = 'CANVAS_NOT_CHECKED';

const notChecked = (why: string): Problem => ({
  code: notCheckedCode,
  severity: 'error',
  pointer: '',
  message: `The work on this canvas did not come to its end. ${why}`,
  hint: 'Move a part of the canvas into a separate workflow and call it with a workflow node; the page "Operating" has the limits.',
});

/**
 * Makes of a published workflow what others compete with: its canvas with no other nodes than those that begin it, as JSON. It is made
 * once for all checks against it.
 */
function createStartsReader(nodes: readonly NodeDefinition[]) {
  const known = new WeakMap<Canvas, string>();
  const entries = new Set(nodes.filter(({ entry }) => entry?.kind === 'message').map(({ type }) => type));
  return ({ workflowId, canvas }: PublishedWorkflow): { readonly workflowId: string; readonly canvas: string } => {
    const text =
      known.get(canvas) ??
      JSON.stringify({ ...canvas, nodes: canvas.nodes.filter(({ type }) => entries.has(type)), edges: [], variables: {} });
    known.set(canvas, text);
    return { workflowId, canvas: text };
  };
}
