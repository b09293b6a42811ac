// The log of calls that were refused before they were made.
import type { Clock } from '@hilo/engine/contract';
import type { DialerError } from '../driver-error.ts';

export interface RefusalLogOptions {
  readonly log: { warn(fields: object, message: string): void } | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Logs refused calls. A loop of refused calls must not fill the log (T17, P22). */
export interface RefusalLog {
  /** @param scope - the caller's */
  write(error: DialerError, scope: string | undefined): void;
}

const quietMs = 60_000;
/** Different lines of one scope in that time; further ones are only counted. */
const linesKept = 20;
const scopesKept = 10_000;

interface Written {
  readonly sinceMs: number;
  readonly lines: Set<string>;
  unwritten: number;
}

/** Of each scope, every line once a minute, 20 at most; then how many more there were. */
export function createRefusalLog({ log, clock }: RefusalLogOptions): RefusalLog {
  const scopes = new Map<string, Written>();
  return {
    write({ code, message, logOnly }, scope) {
      const key = scope ?? '';
      const nowMs = clock.now();
      let written = scopes.get(key);
      if (written === undefined || Math.abs(nowMs - written.sinceMs) >= quietMs) {
        const unwritten = written?.unwritten ?? 0;
        if (unwritten > 0) log?.warn({ code, scope, calls: unwritten }, 'More calls were refused than are written here');
        if (scopes.size >= scopesKept) scopes.clear();
        written = { sinceMs: nowMs, lines: new Set(), unwritten: 0 };
        scopes.set(key, written);
      }
      if (written.lines.size >= linesKept || written.lines.has(message)) written.unwritten += 1;
      else {
        written.lines.add(message);
        log?.warn({ code, scope, ...logOnly }, message);
      }
    },
  };
}
