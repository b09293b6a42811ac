import type { LimitReached } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import type { Logger } from './logger.ts';

/** Counts how often work ran into a bound, and logs it, so that operators can see it (P22, P23). */
export interface LimitReports {
  /** Counts one; logs one WARN a minute for each bound and holder, with the number since the last line. */
  report(reached: LimitReached): void;
  /** @param listener - called for every report */
  listen(listener: (reached: LimitReached) => void): void;
}

const quietMs = 60_000;
/** How many pairs of bound and holder are remembered, so that addresses that appear once do not accumulate. */
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
