import type { LimitReached } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import type { Logger } from './logger.ts';

/** Counts how often work ran into a bound, and says so in the log: for operators, who could not see it otherwise (P22, P23). */
export interface LimitReports {
  /** Counts one; of one bound and one holder it writes one WARN a minute, with how many there were in between. */
  report(reached: LimitReached): void;
  /** @param listener - is given every one */
  listen(listener: (reached: LimitReached) => void): void;
}

const quietMs = 60_000;
/** Pairs of bound and holder that are remembered; an address that comes once must not be kept for ever. */
const pairsKept = 10_000;

export function createLimitReports({
  log,
  clock,
}: {
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
}): LimitReports {
  const listeners: ((reached: LimitReached) => void)[] = [];
  const written = new Map<string, { readonly atMs: number; unwritten: number }>();
  return {
    report(reached) {
      for (const listener of listeners) listener(reached);
      const { limit, holder, message, ...fields } = reached;
      const key = JSON.stringify([limit, holder]);
      const nowMs = clock.now();
      const last = written.get(key);
      if (last !== undefined && Math.abs(nowMs - last.atMs) < quietMs) {
        last.unwritten += 1;
        return;
      }
      if (written.size >= pairsKept) written.clear();
      written.set(key, { atMs: nowMs, unwritten: 0 });
      log.warn({ limit, holder, ...fields, ...(last !== undefined && last.unwritten > 0 && { moreBefore: last.unwritten }) }, message);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
