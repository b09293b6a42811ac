import type { AbortSignal } from '@hilo/engine/contract';
import type { Delivered } from './messages.ts';

/** Callers that wait for the outcome of a message, by its lane and the key of its row. */
export interface Waiters {
  /** @throws {Error} when the caller's time is over: then the outcome is unknown (P5) */
  wait(lane: string, idempotencyKey: string, signal: AbortSignal): Promise<Delivered>;
  /** Ends the wait of all callers of a message. */
  resolve(lane: string, idempotencyKey: string, delivered: Delivered): void;
  /** The keys in this lane that a caller waits for. */
  keysOf(lane: string): readonly string[];
}

/** Waiters of this process, in memory. */
export function createWaiters(): Waiters {
  const waiting = new Map<string, Map<string, Set<(delivered: Delivered) => void>>>();
  const waitingIn = (lane: string): Map<string, Set<(delivered: Delivered) => void>> => {
    const known = waiting.get(lane) ?? new Map<string, Set<(delivered: Delivered) => void>>();
    waiting.set(lane, known);
    return known;
  };

  return {
    wait(lane, idempotencyKey, signal) {
      const keys = waitingIn(lane);
      const these = keys.get(idempotencyKey) ?? new Set();
      keys.set(idempotencyKey, these);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          these.delete(settle);
          if (these.size === 0 && keys.get(idempotencyKey) === these) keys.delete(idempotencyKey);
          if (keys.size === 0 && waiting.get(lane) === keys) waiting.delete(lane);
          signal.removeEventListener('abort', giveUp);
        };
        const settle = (delivered: Delivered): void => {
          leave();
          resolve(delivered);
        };
        const giveUp = (): void => {
          leave();
          reject(new Error('The message was not taken by its channel in time: it stays on its way'));
        };
        these.add(settle);
        signal.addEventListener('abort', giveUp);
        if (signal.aborted) giveUp();
      });
    },
    resolve(lane, idempotencyKey, delivered) {
      for (const settle of waiting.get(lane)?.get(idempotencyKey) ?? []) settle(delivered);
    },
    keysOf: (lane) => [...(waiting.get(lane)?.keys() ?? [])],
  };
}
