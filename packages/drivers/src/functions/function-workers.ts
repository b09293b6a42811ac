// Runs deployed functions within the limits of their companies.
import { createHash } from 'node:crypto';
import { backoffMs, type Clock } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import type { Dialer } from '../dialer/dialer.ts';
import { createPool, type OnLimit } from '../pool.ts';
import { remainingMs, type Pause } from '../dialer/breaker.ts';
import type { DeployedFunction, FunctionCall, FunctionResult } from './function-call.ts';
import { type FunctionLimits, functionLimits } from './function-limits.ts';
import { type FunctionProcess, startFunctionProcess } from './function-process.ts';
import { createProcessGuard } from '../processes/process-guard.ts';

/** Runs deployed functions, each in its own process, which starts with the first call. */
export interface FunctionWorkers {
  call(deployed: DeployedFunction, call: FunctionCall): Promise<FunctionResult>;
  /**
   * Replaces the process of a function, if there is one, by one of the current deployment. Resolves when the new one has loaded, or failed
   * to, and the old one has ended: its calls may finish, for 10 s at most.
   */
  redeploy(deployed: DeployedFunction): Promise<void>;
  /** Ends every process. */
  close(): Promise<void>;
}

interface WorkersOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<FunctionLimits>;
  /** What `fetch` of a function goes through, with the company as its scope; without it, `fetch` rejects. */
  readonly dialer?: Pick<Dialer, 'request'>;
  /** Gets what functions write, and what becomes of them. */
  readonly log?: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Called when a function took too much memory, and when the functions of a company have all places that they may have. */
  readonly onLimit?: OnLimit;
  /** The flags that Node.js supports; its own when left out. */
  readonly nodeFlags?: Pick<ReadonlySet<string>, 'has'>;
}

/** One function that was called. */
interface CalledFunction {
  fingerprint: string;
  process: FunctionProcess | undefined;
  restTimer: unknown;
  failures: number;
  /** After a start that failed. */
  pause: Pause;
  lastFailure: string;
  lastUsedMs: number;
}

/** Creates the processes that run deployed functions, one for each that is called. */
export function createFunctionWorkers(options: WorkersOptions = {}): FunctionWorkers {
  const { clock = systemClock, dialer, log, onLimit = () => undefined, nodeFlags = process.allowedNodeEnvironmentFlags } = options;
  const limits: FunctionLimits = { ...functionLimits, ...options.limits };
  const called = new Map<string, CalledFunction>();
  /** A place for each process with a pending call, including replaced ones: a company has its share (P23). */
  const atWork = createPool({ processes: limits.processes }, limits.share);
  const { start, retire, close } = createProcesses({
    clock,
    limits,
    dialer,
    log,
    onLimit,
    called,
    onIdle: (companyId) => atWork.give(companyId, { processes: 1 }),
  });
  // Where a process without file access has no network either, Node.js has a flag to restore it.
  const isKept = nodeFlags.has('--allow-net');
  if (!isKept) log?.warn({ node: process.version }, unkept);

  /** The process of the current deployment, with a place for the next call; or why there is none. */
  function begin(one: CalledFunction, deployed: DeployedFunction): FunctionProcess | Unavailable {
    if (!isKept) return { ...unavailable(unkept, 60_000), isLasting: true };
    const { companyId, functionId } = deployed;
    const running = one.process?.isAlive() === true ? one.process : undefined;
    if (running !== undefined && running.callsUnderWay() > 0)
      return running.callsUnderWay() < limits.calls ? running : unavailable('All places of this function are taken', 1_000);
    if (!atWork.take(companyId, { processes: 1 })) {
      const message = 'The functions of this company have all places that it may have at once';
      onLimit({ limit: 'function-places', holder: companyId, functionId, message });
      return unavailable(message, 1_000);
    }
    const found = running ?? start(one, deployed);
    if ('kind' in found) atWork.give(companyId, { processes: 1 });
    return found;
  }

  /** What is known of a function in its current deployment. A process of an earlier one is retired. */
  function findCalled(deployed: DeployedFunction): CalledFunction {
    const one = called.get(deployed.functionId) ?? { ...nothingYet };
    called.set(deployed.functionId, one);
    one.lastUsedMs = clock.now();
    const fingerprint = createFingerprint(deployed);
    if (one.fingerprint !== fingerprint) {
      retire(one);
      Object.assign(one, { fingerprint, failures: 0, pause: noPause });
    }
    return one;
  }

  function afterCall(one: CalledFunction, used: FunctionProcess, { kind }: FunctionResult): void {
    if (one.process !== used) return;
    // What runs on in there is ended in no other way; calls beside it have their time.
    if (kind === 'stopped') return retire(one, limits.callMs);
    clock.clearTimeout(one.restTimer);
    if (used.callsUnderWay() === 0) one.restTimer = clock.setTimeout(() => retire(one), limits.restMs);
  }

  return {
    async call(deployed, call) {
      const one = findCalled(deployed);
      const found = begin(one, deployed);
      if ('kind' in found) return found;
      clock.clearTimeout(one.restTimer);
      const result = await found.call(call);
      afterCall(one, found, result);
      return result;
    },
    async redeploy(deployed) {
      const one = called.get(deployed.functionId);
      const old = one?.process;
      if (one === undefined || old === undefined) return;
      retire(one);
      const next = start(findCalled(deployed), deployed);
      await Promise.all([old.ended, 'started' in next && next.started]);
    },
    close,
  };
}

interface ProcessesParts extends Required<Pick<WorkersOptions, 'clock' | 'onLimit'>> {
  readonly dialer: WorkersOptions['dialer'];
  readonly log: WorkersOptions['log'];
  readonly limits: FunctionLimits;
  readonly called: ReadonlyMap<string, CalledFunction>;
  /** A process of a company has no call any more. */
  readonly onIdle: (companyId: string) => void;
}

/** The processes of all functions, at most so many at once. */
function createProcesses({ clock, limits, dialer, log, onLimit, called, onIdle }: ProcessesParts) {
  const all = new Set<FunctionProcess>();
  const guard = createProcessGuard();
  let isClosed = false;

  /** The next call starts another process. */
  function retire(one: CalledFunction, drainMs: number = limits.drainMs): void {
    clock.clearTimeout(one.restTimer);
    one.process?.retire(drainMs);
    one.process = undefined;
  }

  /** Ends the longest idle process when the maximum is reached. @returns false when none is idle */
  function makeRoom(): boolean {
    if ([...all].filter((process) => process.isAlive()).length < limits.processes) return true;
    const [longestAtRest] = [...called.values()]
      .filter(({ process }) => process?.isAlive() === true && process.callsUnderWay() === 0)
      .toSorted((left, right) => left.lastUsedMs - right.lastUsedMs);
    if (longestAtRest !== undefined) retire(longestAtRest);
    return longestAtRest !== undefined;
  }

  function start(one: CalledFunction, deployed: DeployedFunction): FunctionProcess | Unavailable {
    const pauseMs = remainingMs(one.pause, clock.now());
    if (pauseMs > 0) return unavailable(`The function does not start: ${one.lastFailure}`, pauseMs);
    if (isClosed || !makeRoom()) return unavailable('Too many functions are at work', 1_000);
    const { companyId, functionId } = deployed;
    const started = startFunctionProcess(deployed, {
      limits,
      clock,
      guard,
      dialer,
      onLine: (line) => log?.info({ companyId, functionId, line }, 'A function writes'),
      onIdle: () => onIdle(companyId),
      onMemory: (message) => onLimit({ limit: 'function-memory', holder: companyId, functionId, message }),
    });
    one.process = started;
    all.add(started);
    void started.ended.then(() => all.delete(started));
    void started.started.then((result) => {
      if (one.process !== started) return;
      if (result.kind === 'ready') {
        one.failures = 0;
        return;
      }
      one.lastFailure = result.message;
      one.failures += 1;
      const lengthMs = backoffMs({ firstMs: limits.firstPauseMs, longestMs: limits.longestPauseMs }, one.failures);
      one.pause = { beganMs: clock.now(), lengthMs };
      log?.warn({ companyId, functionId, reason: result.message }, 'A function does not start');
    });
    return started;
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const { restTimer } of called.values()) clock.clearTimeout(restTimer);
    for (const process of all) process.kill();
    await Promise.all([...all].map(({ ended }) => ended));
    guard.close();
  }

  return { start, retire, close };
}

const unkept = `Functions do not run on Node.js ${process.version}, which cannot keep them from the network: run the service with version 26.1 or newer`;

type Unavailable = Extract<FunctionResult, { readonly kind: 'unavailable' }>;

const unavailable = (message: string, retryAfterMs: number): Unavailable => ({ kind: 'unavailable', message, retryAfterMs });

const noPause: Pause = { beganMs: 0, lengthMs: 0 };

const nothingYet: CalledFunction = {
  fingerprint: '',
  process: undefined,
  restTimer: undefined,
  failures: 0,
  pause: noPause,
  lastFailure: '',
  lastUsedMs: 0,
};

const createFingerprint = ({ companyId, deployment, source }: DeployedFunction): string =>
  createHash('sha256')
    .update(JSON.stringify([companyId, deployment]))
    .update(source)
    .digest('hex');
