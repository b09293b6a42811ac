// An engine on a store in a process of its own: `hilo-process.ts sqlite PATH`, `hilo-process.ts postgres URL`, or
// `hilo-process.ts postgres URL PORT` beside others, which forward to that port what is for its lanes.
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { collectGarbage, watchCollections } from '../garbage.ts';
import { answerParent } from '../processes.ts';
import { together } from '../together.ts';
import type { Started, Work, Worked } from './durable-process.ts';
import { createExchange } from './exchange.ts';
import { call, engineOver, untilAll, publishParking, resumeOf, startOf } from './engine-over.ts';

const [kind, place = '', port] = process.argv.slice(2);

const beganMs = performance.now();
const store = kind === 'postgres' ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place });
const exchange = port === undefined ? undefined : createExchange(Number(port));
const engine = engineOver(store, undefined, exchange?.reach);
await exchange?.listen(engine, store.executions);
await engine.start();
await engine.nextDueMs();
const startMs = performance.now() - beganMs;
await publishParking(engine);
collectGarbage();
process.send?.({ startMs, residentBytes: process.memoryUsage().rss } satisfies Started);
const longestCollectionMs = watchCollections();
answerParent(async (work: Work): Promise<Worked> => {
  const before = exchange?.forwarded() ?? 0;
  longestCollectionMs();
  const worked = await (work.do === 'start' ? start(work) : resume(work));
  return { ...worked, forwarded: (exchange?.forwarded() ?? 0) - before, collectionMs: longestCollectionMs() };
});

async function start({ first, count, callers }: Work & { readonly do: 'start' }): Promise<Worked> {
  const ids: string[] = [];
  const workMs = performance.now();
  const latenciesMs = await together(count, callers, async (index) => {
    ids[index] = await call(engine, startOf(first + index));
  });
  const allMs = performance.now() - workMs;
  await engine.whenIdle();
  await untilAll(engine, ids.slice(-100), 'waiting');
  return { allMs, latenciesMs, ids };
}

async function resume({ ids, callers }: Work & { readonly do: 'resume' }): Promise<Worked> {
  const workMs = performance.now();
  const latenciesMs = await together(ids.length, callers, (index) => call(engine, resumeOf(ids[index] ?? '')));
  await engine.whenIdle();
  const allMs = performance.now() - workMs;
  await untilAll(engine, ids.slice(-100), 'completed');
  return { allMs, latenciesMs, ids: [] };
}
