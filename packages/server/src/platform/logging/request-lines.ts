import type { Redact } from './redact.ts';

/** What the line of a request says, as the caller's request had it. */
export interface RequestFields {
  /** Random: the service made it. */
  readonly requestId: string;
  readonly surface: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly durationMs: number;
}

/** How many texts are kept, and how long each may be: a caller chooses its path. */
const mostKept = 1_000;
const longestKept = 512;

/**
 * Writes the lines of requests by template. A line differs from others of the same path in its id and in its numbers alone; what is between
 * them was made safe when the path was first seen, and is made safe again once another secret is known (P31).
 *
 * @param makeSafe - escapes and redacts what goes into a line
 */
export function createRequestLines(makeSafe: Redact, write: (line: string) => void): (fields: RequestFields) => void {
  const kept = new Map<string, string>();
  let version = makeSafe.version();
  const isoTime = createIsoTime();

  const middleOf = ({ surface, status, method, path }: RequestFields): string => {
    const latest = makeSafe.version();
    if (latest !== version) kept.clear();
    version = latest;
    const key = `${surface} ${status} ${method} ${path}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const fields = JSON.stringify({ surface, status, method, path }).slice(1, -1);
    const middle = makeSafe(`",${fields},"durationMs":`);
    if (kept.size >= mostKept) kept.clear();
    if (key.length <= longestKept) kept.set(key, middle);
    return middle;
  };
  return (fields) => {
    const middle = middleOf(fields);
    write(
      `{"level":"info","time":"${isoTime(Date.now())}","requestId":"${fields.requestId}${middle}${fields.durationMs},"msg":"request"}\n`,
    );
  };
}

/** Formats instants as `toISOString` does; all but the milliseconds is made once a second. */
function createIsoTime(): (ms: number) => string {
  let secondMs = Number.NaN;
  let second = '';
  return (ms) => {
    const restMs = ms % 1_000;
    if (ms - restMs !== secondMs) {
      secondMs = ms - restMs;
      second = new Date(secondMs).toISOString().slice(0, -4);
    }
    return `${second}${String(restMs).padStart(3, '0')}Z`;
  };
}
