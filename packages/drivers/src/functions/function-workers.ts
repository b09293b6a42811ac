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
interface Place {
  fingerprint: string;
  process: FunctionProcess | undefined;
  restTimer: unknown;
  failures: number;
  /** After a start that failed. */
  pause: Pause;
  lastFailure: string;
  lastUsedMs: number;
}

export function createFunctionWorkers({
  clock = systemClock,
  limits: given,
  dialer,
  log,
  onLimit = () => undefined,
  nodeFlags = process.allowedNodeEnvironmentFlags,
}: WorkersOptions = {}): FunctionWorkers {
  const limits: FunctionLimits = { ...functionLimits, ...given };
  const places = new Map<string, Place>();
  const all = new Set<FunctionProcess>();
  /** A place for each process with a pending call, including replaced ones: a company has its share (P23). */
  const atWork = createPool({ processes: limits.processes }, limits.share);
  const guard = createProcessGuard();
  // Where a process without file access has no network either, Node.js has a flag to restore it.
  const isKept = nodeFlags.has('--allow-net');
  if (!isKept) log?.warn({ node: process.version }, unkept);
  let isClosed = false;

  /** The process of the current deployment, with a place for the next call; or why there is none. */
  function begin(place: Place, deployed: DeployedFunction): FunctionProcess | Unavailable {
    if (!isKept) return { ...unavailable(unkept, 60_000), isLasting: true };
    const { companyId, functionId } = deployed;
    const running = place.process?.isAlive() === true ? place.process : undefined;
    if (running !== undefined && running.callsUnderWay() > 0)
      return running.callsUnderWay() < limits.calls ? running : unavailable('All places of this function are taken', 1_000);
    if (!atWork.take(companyId, { processes: 1 })) {
      const message = 'The functions of this company have all places that it may have at once';
      onLimit({ limit: 'function-places', holder: companyId, functionId, message });
      return unavailable(message, 1_000);
    }
    const found = running ?? start(place, deployed);
    if ('kind' in found) atWork.give(companyId, { processes: 1 });
    return found;
  }

  /** The place of the current deployment. A process of an earlier one is retired. */
  function getPlace(deployed: DeployedFunction): Place {
    const place = places.get(deployed.functionId) ?? { ...nothingYet };
    places.set(deployed.functionId, place);
    place.lastUsedMs = clock.now();
    const fingerprint = createFingerprint(deployed);
    if (place.fingerprint !== fingerprint) {
      retire(place);
      Object.assign(place, { fingerprint, failures: 0, pause: noPause });
    }
    return place;
  }

  function start(place: Place, deployed: DeployedFunction): FunctionProcess | Unavailable {
    const pauseMs = remainingMs(place.pause, clock.now());
    if (pauseMs > 0) return unavailable(`The function does not start: ${place.lastFailure}`, pauseMs);
    if (isClosed || !makeRoom()) return unavailable('Too many functions are at work', 1_000);
    const { companyId, functionId } = deployed;
    const started = startFunctionProcess(deployed, {
      limits,
      clock,
      guard,
      dialer,
      onLine: (line) => log?.info({ companyId, functionId, line }, 'A function writes'),
      onIdle: () => atWork.give(companyId, { processes: 1 }),
      onMemory: (message) => onLimit({ limit: 'function-memory', holder: companyId, functionId, message }),
    });
    place.process = started;
    all.add(started);
    void started.ended.then(() => all.delete(started));
    void started.started.then((result) => {
      if (place.process !== started) return;
      if (result.kind === 'ready') {
        place.failures = 0;
        return;
      }
      place.lastFailure = result.message;
      place.failures += 1;
      const lengthMs = backoffMs({ firstMs: limits.firstPauseMs, longestMs: limits.longestPauseMs }, place.failures);
      place.pause = { beganMs: clock.now(), lengthMs };
      log?.warn({ companyId, functionId, reason: result.message }, 'A function does not start');
    });
    return started;
  }

  /** The next call starts another process. */
  function retire(place: Place, drainMs: number = limits.drainMs): void {
    clock.clearTimeout(place.restTimer);
    place.process?.retire(drainMs);
    place.process = undefined;
  }

  /** Ends the longest idle process when the maximum is reached. @returns false when none is idle */
  function makeRoom(): boolean {
    if ([...all].filter((process) => process.isAlive()).length < limits.processes) return true;
    const [longestAtRest] = [...places.values()]
      .filter(({ process }) => process?.isAlive() === true && process.callsUnderWay() === 0)
      .toSorted((left, right) => left.lastUsedMs - right.lastUsedMs);
    if (longestAtRest !== undefined) retire(longestAtRest);
    return longestAtRest !== undefined;
  }

  function afterCall(place: Place, used: FunctionProcess, { kind }: FunctionResult): void {
    if (place.process !== used) return;
    // What runs on in there is ended in no other way; calls beside it have their time.
    if (kind === 'stopped') return retire(place, limits.callMs);
    clock.clearTimeout(place.restTimer);
    if (used.callsUnderWay() === 0) place.restTimer = clock.setTimeout(() => retire(place), limits.restMs);
  }

  return {
    async call(deployed, call) {
      const place = getPlace(deployed);
      const found = begin(place, deployed);
      if ('kind' in found) return found;
      clock.clearTimeout(place.restTimer);
      const result = await found.call(call);
      afterCall(place, found, result);
      return result;
    },
    async redeploy(deployed) {
      const place = places.get(deployed.functionId);
      const old = place?.process;
      if (place === undefined || old === undefined) return;
      retire(place);
      const next = start(getPlace(deployed), deployed);
      await Promise.all([old.ended, 'started' in next && next.started]);
    },
    async close() {
      isClosed = true;
      for (const place of places.values()) clock.clearTimeout(place.restTimer);
      for (const process of all) process.kill();
      await Promise.all([...all].map(({ ended }) => ended));
      guard.close();
    },
  };
}

const unkept = `Functions do not run on Node.js ${process.version}, which cannot keep them from the network: run the service with version 26.1 or newer`;

type Unavailable = Extract<FunctionResult, { readonly kind: 'unavailable' }>;

const unavailable = (message: string, retryAfterMs: number): Unavailable => ({ kind: 'unavailable', message, retryAfterMs });

const noPause: Pause = { beganMs: 0, lengthMs: 0 };

const nothingYet: Place = {
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
