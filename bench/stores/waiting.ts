import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import type { Progress } from '../progress.ts';
import { median, percentile } from '../statistics.ts';
import { hiloOnSqlite, type Opened } from './contestants.ts';

/** What many waiting executions cost a process, next to a few and to none. */
export interface Waiting {
  readonly count: number;
  readonly startMs: number;
  readonly startMsEmpty: number;
  /** Beyond the resident memory of a process over an empty store. */
  readonly extraBytes: number;
  /** Bytes of the file, for each that waits. */
  readonly bytes: number;
  readonly few: Resumes;
  readonly many: Resumes;
  /** How many times as long a resume takes among many: the median over alternating batches. */
  readonly timesFew: number;
}

interface Resumes {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const few = 1_000;

/** Resumes that are timed in each store, in batches that alternate. */
const batches = 20;
const ofBatch = 20;

/** Each of them is started normally, by a request with its own key. */
export const waitingCost = (count: number, progress: Progress): Promise<Waiting> =>
  inDirectory(async (directory) => {
    const [emptyPath, fewPath, manyPath] = ['empty.db', 'few.db', 'many.db'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    const fewIds = await park(fewPath, few, progress);
    const manyIds = await park(manyPath, count, progress);
    const bytes = statSync(manyPath).size / count;
    progress.say('processes over the stores');
    const empty = await hiloOnSqlite(emptyPath).open();
    await empty.kill();
    const [overFew, overMany] = [await hiloOnSqlite(fewPath).open(), await hiloOnSqlite(manyPath).open()];
    const latencies: { few: number[]; many: number[]; ratios: number[] } = { few: [], many: [], ratios: [] };
    try {
      for (let batch = 0; batch < batches; batch += 1) {
        const resume = async (opened: Opened, ids: readonly string[]): Promise<readonly number[]> => {
          const own = ids.slice(batch * ofBatch, (batch + 1) * ofBatch);
          return (await opened.work({ do: 'resume', ids: own, callers: 1 })).latenciesMs;
        };
        const [among, ofMany] = [await resume(overFew, fewIds), await resume(overMany, manyIds)];
        latencies.few.push(...among);
        latencies.many.push(...ofMany);
        latencies.ratios.push(median(ofMany) / median(among));
      }
    } finally {
      await overFew.kill();
      await overMany.kill();
      progress.clear();
    }
    const resumes = (own: readonly number[]): Resumes => ({ p50Ms: percentile(own, 0.5), p99Ms: percentile(own, 0.99) });
    return {
      count,
      bytes,
      startMs: overMany.startMs,
      startMsEmpty: empty.startMs,
      extraBytes: overMany.residentBytes - empty.residentBytes,
      few: resumes(latencies.few),
      many: resumes(latencies.many),
      timesFew: median(latencies.ratios),
    };
  });

/** Starts executions in a process of their own, which is killed when they wait. @returns the ids of the last of them */
async function park(path: string, count: number, progress: Progress): Promise<readonly string[]> {
  const opened = await hiloOnSqlite(path).open();
  try {
    let last: readonly string[] = [];
    for (let first = 0; first < count; first += 10_000) {
      progress.say(`${first} of ${count} executions wait`);
      const { ids: started } = await opened.work({ do: 'start', first, count: Math.min(10_000, count - first), callers: 64 });
      last = started.slice(-few);
    }
    return last;
  } finally {
    await opened.kill();
  }
}
