import { type AbortSignal as Signal, type Clock, type BoundDriver, drive } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { createProcessGuard } from '../processes/process-guard.ts';
import type { OnLimit } from '../pool.ts';
import { type CodeLimits, codeLimits } from './code-limits.ts';
import { type CodeProcess, startCodeProcess, type CodeFailure, codeFailure, type CodeResult, type CodeRun } from './code-process.ts';
import { runCode } from '@hilo/nodes/effects';

/** Runs the code of canvases: a process for each company, and in it a sandbox for each run (T10). */
export interface CodeWorkers {
  /** @param signal - aborts a run; one in progress ends with its process */
  run(companyId: string, run: CodeRun, signal?: Signal): Promise<CodeResult>;
  /** Ends every process. */
  close(): Promise<void>;
}

interface WorkersOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<CodeLimits>;
  /** Called when the code of a company is made to wait in the middle of a run, and when a run finds no turn. */
  readonly onLimit?: OnLimit;
}

/** A run that waits for its first turn. */
interface Waiting {
  readonly run: CodeRun;
  readonly settle: (result: CodeResult) => void;
}

/** One company. */
interface Place {
  readonly waiting: Set<Waiting>;
  process: CodeProcess | undefined;
  /** A run is under way, which has its turn or waits for the next; or none is. */
  state: 'none' | 'running' | 'paused';
  /** Its last runs that did not end in time. */
  timeouts: number;
  turnTimer: unknown;
  restTimer: unknown;
}

export function createCodeWorkers({ clock = systemClock, limits: given, onLimit = () => undefined }: WorkersOptions = {}): CodeWorkers {
  const limits: CodeLimits = { ...codeLimits, ...given };
  /** In the order of their last turn: who had none for the longest time is next (P23). */
  const places = new Map<string, Place>();
  const all = new Set<CodeProcess>();
  const guard = createProcessGuard();
  let isClosed = false;

  const countInState = (state: Place['state']): number => [...places.values()].filter((place) => place.state === state).length;

  function getPlace(companyId: string): Place {
    const place = places.get(companyId) ?? {
      waiting: new Set(),
      process: undefined,
      state: 'none',
      timeouts: 0,
      turnTimer: undefined,
      restTimer: undefined,
    };
    places.set(companyId, place);
    return place;
  }

  const canTakeTurn = ({ state, waiting }: Place): boolean =>
    state === 'paused' || (state === 'none' && waiting.size > 0 && countInState('running') + countInState('paused') < limits.processes);

  function takeTurns(): void {
    for (const [companyId, place] of places) {
      if (countInState('running') >= limits.atOnce) return;
      if (!canTakeTurn(place)) continue;
      const [next] = place.waiting;
      if (place.state === 'paused') {
        place.state = 'running';
        place.process?.resume();
        limitTurn(companyId, place);
      } else if (next !== undefined) void work(companyId, place, next);
    }
  }

  /** A turn ends when others wait; until then it continues. */
  function limitTurn(companyId: string, place: Place): void {
    const turnMs = Math.max(limits.shortestTurnMs, limits.turnMs / 2 ** place.timeouts);
    clock.clearTimeout(place.turnTimer);
    place.turnTimer = clock.setTimeout(() => {
      const othersWait = [...places.values()].some((other) => other !== place && canTakeTurn(other));
      if (!othersWait || place.process?.pause() !== true) return limitTurn(companyId, place);
      place.state = 'paused';
      onLimit({ limit: 'code-turn', holder: companyId, message: 'Code of this company runs in turns: others waited for a processor' });
      stepBack(companyId, place);
      takeTurns();
    }, turnMs);
  }

  function stepBack(companyId: string, place: Place): void {
    places.delete(companyId);
    places.set(companyId, place);
  }

  async function work(companyId: string, place: Place, next: Waiting): Promise<void> {
    const { waiting } = place;
    waiting.delete(next);
    clock.clearTimeout(place.restTimer);
    place.state = 'running';
    const result = await runIn(companyId, place, next.run);
    clock.clearTimeout(place.turnTimer);
    place.state = 'none';
    place.timeouts = result.kind === 'failed' && result.reason === 'timeout' ? place.timeouts + 1 : 0;
    next.settle(result);
    stepBack(companyId, place);
    place.restTimer = clock.setTimeout(() => {
      if (waiting.size === 0) places.delete(companyId);
      place.process?.kill();
    }, limits.restMs);
    takeTurns();
  }

  /** The turn ends after any outcome. */
  async function runIn(companyId: string, place: Place, run: CodeRun): Promise<CodeResult> {
    try {
      const process = getProcess(place);
      const result = process.run(run);
      await process.ready; // its start does not count as the code's time
      if (process.isAlive()) limitTurn(companyId, place);
      return await result;
    } catch (error) {
      return codeFailure('unavailable', `The code could not be run: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function getProcess(place: Place): CodeProcess {
    if (place.process?.isAlive() === true) return place.process;
    makeRoom();
    const started = startCodeProcess({ limits, clock, guard });
    place.process = started;
    all.add(started);
    void started.ended.then(() => all.delete(started));
    return started;
  }

  /** The longest idle companies give up their processes. */
  function makeRoom(): void {
    const idle = [...places.values()].filter(({ process, state }) => process?.isAlive() === true && state === 'none');
    const excess = Math.max(0, idle.length + countInState('running') + countInState('paused') - limits.processes);
    for (const { process } of idle.slice(0, excess)) process?.kill();
  }

  return {
    async run(companyId, run, signal) {
      if (isClosed || signal?.aborted === true) return busy;
      const place = getPlace(companyId);
      const noTurn = (): CodeFailure => {
        onLimit({ limit: 'code-places', holder: companyId, message: 'Code was not run: all places are taken, or no turn came in time' });
        return busy;
      };
      if (place.waiting.size >= limits.waiting) return noTurn();
      return new Promise((resolve) => {
        const waiting: Waiting = {
          run,
          settle(result) {
            clock.clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        const abort = (): void => {
          if (place.waiting.delete(waiting)) waiting.settle(busy);
          else place.process?.kill();
        };
        const timer = clock.setTimeout(() => {
          if (place.waiting.delete(waiting)) waiting.settle(noTurn());
        }, limits.waitMs);
        signal?.addEventListener('abort', abort);
        place.waiting.add(waiting);
        takeTurns();
      });
    },
    async close() {
      isClosed = true;
      for (const { waiting, restTimer, turnTimer } of places.values()) {
        clock.clearTimeout(restTimer);
        clock.clearTimeout(turnTimer);
        for (const { settle } of waiting) settle(busy);
        waiting.clear();
      }
      for (const process of all) process.kill();
      await Promise.all([...all].map(({ ended }) => ended));
      guard.close();
    },
  };
}

const busy: CodeFailure = { kind: 'failed', reason: 'unavailable', message: 'All places for code are taken', retryAfterMs: 1_000 };

interface CodeDriverOptions {
  readonly workers: Pick<CodeWorkers, 'run'>;
}

/** Performs `code.run` in the process of the execution's company. */
export const createCodeDriver = ({ workers }: CodeDriverOptions): BoundDriver =>
  drive(runCode, (run, { origin: { companyId }, signal }) => workers.run(companyId, run, signal));
