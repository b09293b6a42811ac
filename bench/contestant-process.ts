// One contestant in a process of its own, so that none is affected by the compiled code or memory of another. It gets durations over
// IPC; answers what it did.
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { contestants, type ContestantName } from './contestants/index.ts';
import { answerParent } from './processes.ts';
import { threadWork } from './thread-work.ts';
import type { Contestant } from './work.ts';

export interface Round {
  readonly executions: number;
  readonly elapsedMs: number;
  /** What the thread worked of it: other processes on the machine do not count. */
  readonly workedMs: number;
  /** Bytes that V8 allocated, on its heap, for all of them. */
  readonly allocatedBytes: number;
  readonly collections: number;
  /** How long they took, by the clock, as `elapsedMs` is. */
  readonly collectingMs: number;
}

/** Most executions between two readings of the clock; fewer for a slow contestant. */
const largestBatch = 64;
const batchMs = 5;

/** After this many, a fresh contestant takes over, off the clock: an in-memory store keeps everything it has executed. */
const most = 20_000;
const warmUp = { executions: 2_048, ms: 1_000 };

let current: { readonly contestant: Contestant; executed: number } | undefined;
let batch = 1;

let reported: readonly PerformanceEntry[] = [];
const collectionObserver = new PerformanceObserver((list) => {
  reported = [...reported, ...list.getEntries()];
});
collectionObserver.observe({ entryTypes: ['gc'] });

/** The number since the last call. The observer's callback may run only after a round's answer: its pending entries are taken here. */
async function takeCollections(): Promise<Pick<Round, 'collections' | 'collectingMs'>> {
  await setImmediate();
  const all = [...reported, ...collectionObserver.takeRecords()];
  reported = [];
  return { collections: all.length, collectingMs: all.reduce((sum, { duration }) => sum + duration, 0) };
}

async function runBatch(name: ContestantName): Promise<void> {
  current ??= { contestant: await contestants[name](), executed: 0 };
  const running = current.contestant.run(current.executed, batch);
  if (running !== undefined) await running;
  current.executed += batch;
}

async function warm(name: ContestantName): Promise<void> {
  current = undefined;
  batch = 1;
  const beganMs = performance.now();
  for (let executed = 0; executed < warmUp.executions && performance.now() - beganMs < warmUp.ms; executed += batch) {
    const batchBeganMs = performance.now();
    await runBatch(name);
    if (performance.now() - batchBeganMs < batchMs) batch = Math.min(largestBatch, batch * 2);
  }
}

async function runFor(name: ContestantName, durationMs: number): Promise<Round> {
  if (current === undefined || current.executed >= most) await warm(name);
  await takeCollections(); // those of before
  const allocatedBefore = getHeapStatistics().total_allocated_bytes;
  const beganMs = performance.now();
  const workedMs = threadWork();
  for (let executions = batch; ; executions += batch) {
    await runBatch(name);
    const elapsedMs = performance.now() - beganMs;
    if (elapsedMs < durationMs) continue;
    const round = {
      executions,
      elapsedMs,
      workedMs: workedMs(),
      allocatedBytes: getHeapStatistics().total_allocated_bytes - allocatedBefore,
    };
    return { ...round, ...(await takeCollections()) };
  }
}

const name = process.argv[2] as ContestantName;
answerParent((durationMs: number) => runFor(name, durationMs));
