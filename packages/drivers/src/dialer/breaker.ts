import type { Clock } from '@hilo/engine/contract';
import { DriverError } from '../driver-error.ts';

/** A time in which a destination or function is not tried. */
export interface Pause {
  readonly beganMs: number;
  readonly lengthMs: number;
}

/**
 * The rest of a pause. It is over when the clock was set back to before its start: it must not last as long as the clock was wrong (P12).
 */
export const remainingMs = ({ beganMs, lengthMs }: Pause, nowMs: number): number =>
  nowMs < beganMs ? 0 : Math.max(0, beganMs + lengthMs - nowMs);

/** The outcome of a call's connection; `untried` says nothing about the destination. */
export type Connection = 'reached' | 'unreachable' | 'untried';

export interface BreakerOptions {
  readonly failuresToOpen: number;
  readonly openMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Leaves a destination alone after connections failed one after the other, and then lets one call at a time try. */
export interface Breaker {
  /** @throws {DriverError} `CIRCUIT_OPEN` when no call may be made now */
  check(): void;
  /**
   * Lets one call through.
   *
   * @returns a function to report the outcome with, once
   * @throws {DriverError} `CIRCUIT_OPEN`
   */
  admit(): (connection: Connection) => void;
}

export function createBreaker({ failuresToOpen, openMs, clock }: BreakerOptions): Breaker {
  let failures = 0;
  let pause: Pause = { beganMs: 0, lengthMs: 0 };
  let isProbing = false;

  const check = (): void => {
    if (failures < failuresToOpen) return;
    const retryAfterMs = remainingMs(pause, clock.now());
    if (retryAfterMs === 0 && !isProbing) return;
    throw new DriverError('CIRCUIT_OPEN', 'The last connections to this destination failed: it is left alone for a while', {
      retryAfterMs,
    });
  };

  return {
    check,
    admit() {
      check();
      const isProbe = failures >= failuresToOpen;
      if (isProbe) isProbing = true;
      return (connection) => {
        if (isProbe) isProbing = false;
        if (connection === 'reached') failures = 0;
        if (connection !== 'unreachable') return;
        failures += 1;
        if (failures >= failuresToOpen) pause = { beganMs: clock.now(), lengthMs: openMs };
      };
    },
  };
}
