// Where work on a canvas is done: at once on the event loop where it is small, else in a thread, in which companies take turns (P20, P23).
import { availableParallelism } from 'node:os';
import { createFairWorkers, type FairLimits, type OnLimit, type Worker } from '@hilo/drivers';
import type { Clock, NodeDefinition, Problem } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { type HttpError, unavailable } from '../http/errors.ts';
import { createTurns } from '../turns.ts';
import type { TaskArguments, TaskName, TaskResult } from './canvas-tasks.ts';
import { startCanvasThread, threadEnds, type ThreadOutcome } from './start-thread.ts';
import { runTask, type Search, type Task } from './thread-messages.ts';

/**
 * Every bound of work on canvases (P20, P23). Sizes are characters of JSON: those of the canvas, and of the starts that it is compared
 * with. A hostile canvas takes up to 4 ms for each 1,000 of them.
 */
export const canvasWorkLimits = {
  /** Work of this size is done at once, on the event loop: a thread would not be worth its messages. */
  atOnceSize: 12_000,
  /** Work that is done at once gives others their turn after this size: a workspace has thousands of small canvases. */
  turnSize: 24_000,
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

export interface CanvasTaskOptions {
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

/** What came of a task, or the problem that says why it was stopped. */
type Outcome<Result> = { readonly result: Result } | { readonly stopped: Problem };

export function createCanvasTasks({
  nodes,
  nodesFrom,
  clock,
  onLimit = () => undefined,
  onRefused = () => undefined,
  limits: given,
  start,
}: CanvasTaskOptions) {
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
  let isRefusalReported = false;
  const nextTurn = createTurns(limits.turnSize);

  /**
   * @param size - decides where it is done
   * @throws {HttpError} 503 where too much of the company waits
   */
  async function run<Name extends TaskName>(
    companyId: string,
    size: number,
    name: Name,
    ...args: TaskArguments<Name>
  ): Promise<Outcome<TaskResult<Name>>> {
    const task: Task = { name, given: args };
    if (size <= limits.atOnceSize) await nextTurn(size);
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
    return readOutcome(outcome, name, limits);
  }

  return {
    run,
    /** A search in a thread; `undefined` where no thread can do the work. */
    async search(companyId: string, task: Search): Promise<ThreadOutcome | undefined> {
      if (refusal !== undefined) return undefined;
      const outcome = await workers.run(companyId, task);
      if (outcome.kind === 'busy') throw tooMuch();
      if (outcome.kind === 'threw') throw new Error(`The search for conversations failed: ${outcome.message}`);
      return outcome;
    },
    batchSize: limits.batchSize,
    /** Ends every thread. */
    close: workers.close,
  };
}

/** @throws {HttpError} 503 where too much of the company waits */
function readOutcome<Name extends TaskName>(
  outcome: ThreadOutcome,
  name: Name,
  limits: Pick<CanvasWorkLimits, 'taskMs' | 'loopSize'>,
): Outcome<TaskResult<Name>> {
  switch (outcome.kind) {
    case 'done':
      return { result: outcome.result as TaskResult<Name> }; // a thread runs the very function of this name
    case 'threw':
      throw new Error(`Work on a canvas (${name}) failed: ${outcome.message}`);
    case 'busy':
      throw tooMuch();
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

const tooMuch = (): HttpError => unavailable('Too many canvases of this company are being worked on; send this again in a moment');

const fairLimits = ({ threads, taskMs, waiting, waitMs, restMs }: CanvasWorkLimits): FairLimits => ({
  waiting,
  waitMs,
  restMs,
  atOnce: threads,
  processes: threads,
  turnMs: taskMs, // a thread cannot be paused: its task ends within this time
  shortestTurnMs: taskMs,
});

/** The code of the problem of work that was stopped. */
export const notCheckedCode = 'CANVAS_NOT_CHECKED';

const notChecked = (why: string): Problem => ({
  code: notCheckedCode,
  severity: 'error',
  pointer: '',
  message: `The work on this canvas did not come to its end. ${why}`,
  hint: 'Move a part of the canvas into a separate workflow and call it with a workflow node; the page "Operating" has the limits.',
});
