import type { AbortSignal as Signal, Clock } from '@hilo/engine/contract';
import type { OnLimit } from './pool.ts';

/** What works for one company at a time: a process, or a thread. */
export interface Worker<Work, Result> {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Resolves when it can work, or never will. */
  readonly ready: Promise<void>;
  isAlive(): boolean;
  /** Does one piece of work, once it is ready; it bounds the time of that itself, pauses left out. */
  run(work: Work): Promise<Result>;
  /** Suspends the work. @returns false when that is impossible */
  pause(): boolean;
  resume(): void;
  /** Ends it at once, with the work that is under way. */
  kill(): void;
}

/** Does the work of companies in turn, so that none waits for all of another's (P23). */
export interface FairWorkers<Work, Result> {
  /** @param signal - aborts the work; one in progress ends with its worker */
  run(companyId: string, work: Work, signal?: Signal): Promise<Result>;
  /** Ends every worker. */
  close(): Promise<void>;
}

/** Every bound of such workers. */
export interface FairLimits {
  /** How long work waits for its first turn. */
  readonly waitMs: number;
  /** How long a company works on while others wait; halved for each of its last pieces of work that did not end in time. */
  readonly turnMs: number;
  readonly shortestTurnMs: number;
  /** Waiting pieces of work of one company. */
  readonly waiting: number;
  /** Companies that work at once. */
  readonly atOnce: number;
  /** Companies that have a worker at once. */
  readonly processes: number;
  /** A worker that has done nothing for so long ends. */
  readonly restMs: number;
}

interface FairWorkersOptions<Work, Result> {
  readonly clock: Clock;
  readonly limits: FairLimits;
  readonly start: () => Worker<Work, Result>;
  /** The result of work that found no place, or that was aborted. */
  readonly busy: Result;
  /** The result of work whose worker could not be started. */
  readonly fail: (reason: string) => Result;
  /** Whether work did not end in its time. */
  readonly isTimeout: (result: Result) => boolean;
  /** Whether a worker that rests may work for another company: where it keeps nothing of its work. */
  readonly isShared?: boolean;
  /** Called when a company is made to wait in the middle of its work, and when work finds no turn. */
  readonly onLimit: OnLimit;
  /** The names of these two limits, with what to say of them. */
  readonly reports: { readonly turn: Report; readonly places: Report };
}
type Report = Pick<Parameters<OnLimit>[0], 'limit' | 'message'>;

/** Work that waits for its first turn. */
interface Waiting<Work, Result> {
  readonly work: Work;
  readonly settle: (result: Result) => void;
}

/** One company. */
interface Place<Work, Result> {
  readonly waiting: Set<Waiting<Work, Result>>;
  worker: Worker<Work, Result> | undefined;
  /** Work is under way, which has its turn or waits for the next; or none is. */
  state: 'none' | 'running' | 'paused';
  /** Its last pieces of work that did not end in time. */
  timeouts: number;
  turnTimer: unknown;
  restTimer: unknown;
}

/** Starts workers as they are needed. Its functions are one whole: a turn, a rest and a start each decide over the places of all companies. */
export function createFairWorkers<Work, Result>({
  clock,
  limits,
  start,
  busy,
  fail,
  isTimeout,
  isShared = false,
  onLimit,
  reports,
}: FairWorkersOptions<Work, Result>): FairWorkers<Work, Result> {
  type OneWaiting = Waiting<Work, Result>;
  type OnePlace = Place<Work, Result>;
  /** In the order of their last turn: who had none for the longest time is next (P23). */
  const places = new Map<string, OnePlace>();
  const all = new Set<Worker<Work, Result>>();
  let isClosed = false;

  const countInState = (state: OnePlace['state']): number => [...places.values()].filter((place) => place.state === state).length;

  function getPlace(companyId: string): OnePlace {
    const place = places.get(companyId) ?? {
      waiting: new Set(),
      worker: undefined,
      state: 'none',
      timeouts: 0,
      turnTimer: undefined,
      restTimer: undefined,
    };
    places.set(companyId, place);
    return place;
  }

  const canTakeTurn = ({ state, waiting }: OnePlace): boolean =>
    state === 'paused' || (state === 'none' && waiting.size > 0 && countInState('running') + countInState('paused') < limits.processes);

  function takeTurns(): void {
    for (const [companyId, place] of places) {
      if (countInState('running') >= limits.atOnce) return;
      if (!canTakeTurn(place)) continue;
      const [next] = place.waiting;
      if (place.state === 'paused') {
        place.state = 'running';
        place.worker?.resume();
        limitTurn(companyId, place);
      } else if (next !== undefined) void doNext(companyId, place, next);
    }
  }

  /** A turn ends when others wait; until then it continues. */
  function limitTurn(companyId: string, place: OnePlace): void {
    const turnMs = Math.max(limits.shortestTurnMs, limits.turnMs / 2 ** place.timeouts);
    clock.clearTimeout(place.turnTimer);
    place.turnTimer = clock.setTimeout(() => {
      const othersWait = [...places.values()].some((other) => other !== place && canTakeTurn(other));
      if (!othersWait || place.worker?.pause() !== true) return limitTurn(companyId, place);
      place.state = 'paused';
      onLimit({ ...reports.turn, holder: companyId });
      stepBack(companyId, place);
      takeTurns();
    }, turnMs);
  }

  function stepBack(companyId: string, place: OnePlace): void {
    places.delete(companyId);
    places.set(companyId, place);
  }

  async function doNext(companyId: string, place: OnePlace, next: OneWaiting): Promise<void> {
    const { waiting } = place;
    waiting.delete(next);
    clock.clearTimeout(place.restTimer);
    place.state = 'running';
    const result = await runIn(companyId, place, next.work);
    clock.clearTimeout(place.turnTimer);
    place.state = 'none';
    place.timeouts = isTimeout(result) ? place.timeouts + 1 : 0;
    next.settle(result);
    stepBack(companyId, place);
    place.restTimer = clock.setTimeout(() => {
      if (waiting.size === 0) places.delete(companyId);
      place.worker?.kill();
    }, limits.restMs);
    takeTurns();
  }

  /** The turn ends after any outcome. */
  async function runIn(companyId: string, place: OnePlace, work: Work): Promise<Result> {
    try {
      const worker = getWorker(place);
      const result = worker.run(work);
      await worker.ready; // its start does not count as the time of the work
      if (worker.isAlive()) limitTurn(companyId, place);
      return await result;
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  }

  function getWorker(place: OnePlace): Worker<Work, Result> {
    if (place.worker?.isAlive() === true) return place.worker;
    const rested = isShared ? takeRested() : undefined;
    if (rested !== undefined) return (place.worker = rested);
    makeRoom();
    const started = start();
    place.worker = started;
    all.add(started);
    void started.ended.then(() => all.delete(started));
    return started;
  }

  /** A worker that rests, taken from the company that it worked for. */
  function takeRested(): Worker<Work, Result> | undefined {
    for (const [companyId, place] of places) {
      const { worker, state } = place;
      if (state !== 'none' || worker?.isAlive() !== true) continue;
      clock.clearTimeout(place.restTimer);
      place.worker = undefined;
      if (place.waiting.size === 0) places.delete(companyId);
      return worker;
    }
    return undefined;
  }

  /** The companies whose workers rest the longest give them up. */
  function makeRoom(): void {
    const idle = [...places.values()].filter(({ worker, state }) => worker?.isAlive() === true && state === 'none');
    const excess = Math.max(0, idle.length + countInState('running') + countInState('paused') - limits.processes);
    for (const { worker } of idle.slice(0, excess)) worker?.kill();
  }

  return {
    async run(companyId, work, signal) {
      if (isClosed || signal?.aborted === true) return busy;
      const place = getPlace(companyId);
      const noTurn = (): Result => {
        onLimit({ ...reports.places, holder: companyId });
        return busy;
      };
      if (place.waiting.size >= limits.waiting) return noTurn();
      return new Promise((resolve) => {
        const waiting: OneWaiting = {
          work,
          settle(result) {
            clock.clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        const abort = (): void => {
          if (place.waiting.delete(waiting)) waiting.settle(busy);
          else place.worker?.kill();
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
      for (const worker of all) worker.kill();
      await Promise.all([...all].map(({ ended }) => ended));
    },
  };
}
