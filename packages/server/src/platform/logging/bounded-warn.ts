import type { Clock } from '@hilo/engine/contract';
import { createBoundedMap } from '../bounded-map.ts';
import type { Logger } from './logger.ts';

/** Logs a WARN unless this name has had its lines of the minute. `moreBefore` says how many were left out in the minute before. */
export type BoundedWarn = (name: readonly string[], fields: object, message: string) => void;

const minuteMs = 60_000;
/** How many names are remembered, so that those that appear once do not accumulate. */
const maxNames = 10_000;

/** @param linesAMinute - of each name */
export function createBoundedWarn(log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'now'>, linesAMinute: number): BoundedWarn {
  const minutes = createBoundedMap<{ readonly sinceMs: number; written: number; unwritten: number }>(maxNames);
  return (name, fields, message) => {
    const key = JSON.stringify(name);
    const nowMs = clock.now();
    const last = minutes.get(key);
    const isNew = last === undefined || Math.abs(nowMs - last.sinceMs) >= minuteMs;
    const minute = isNew ? { sinceMs: nowMs, written: 0, unwritten: 0 } : last;
    if (minute.written === linesAMinute) {
      minute.unwritten += 1;
      return;
    }
    minute.written += 1;
    minutes.set(key, minute);
    log.warn({ ...fields, ...(isNew && last !== undefined && last.unwritten > 0 && { moreBefore: last.unwritten }) }, message);
  };
}
