/** A time in which something is left alone. */
export interface Pause {
  readonly beganMs: number;
  readonly lengthMs: number;
}

/**
 * What is left of a pause. Where the clock was set back to before it began nothing is: it must not last as long as the clock
 * was wrong (P12).
 */
export const leftOf = ({ beganMs, lengthMs }: Pause, nowMs: number): number =>
  nowMs < beganMs ? 0 : Math.max(0, beganMs + lengthMs - nowMs);
