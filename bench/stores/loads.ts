import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { openPostgresStore, openSqliteStore } from '../../packages/stores/src/index.ts';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { inDirectory } from '../in-directory.ts';
import type { Progress } from '../progress.ts';
import { percentile } from '../statistics.ts';
import { call, engineInMemory, engineOver, publishParking, together } from './engine-over.ts';
import { rawPostgres, rawSqlite, sqliteByHand } from './floor.ts';

/** One database under load, next to the same database without Hilo. All rates are per second. */
export interface Load extends Without {
  readonly database: string;
  readonly starts: number;
  readonly resumes: number;
  readonly startP99Ms: number;
  readonly resumeP99Ms: number;
}

/** What the database does without Hilo, and Hilo without the database, a second. */
interface Without {
  /** One row each. */
  readonly floor: number;
  /** What Hilo keeps of a start, written by hand; 0 where it is not measured. */
  readonly byHand: number;
  /** Starts that are kept in memory; 0 where they are not measured. */
  readonly inMemory: number;
}

export const callers = 64;

/** Rounds of floor, starts and resumes, one after the other: the machine is as noisy for each. The best round counts. */
const rounds = 3;

export const sqliteLoad = (
  count: number,
  progress: Progress,
): Promise<Load & { readonly bytesPerWaiting: number; readonly bytesPerEnded: number }> =>
  inDirectory(async (directory) => {
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const measured = await load('SQLite', store, count, () => withoutSqlite(directory, count), progress);
    await store.close();
    return { ...measured, ...(await bytesPerExecution(directory)) };
  });

export async function postgresLoad(count: number, progress: Progress): Promise<Load> {
  const server = await startPostgres();
  try {
    const store = await openPostgresStore({ url: server.url });
    const measured = await load('PostgreSQL', store, count, () => withoutPostgres(server.url, count), progress);
    await store.close();
    return measured;
  } finally {
    await server.remove();
  }
}

async function withoutSqlite(directory: string, count: number): Promise<Without> {
  const engine = engineInMemory();
  await publishParking(engine);
  const { perSecond } = await timed(count, (index) => call(engine, { id: `A-${index}`, user: `51999${100_000 + index}` }));
  await engine.stop();
  return { floor: rawSqlite(directory, count), byHand: sqliteByHand(directory, count), inMemory: perSecond };
}

const withoutPostgres = async (url: string, count: number): Promise<Without> => ({
  floor: await rawPostgres(url, count),
  byHand: 0,
  inMemory: 0,
});

async function load(
  database: string,
  store: DurableStore,
  count: number,
  measureWithout: () => Promise<Without>,
  progress: Progress,
): Promise<Load> {
  const engine = engineOver(store);
  await publishParking(engine);
  await engine.run();
  const best = {
    floor: 0,
    byHand: 0,
    inMemory: 0,
    starts: 0,
    resumes: 0,
    startP99Ms: Number.POSITIVE_INFINITY,
    resumeP99Ms: Number.POSITIVE_INFINITY,
  };
  for (let round = 0; round < rounds; round += 1) {
    progress.say(`${database}: round ${round + 1} of ${rounds}`);
    const without = await measureWithout();
    best.floor = Math.max(best.floor, without.floor);
    best.byHand = Math.max(best.byHand, without.byHand);
    best.inMemory = Math.max(best.inMemory, without.inMemory);
    const ids: string[] = [];
    const starts = await timed(
      count,
      async (index) => void ids.push(await call(engine, { id: `A-${index}`, user: `51999${round}${100_000 + index}` })),
    );
    const resumes = await timed(count, (index) => call(engine, { id: 'B', executionId: ids[index] ?? '' }));
    best.starts = Math.max(best.starts, starts.perSecond);
    best.resumes = Math.max(best.resumes, resumes.perSecond);
    best.startP99Ms = Math.min(best.startP99Ms, starts.p99Ms);
    best.resumeP99Ms = Math.min(best.resumeP99Ms, resumes.p99Ms);
  }
  await engine.whenIdle();
  await engine.stop();
  progress.clear();
  return { database, ...best };
}

async function timed(
  count: number,
  one: (index: number) => Promise<unknown>,
): Promise<{ readonly perSecond: number; readonly p99Ms: number }> {
  const beganMs = performance.now();
  const latencies = await together(count, callers, one);
  return { perSecond: count / ((performance.now() - beganMs) / 1000), p99Ms: percentile(latencies, 0.99) };
}

/** What a waiting execution takes of the file, and what it takes when it has ended, all its history kept. */
async function bytesPerExecution(directory: string): Promise<{ readonly bytesPerWaiting: number; readonly bytesPerEnded: number }> {
  const path = join(directory, 'size.db');
  const count = 2_000;
  const sizeOf = async (work: (engine: ReturnType<typeof engineOver>) => Promise<void>): Promise<number> => {
    const store = await openSqliteStore({ path });
    const engine = engineOver(store);
    await work(engine);
    await engine.whenIdle();
    await store.close();
    return statSync(path).size;
  };
  const ids: string[] = [];
  const empty = await sizeOf(publishParking);
  const waiting = await sizeOf(async (engine) => {
    await together(
      count,
      callers,
      async (index) => void ids.push(await call(engine, { id: `A-${index}`, user: `51999${100_000 + index}` })),
    );
  });
  const ended = await sizeOf(
    async (engine) => void (await together(count, callers, (index) => call(engine, { id: 'B', executionId: ids[index] ?? '' }))),
  );
  return { bytesPerWaiting: (waiting - empty) / count, bytesPerEnded: (ended - empty) / count };
}
