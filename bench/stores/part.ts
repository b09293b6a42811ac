import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { atLeast, atMost, figure, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { dbos, hiloOnPostgres, hiloOnSqlite, restate } from './contestants.ts';
import { rawPostgres, rawSqlite, sqliteByHand } from './floor.ts';
import { resumedAfterKill } from './killed.ts';
import { bytesPerExecution, callers, loadsOf, startsInMemory } from './loads.ts';
import { dueAtOnce } from './timers.ts';
import { waitingCost } from './waiting.ts';

/** Durable starts and resumes next to raw rows and to peers that keep as much; then kills, a great many waiting executions, and timers. */
export async function durable(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [
    await onSqlite(quick, progress),
    await onPostgres(quick, progress),
    await killed(quick ? 250 : 1_000, progress),
    await waiting(quick ? 10_000 : 1_000_000, progress),
    await timers(quick ? 5_000 : 100_000, progress),
  ];
}

const byHand = 'by hand: the same bytes, as many indexes';
const inMemory = 'the same engine in memory, starts';

const onSqlite = (quick: boolean, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const [count, ofPeers, rounds] = quick ? [2_048, 128, 2] : [8_192, 1_024, 5];
    const { contestants, missing } = await loadsOf(
      'SQLite',
      [
        { title: 'floor: rows of 1 kB in batches of 64', run: () => rawSqlite(directory, count) },
        { title: byHand, run: () => sqliteByHand(directory, count) },
        { title: inMemory, run: () => startsInMemory(count) },
      ],
      [
        { count, make: () => Promise.resolve(hiloOnSqlite(join(directory, 'hilo.db'))) },
        { count: ofPeers, make: () => restate(join(directory, 'restate')) },
        { count: ofPeers, make: dbos },
      ],
      rounds,
      progress,
    );
    const bytes = await bytesPerExecution(directory, progress);
    const named = (title: string) => contestants.find(({ name }) => name === title);
    const [starts, resumes] = [named('Hilo, starts'), named('Hilo, resumes')];
    const bound = `the same bytes written by hand reach ${figure(named(byHand)?.ratioToFloor)} of the floor, the same engine without a database ${figure(named(inMemory)?.ratioToFloor)}; a start takes ${figure(starts?.cpuUs)} µs of the processors, a resume ${figure(resumes?.cpuUs)}`;
    return {
      name: `W3: durable on SQLite, ${callers} callers`,
      unit: 'a second',
      contestants,
      aims: [
        atLeast('starts, times raw rows in batches of 64', starts?.ratioToFloor ?? Number.NaN, 0.28, bound),
        atLeast('resumes, times raw rows in batches of 64', resumes?.ratioToFloor ?? Number.NaN, 0.28, bound),
        atMost('p99 of a start, ms', starts?.p99 ?? Number.NaN, 10, bound),
        atMost('p99 of a resume, ms', resumes?.p99 ?? Number.NaN, 10, bound),
        atMost('stored for an execution that waits, kB', bytes.waiting / 1e3, 1.5),
        atMost('stored for one that was resumed and has ended, kB', bytes.ended / 1e3, 3),
      ],
      notes: [
        'DBOS keeps its workflows in PostgreSQL, Restate in its own log. Each start and each resume has an idempotency key.',
        ...missing,
      ],
    };
  });

async function onPostgres(quick: boolean, progress: Progress): Promise<Part> {
  const [count, rounds] = quick ? [512, 2] : [4_096, 5];
  let url = '';
  const make = async () => {
    const hilo = await hiloOnPostgres();
    ({ url } = hilo);
    return hilo;
  };
  const floor = { title: 'floor: rows of 1 kB in batches of 64', run: () => rawPostgres(url, count) };
  const { contestants, missing } = await loadsOf('PostgreSQL', [floor], [{ count, make }], rounds, progress);
  return { name: `W3: durable on PostgreSQL, ${callers} callers`, unit: 'a second', contestants, aims: [], notes: missing };
}

const killed = (count: number, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const makers = [() => hiloOnSqlite(join(directory, 'hilo.db')), () => restate(join(directory, 'restate')), dbos];
    const { contestants, missing } = await resumedAfterKill(makers, count, progress);
    const own = contestants.find(({ name }) => name === 'Hilo')?.median ?? Number.NaN;
    return {
      name: `W3: killed with ${count.toLocaleString('en')} paused`,
      unit: 'ms from its start to the last resume',
      contestants,
      aims: [atMost(`${count.toLocaleString('en')} paused, all resumed after a kill, ms`, own, 300)],
      notes: missing,
    };
  });

async function waiting(asked: number, progress: Progress): Promise<Part> {
  const { count, startMs, startMsEmpty, extraBytes, bytes, few, many, timesFew } = await waitingCost(asked, progress);
  const so = count.toLocaleString('en');
  return {
    name: `Scale: ${so} waiting executions in SQLite`,
    unit: 'ms',
    contestants: [
      { name: 'start-up with none', median: startMsEmpty },
      { name: `start-up with ${so}`, median: startMs },
      { name: 'a resume with 1,000 waiting', median: few.p50Ms, p99: few.p99Ms },
      { name: `a resume with ${so} waiting`, median: many.p50Ms, p99: many.p99Ms },
    ],
    aims: [
      atMost(`resident memory that ${so} add, MB`, extraBytes / 1e6, 64),
      atMost('start-up, ms', startMs, 3_000),
      atMost('a resume, times one with 1,000 waiting', timesFew, 1.5),
      atMost('p99 of a resume, times that with 1,000 waiting', many.p99Ms / few.p99Ms, 1.5),
    ],
    notes: [`With an idempotency key each, they take ${(bytes / 1e3).toFixed(2)} kB of the file each.`],
  };
}

async function timers(count: number, progress: Progress): Promise<Part> {
  const { allMs, workedMs, early, otherP99Ms } = await dueAtOnce(count, progress);
  const bound = `each takes ${figure((workedMs * 1_000) / count)} µs of the processors; before the instant, other work had a p99 of ${figure(otherP99Ms.before)} ms`;
  const so = count.toLocaleString('en');
  return {
    name: `Scale: ${so} timers due at once`,
    unit: 'ms',
    contestants: [
      { name: 'all of them fired', median: allMs },
      { name: 'p99 of 200 starts a second, before', median: otherP99Ms.before },
      { name: 'p99 of 200 starts a second, meanwhile', median: otherP99Ms.meanwhile },
    ],
    aims: [
      atMost(`${so} timers fired, s`, allMs / 1_000, count / 10_000, bound),
      atMost('p99 of other work meanwhile, ms', otherP99Ms.meanwhile, 50, bound),
      atMost('timers fired before their instant', early, 0),
    ],
  };
}
