// How long something lasts in this process, by a wall clock that may be set back.

/**
 * Whether less than this time has passed since an instant. Not so when the clock shows a time before it: what a process keeps, waits or
 * allows for a while must not last as long as the clock was wrong (P12).
 */
export const isWithin = (sinceMs: number, lengthMs: number, nowMs: number): boolean => nowMs >= sinceMs && nowMs - sinceMs < lengthMs;
