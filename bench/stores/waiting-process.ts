// Opens a store in a process of its own and runs an engine over it: says what that took, and how fast it goes on. Told what
// to resume over IPC, one id after the other.
import { collectGarbage } from '../garbage.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
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

const beganMs = performance.now();
const store = await openSqliteStore({ path });
const engine = engineOver(store);
await engine.run();
await engine.nextDueMs();
const startMs = performance.now() - beganMs;
await publishParking(engine);
collectGarbage();
process.send?.({ startMs, residentBytes: process.memoryUsage().rss } satisfies Started);
process.on('message', ({ ids, callers }: { readonly ids: readonly string[]; readonly callers: number }) => {
  const resumedMs = performance.now();
  together(ids.length, callers, (index) => call(engine, { id: 'B', executionId: ids[index] ?? '' })).then(
    (latenciesMs) => process.send?.({ allMs: performance.now() - resumedMs, latenciesMs } satisfies Resumed),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
