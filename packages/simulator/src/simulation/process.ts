import { createEngine, type Engine, type EngineOptions } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';

/** An engine as a process: once killed it does nothing any more. */
export interface Process {
  readonly engine: Engine;
  kill(): void;
}

/** @param options - the engine's options; its timers die with the process */
export function startProcess(options: EngineOptions & { readonly clock: Clock }): Process {
  const { clock, clear } = createKillableClock(options.clock);
  const engine = createEngine({ ...options, clock });
  const removals: (() => void)[] = [];
  const on: Engine['on'] = (name, listener) => {
    const remove = engine.on(name, listener);
    removals.push(remove);
    return remove;
  };
  return {
    engine: { ...engine, on },
    kill() {
      for (const remove of removals) remove();
      clear();
    },
  };
}

/** The same time, with timers that can all be cleared at once. */
function createKillableClock(clock: Clock): { readonly clock: Clock; readonly clear: () => void } {
  const timers = new Set<unknown>();
  const clearTimeout = (timer: unknown): void => {
    timers.delete(timer);
    clock.clearTimeout(timer);
  };
  const setTimeout: Clock['setTimeout'] = (callback, delayMs) => {
    const timer = clock.setTimeout(() => {
      timers.delete(timer);
      callback();
    }, delayMs);
    timers.add(timer);
    return timer;
  };
  return {
    clock: { now: clock.now, setTimeout, clearTimeout },
    clear: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
