import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Node's own collector on request, without a flag on the command line. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Runs a garbage collection. */
export const collectGarbage = collector();

/** Whether an entry is a collection of V8's old generation. */
const isMajor = (entry: PerformanceEntry): boolean =>
  'detail' in entry &&
  typeof entry.detail === 'object' &&
  entry.detail !== null &&
  'kind' in entry.detail &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/** Watches the collections of V8's old generation in this thread. @returns the longest since it was last asked, in milliseconds */
export function watchCollections(): () => number {
  let longestMs = 0;
  const keep = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries) if (isMajor(entry)) longestMs = Math.max(longestMs, entry.duration);
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    keep(observer.takeRecords());
    const found = longestMs;
    longestMs = 0;
    return found;
  };
}
