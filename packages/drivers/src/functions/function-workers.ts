import { createHash } from 'node:crypto';
import type { Clock } from '@hilo/engine/contract';
import type { Dialer } from '../dialer/dialer.ts';
import { leftOf, type Pause } from '../pause.ts';
import { systemClock } from '../system-clock.ts';
import type { DeployedFunction, FunctionCall, FunctionResult } from './function-call.ts';
import { type FunctionLimits, functionLimits } from './function-limits.ts';
import { type FunctionProcess, startFunctionProcess } from './function-process.ts';
import { createProcessGuard } from './process-guard.ts';

/** Runs deployed functions, each in a process of its own that starts with the first call. */
export interface FunctionWorkers {
  call(deployed: DeployedFunction, call: FunctionCall): Promise<FunctionResult>;
  /**
   * Replaces the process of a function, if it has one, by another of what is deployed now. Resolves when the new one is
   * loaded, or does not load, and the old one is gone: its calls may end, for 10 s at most.
   */
  redeploy(deployed: DeployedFunction): Promise<void>;
  /** Ends every process. */
  close(): Promise<void>;
}

interface WorkersOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<FunctionLimits>;
  /** What `fetch` of a function goes through, with the company as its scope; functions reach nobody where left out. */
  readonly dialer?: Pick<Dialer, 'request'>;
  /** Gets what functions write, and what becomes of them. */
  readonly log?: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
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

export function createFunctionWorkers({ clock = systemClock, limits: given, dialer, log }: WorkersOptions = {}): FunctionWorkers {
  const limits: FunctionLimits = { ...functionLimits, ...given };
  const places = new Map<string, Place>();
  const all = new Set<FunctionProcess>();
  const guard = createProcessGuard();
  let isClosed = false;
  let hasWarned = keepsFromNetwork;

  /** Who may be asked for what is deployed now, or why nobody may. A process of an earlier deployment is retired. */
  function processOf(deployed: DeployedFunction): FunctionProcess | Unavailable {
    const place = placeOf(deployed.functionId);
    const fingerprint = fingerprintOf(deployed);
    if (place.fingerprint !== fingerprint) {
      retire(place);
      Object.assign(place, { fingerprint, failures: 0, pause: noPause });
    }
    const { process } = place;
    if (process?.isAlive() === true)
      return process.callsUnderWay() < limits.calls ? process : unavailable('All places of this function are taken', 1_000);
    const pauseMs = leftOf(place.pause, clock.now());
    if (pauseMs > 0) return unavailable(`The function does not start: ${place.lastFailure}`, pauseMs);
    if (isClosed || !makeRoom()) return unavailable('Too many functions are at work', 1_000);
    return start(place, deployed);
  }

  function placeOf(functionId: string): Place {
    const place = places.get(functionId) ?? { ...nothingYet };
    places.set(functionId, place);
    place.lastUsedMs = clock.now();
    return place;
  }

  function start(place: Place, deployed: DeployedFunction): FunctionProcess {
    const { companyId, functionId } = deployed;
    const onLine = (line: string): void => log?.info({ companyId, functionId, line }, 'A function writes');
    const started = startFunctionProcess(deployed, { limits, clock, guard, dialer, onLine });
    if (!hasWarned) log?.warn({ node: process.version }, 'This Node.js cannot keep functions from the network: run version 26 or newer');
    hasWarned = true;
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
      const lengthMs = Math.min(limits.firstPauseMs * 2 ** place.failures, limits.longestPauseMs);
      place.pause = { beganMs: clock.now(), lengthMs };
      place.failures += 1;
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

  /** @returns false when as many functions as there may be are at work, and none rests */
  function makeRoom(): boolean {
    const alive = [...places.values()].filter(({ process }) => process?.isAlive() === true);
    if (alive.length < limits.processes) return true;
    const [longestAtRest] = alive
      .filter(({ process }) => process?.callsUnderWay() === 0)
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
      const found = processOf(deployed);
      if ('kind' in found) return found;
      const place = placeOf(deployed.functionId);
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
      const next = processOf(deployed);
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

/** From version 25 on, a process without files has no network either. */
const keepsFromNetwork = process.allowedNodeEnvironmentFlags.has('--allow-net');

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

const fingerprintOf = ({ companyId, deployment, source }: DeployedFunction): string =>
  createHash('sha256')
    .update(JSON.stringify([companyId, deployment]))
    .update(source)
    .digest('hex');
