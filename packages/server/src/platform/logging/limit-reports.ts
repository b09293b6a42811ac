import type { LimitReached } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { createBoundedWarn } from './bounded-warn.ts';
import type { Logger } from './logger.ts';

/** Counts how often work ran into a bound, and logs it, so that operators can see it (P22, P23). */
export interface LimitReports {
  /** Counts one; logs one WARN a minute for each bound and holder, with the number since the last line. */
  report(reached: LimitReached): void;
  /** @param listener - called for every report */
  listen(listener: (reached: LimitReached) => void): void;
}

/** Reports to the log and to listeners, such as the metrics. */
export function createLimitReports({
  log,
  clock,
}: {
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
}): LimitReports {
  const listeners: ((reached: LimitReached) => void)[] = [];
  const warn = createBoundedWarn(log, clock, 1);
  return {
    report(reached) {
      for (const listener of listeners) listener(reached);
      const { message, ...fields } = reached;
      warn([fields.limit, fields.holder], fields, message);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
