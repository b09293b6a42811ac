// Workers, each a process or a thread, that do the work of companies in turn.
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
  readonly keepsNothing?: boolean;
  /** Called when a company is made to wait in the middle of its work, and when work finds no turn. */
  readonly onLimit: OnLimit;
  /** The names of these two limits, with what to say of them. */
  readonly reports: { readonly turn: Report; readonly places: Report };
}
type Report = Pick<Parameters<OnLimit>[0], 'limit' | 'message'>;

/** Work that waits for its first turn. */
interface WaitingWork<Work, Result> {
  readonly work: Work;
  readonly settle: (result: Result) => void;
}

/** One company, with its worker and its work. */
interface CompanyWork<Work, Result> {
  readonly waiting: Set<WaitingWork<Work, Result>>;
  worker: Worker<Work, Result> | undefined;
  /** Work is under way, which has its turn or waits for the next; or none is. */
  state: 'none' | 'running' | 'paused';
  /** Its last pieces of work that did not end in time. */
  timeouts: number;
  turnTimer: unknown;
  restTimer: unknown;
}

/** Starts workers as they are needed. */
export function createFairWorkers<Work, Result>(options: FairWorkersOptions<Work, Result>): FairWorkers<Work, Result> {
  const { clock, limits, busy, onLimit, reports } = options;
  /** In the order of their last turn: who had none for the longest time is next (P23). */
  const companies = new Map<string, CompanyWork<Work, Result>>();
  const pool = createWorkerPool(options, companies);
  const takeTurns = createTurns(options, companies, pool);
  let isClosed = false;

  const findCompany = (companyId: string): CompanyWork<Work, Result> => {
    const company = companies.get(companyId) ?? {
      waiting: new Set(),
      worker: undefined,
      state: 'none',
      timeouts: 0,
      turnTimer: undefined,
      restTimer: undefined,
    };
    companies.set(companyId, company);
    return company;
  };

  return {
    async run(companyId, work, signal) {
      if (isClosed || signal?.aborted === true) return busy;
      const company = findCompany(companyId);
      const noTurn = (): Result => {
        onLimit({ ...reports.places, holder: companyId });
        return busy;
      };
      if (company.waiting.size >= limits.waiting) return noTurn();
      return new Promise((resolve) => {
        const waiting: WaitingWork<Work, Result> = {
          work,
          settle(result) {
            clock.clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        const abort = (): void => {
          if (company.waiting.delete(waiting)) waiting.settle(busy);
          else company.worker?.kill();
        };
        const timer = clock.setTimeout(() => {
          if (company.waiting.delete(waiting)) waiting.settle(noTurn());
        }, limits.waitMs);
        signal?.addEventListener('abort', abort);
        company.waiting.add(waiting);
        takeTurns();
      });
    },
    async close() {
      isClosed = true;
      for (const { waiting, restTimer, turnTimer } of companies.values()) {
        clock.clearTimeout(restTimer);
        clock.clearTimeout(turnTimer);
        for (const { settle } of waiting) settle(busy);
        waiting.clear();
      }
      await pool.close();
    },
  };
}

type Companies<Work, Result> = Map<string, CompanyWork<Work, Result>>;

const countInState = <Work, Result>(companies: Companies<Work, Result>, state: CompanyWork<Work, Result>['state']): number =>
  [...companies.values()].filter((company) => company.state === state).length;

/** How companies take turns. @returns gives turns to those who wait, as far as there is room */
function createTurns<Work, Result>(
  { clock, limits, fail, isTimeout, onLimit, reports }: FairWorkersOptions<Work, Result>,
  companies: Companies<Work, Result>,
  pool: WorkerPool<Work, Result>,
): () => void {
  type Company = CompanyWork<Work, Result>;

  const canTakeTurn = ({ state, waiting }: Company): boolean =>
    state === 'paused' ||
    (state === 'none' && waiting.size > 0 && countInState(companies, 'running') + countInState(companies, 'paused') < limits.processes);

  function takeTurns(): void {
    for (const [companyId, company] of companies) {
      if (countInState(companies, 'running') >= limits.atOnce) return;
      if (!canTakeTurn(company)) continue;
      const [next] = company.waiting;
      if (company.state === 'paused') {
        company.state = 'running';
        company.worker?.resume();
        limitTurn(companyId, company);
      } else if (next !== undefined) void doNext(companyId, company, next);
    }
  }

  /** A turn ends when others wait; until then it continues. */
  function limitTurn(companyId: string, company: Company): void {
    const turnMs = Math.max(limits.shortestTurnMs, limits.turnMs / 2 ** company.timeouts);
    clock.clearTimeout(company.turnTimer);
    company.turnTimer = clock.setTimeout(() => {
      const othersWait = [...companies.values()].some((other) => other !== company && canTakeTurn(other));
      if (!othersWait || company.worker?.pause() !== true) return limitTurn(companyId, company);
      company.state = 'paused';
      onLimit({ ...reports.turn, holder: companyId });
      stepBack(companyId, company);
      takeTurns();
    }, turnMs);
  }

  function stepBack(companyId: string, company: Company): void {
    companies.delete(companyId);
    companies.set(companyId, company);
  }

  async function doNext(companyId: string, company: Company, next: WaitingWork<Work, Result>): Promise<void> {
    const { waiting } = company;
    waiting.delete(next);
    clock.clearTimeout(company.restTimer);
    company.state = 'running';
    const result = await runIn(companyId, company, next.work);
    clock.clearTimeout(company.turnTimer);
    company.state = 'none';
    company.timeouts = isTimeout(result) ? company.timeouts + 1 : 0;
    next.settle(result);
    stepBack(companyId, company);
    company.restTimer = clock.setTimeout(() => {
      if (waiting.size === 0) companies.delete(companyId);
      company.worker?.kill();
    }, limits.restMs);
    takeTurns();
  }

  /** The turn ends after any outcome. */
  async function runIn(companyId: string, company: Company, work: Work): Promise<Result> {
    try {
      const worker = pool.find(company);
      const result = worker.run(work);
      await worker.ready; // its start does not count as the time of the work
      if (worker.isAlive()) limitTurn(companyId, company);
      return await result;
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  }

  return takeTurns;
}

/** The workers of all companies. */
interface WorkerPool<Work, Result> {
  /** The worker of a company: its own, one that rests, or a new one. */
  find(company: CompanyWork<Work, Result>): Worker<Work, Result>;
  /** Ends all of them. */
  close(): Promise<void>;
}

function createWorkerPool<Work, Result>(
  { clock, limits, start, keepsNothing = false }: FairWorkersOptions<Work, Result>,
  companies: Companies<Work, Result>,
): WorkerPool<Work, Result> {
  const all = new Set<Worker<Work, Result>>();

  /** A worker that rests, taken from the company that it worked for. */
  const takeRested = (): Worker<Work, Result> | undefined => {
    for (const [companyId, company] of companies) {
      const { worker, state } = company;
      if (state !== 'none' || worker?.isAlive() !== true) continue;
      clock.clearTimeout(company.restTimer);
      company.worker = undefined;
      if (company.waiting.size === 0) companies.delete(companyId);
      return worker;
    }
    return undefined;
  };

  /** The companies whose workers rest the longest give them up. */
  const makeRoom = (): void => {
    const idle = [...companies.values()].filter(({ worker, state }) => worker?.isAlive() === true && state === 'none');
    const atWork = countInState(companies, 'running') + countInState(companies, 'paused');
    for (const { worker } of idle.slice(0, Math.max(0, idle.length + atWork - limits.processes))) worker?.kill();
  };

  return {
    find(company) {
      if (company.worker?.isAlive() === true) return company.worker;
      const rested = keepsNothing ? takeRested() : undefined;
      if (rested !== undefined) return (company.worker = rested);
      makeRoom();
      const started = start();
      company.worker = started;
      all.add(started);
      void started.ended.then(() => all.delete(started));
      return started;
    },
    async close() {
      for (const worker of all) worker.kill();
      await Promise.all([...all].map(({ ended }) => ended));
    },
  };
}
