import type { AbortSignal as Signal, Clock } from '@hilo/engine/contract';
import { createProcessGuard } from '../processes/process-guard.ts';
import { systemClock } from '../system-clock.ts';
import { type CodeLimits, codeLimits } from './code-limits.ts';
import { type CodeProcess, startCodeProcess } from './code-process.ts';
import { type CodeFailure, codeFailure, type CodeResult, type CodeRun } from './code-run.ts';

/** Runs the code of canvases: a process for each company, and in it a sandbox for each run (T10). */
export interface CodeWorkers {
  /** @param signal - gives a run up; one that is under way ends with its process */
  run(companyId: string, run: CodeRun, signal?: Signal): Promise<CodeResult>;
  /** Ends every process. */
  close(): Promise<void>;
}

interface WorkersOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<CodeLimits>;
}

/** A run that waits for its turn. */
interface Waiting {
  readonly run: CodeRun;
  readonly settle: (result: CodeResult) => void;
}

/** One company. */
interface Place {
  readonly waiting: Set<Waiting>;
  process: CodeProcess | undefined;
  isAtWork: boolean;
  restTimer: unknown;
}

export function createCodeWorkers({ clock = systemClock, limits: given }: WorkersOptions = {}): CodeWorkers {
  const limits: CodeLimits = { ...codeLimits, ...given };
  /** In the order of their last turn: who had none for the longest time is next (P23). */
  const places = new Map<string, Place>();
  const all = new Set<CodeProcess>();
  const guard = createProcessGuard();
  let atWork = 0;
  let isClosed = false;

  function placeOf(companyId: string): Place {
    const place = places.get(companyId) ?? { waiting: new Set(), process: undefined, isAtWork: false, restTimer: undefined };
    places.set(companyId, place);
    return place;
  }

  function takeTurns(): void {
    for (const [companyId, place] of places) {
      if (atWork >= limits.atOnce) return;
      const [next] = place.waiting;
      if (place.isAtWork || next === undefined) continue;
      place.waiting.delete(next);
      place.isAtWork = true;
      atWork += 1;
      void work(companyId, place, next);
    }
  }

  async function work(companyId: string, place: Place, { run, settle }: Waiting): Promise<void> {
    clock.clearTimeout(place.restTimer);
    settle(await runIn(place, run));
    places.delete(companyId);
    places.set(companyId, place);
    place.isAtWork = false;
    atWork -= 1;
    place.restTimer = clock.setTimeout(() => {
      if (place.waiting.size === 0) places.delete(companyId);
      place.process?.kill();
    }, limits.restMs);
    takeTurns();
  }

  /** Whatever goes wrong, the turn ends. */
  async function runIn(place: Place, run: CodeRun): Promise<CodeResult> {
    try {
      return await processOf(place).run(run);
    } catch (error) {
      return codeFailure('unavailable', `The code could not be run: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function processOf(place: Place): CodeProcess {
    if (place.process?.isAlive() === true) return place.process;
    makeRoom();
    const started = startCodeProcess({ limits, clock, guard });
    place.process = started;
    all.add(started);
    void started.ended.then(() => all.delete(started));
    return started;
  }

  /** Those who had no turn for the longest time give their processes up. */
  function makeRoom(): void {
    const idle = [...places.values()].filter(({ process, isAtWork }) => process?.isAlive() === true && !isAtWork);
    const excess = Math.max(0, idle.length + atWork - limits.processes);
    for (const { process } of idle.slice(0, excess)) process?.kill();
  }

  return {
    async run(companyId, run, signal) {
      if (isClosed || signal?.aborted === true) return busy;
      const place = placeOf(companyId);
      if (place.waiting.size >= limits.waiting) return busy;
      return new Promise((resolve) => {
        const waiting: Waiting = {
          run,
          settle(result) {
            clock.clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        const giveUp = (): void => {
          if (place.waiting.delete(waiting)) waiting.settle(busy);
        };
        const abort = (): void => {
          if (place.waiting.has(waiting)) giveUp();
          else place.process?.kill();
        };
        const timer = clock.setTimeout(giveUp, limits.waitMs);
        signal?.addEventListener('abort', abort);
        place.waiting.add(waiting);
        takeTurns();
      });
    },
    async close() {
      isClosed = true;
      for (const { waiting, restTimer } of places.values()) {
        clock.clearTimeout(restTimer);
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
