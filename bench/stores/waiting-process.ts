// Opens a store in a process of its own and runs an engine over it: says what that took, and how fast it goes on. Told
// over IPC what to resume.
import { collectGarbage } from '../garbage.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { answerParent } from '../processes.ts';
import { call, engineOver, publishParking, together } from './engine-over.ts';

const [path = ''] = process.argv.slice(2);

/** What the process says when it is up. */
export interface Started {
  readonly startMs: number;
  readonly residentBytes: number;
}

/** What it says after it resumed. */
export interface Resumed {
  readonly allMs: number;
  readonly latenciesMs: readonly number[];
}

/** What it is told to resume, so many at a time. */
export interface Work {
  readonly ids: readonly string[];
  readonly callers: number;
}

const beganMs = performance.now();
const store = await openSqliteStore({ path });
const engine = engineOver(store);
await engine.run();
await engine.nextDueMs();
const startMs = performance.now() - beganMs;
await publishParking(engine);
collectGarbage();
process.send?.({ startMs, residentBytes: process.memoryUsage().rss } satisfies Started);
answerParent(async ({ ids, callers }: Work): Promise<Resumed> => {
  const resumedMs = performance.now();
  const latenciesMs = await together(ids.length, callers, (index) => call(engine, { id: 'B', executionId: ids[index] ?? '' }));
  return { allMs: performance.now() - resumedMs, latenciesMs };
});
