import { atLeast, atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { callers, type Load, postgresLoad, sqliteLoad } from './loads.ts';
import { waitingCost } from './waiting.ts';

/** Durable starts and resumes on both stores, next to the databases without Hilo; then what a great many waiting executions cost. */
export async function durable(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const sqlite = await sqliteLoad(quick ? 2_048 : 8_192, progress);
  const postgres = await postgresLoad(quick ? 1_024 : 4_096, progress);
  return [
    loadPart('SQLite', sqlite, [
      atLeast('starts, times raw rows in batches of 64', sqlite.starts / sqlite.floor, 0.28),
      atLeast('resumes, times raw rows in batches of 64', sqlite.resumes / sqlite.floor, 0.28),
      atMost('p99 of a start, ms', sqlite.startP99Ms, 10),
      atMost('p99 of a resume, ms', sqlite.resumeP99Ms, 10),
      atMost('stored for an execution that waits, kB', sqlite.bytesPerWaiting / 1e3, 1.5),
      atMost('stored for one that was resumed and has ended, kB', sqlite.bytesPerEnded / 1e3, 3),
    ]),
    loadPart('PostgreSQL', postgres, []),
    await scale(quick, progress),
  ];
}

const loadPart = (database: string, load: Load, aims: Part['aims']): Part => ({
  name: `W3: durable on ${database}, ${callers} callers`,
  unit: 'a second',
  contestants: [
    { name: 'floor: rows of 1 kB in batches of 64', median: load.floor, ratioToFloor: 1 },
    { name: 'Hilo, starts', median: load.starts, p99: load.startP99Ms, ratioToFloor: load.starts / load.floor },
    { name: 'Hilo, resumes', median: load.resumes, p99: load.resumeP99Ms, ratioToFloor: load.resumes / load.floor },
    ...(load.byHand === 0
      ? []
      : [{ name: 'the same bytes, found in the same ways, by hand', median: load.byHand, ratioToFloor: load.byHand / load.floor }]),
    ...(load.inMemory === 0
      ? []
      : [{ name: 'the same engine over the in-memory store', median: load.inMemory, ratioToFloor: load.inMemory / load.floor }]),
  ],
  aims,
});

async function scale(quick: boolean, progress: Progress): Promise<Part> {
  const waiting = await waitingCost(quick ? 100_000 : 1_000_000, progress);
  const many = waiting.count.toLocaleString('en');
  return {
    name: `Scale: ${many} waiting executions in SQLite`,
    unit: 'ms',
    contestants: [
      { name: 'start-up with none', median: waiting.startMsEmpty },
      { name: `start-up with ${many}`, median: waiting.startMs },
      { name: 'a resume with 1,000 waiting, p50', median: waiting.resumeP50MsFew },
      { name: `a resume with ${many} waiting, p50`, median: waiting.resumeP50Ms },
      { name: '1,000 paused, all resumed after a kill, start-up included', median: waiting.thousandMs },
    ],
    aims: [
      atMost(`resident memory that ${many} add, MB`, waiting.extraBytes / 1e6, 64),
      atMost('start-up, ms', waiting.startMs, 3_000),
      atMost('a resume, times one with 1,000 waiting', waiting.resumeP50Ms / waiting.resumeP50MsFew, 1.5),
      atMost('1,000 paused, all resumed after a kill, ms', waiting.thousandMs, 300),
    ],
  };
}
