// The part of the results about stores: starts and resumes beside raw rows and peers, then all of them killed.
import { join } from 'node:path';
import { diskSentence } from '../disk.ts';
import { inDirectory } from '../in-directory.ts';
import { atLeast, atMost, figure, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { dbos, hiloOnPostgres, hiloOnSqlite, openWorkflowOnPostgres, openWorkflowOnSqlite, restate } from './contestants.ts';
import { rawPostgres, rawSqlite, sqliteByHand, sqliteLean } from './floor.ts';
import { resumedAfterKill } from './killed.ts';
import { callers, loadsOf, startsInMemory } from './loads.ts';
import { pinned } from './pinned.ts';
import { rowTexts } from './rows.ts';

/** Durable starts and resumes next to raw rows and to peers that keep as much; then all of them killed. */
export async function durable(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [
    await rowTexts(quick, progress),
    await onSqlite(quick, progress),
    await onPostgres(quick, progress),
    await pinned(quick, progress),
    await killed(quick ? 250 : 1_000, progress),
  ];
}

const byHand = 'by hand: the same bytes, as many indexes';
const lean = 'by hand: the same bytes, in the leanest rows';
const inMemory = 'the same engine in memory, starts';

const onSqlite = (quick: boolean, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const [count, ofPeers, rounds] = quick ? [2_048, 128, 2] : [8_192, 1_024, 5];
    const { contestants, missing } = await loadsOf(
      'SQLite',
      [
        { title: 'floor: rows of 1 kB in batches of 64', count, run: () => rawSqlite(directory, count) },
        { title: byHand, count, run: () => sqliteByHand(directory, count) },
        { title: lean, count, run: () => sqliteLean(directory, count) },
        { title: inMemory, count, run: () => startsInMemory(count) },
      ],
      [
        { count, make: () => Promise.resolve(hiloOnSqlite(join(directory, 'hilo.db'))) },
        { count: ofPeers, make: () => Promise.resolve(openWorkflowOnSqlite(join(directory, 'openworkflow.db'))) },
        { count: ofPeers, make: () => restate(join(directory, 'restate')) },
        { count: ofPeers, make: dbos },
      ],
      rounds,
      progress,
    );
    const named = (title: string) => contestants.find(({ name }) => name === title);
    const [starts, resumes] = [named('Hilo, starts'), named('Hilo, resumes')];
    const bound = `the same bytes written by hand reach ${figure(named(byHand)?.ratioToFloor)} of the floor, in the leanest rows ${figure(named(lean)?.ratioToFloor)}, the same engine without a database ${figure(named(inMemory)?.ratioToFloor)}; a start takes ${figure(starts?.cpuUs)} µs of the processors, a resume ${figure(resumes?.cpuUs)}`;
    const disk = `${await diskSentence()}, and a caller waits for the group before its own and for its own`;
    const waits = (of: Measured | undefined): string =>
      `a collection of V8's old generation stops the process for ${figure(of?.collectionMs)} ms, and its markers have processors before that which the writer needs; without one, p99 is that of the disk: ${disk}`;
    return {
      name: `W3: durable on SQLite, ${callers} callers`,
      unit: 'a second',
      contestants,
      aims: [
        atLeast('starts, times raw rows in batches of 64', starts?.ratioToFloor ?? Number.NaN, 0.28, bound),
        atLeast('resumes, times raw rows in batches of 64', resumes?.ratioToFloor ?? Number.NaN, 0.28, bound),
        atMost('p99 of a start, ms', starts?.p99 ?? Number.NaN, 10, waits(starts)),
        atMost('p99 of a resume, ms', resumes?.p99 ?? Number.NaN, 10, waits(resumes)),
      ],
      notes: [
        'DBOS keeps its workflows in PostgreSQL, Restate in its own log. Each start and each resume has an idempotency key.',
        ...missing,
      ],
    };
  });

async function onPostgres(quick: boolean, progress: Progress): Promise<Part> {
  const [count, ofPeers, rounds] = quick ? [512, 128, 2] : [4_096, 1_024, 5];
  let url = '';
  const make = async () => {
    const hilo = await hiloOnPostgres();
    ({ url } = hilo);
    return hilo;
  };
  const floor = { title: 'floor: rows of 1 kB in batches of 64', run: () => rawPostgres(url, count) };
  const entrants = [
    { count, make },
    { count: ofPeers, make: () => openWorkflowOnPostgres(url) },
  ];
  const { contestants, missing } = await loadsOf('PostgreSQL', [floor], entrants, rounds, progress);
  const named = (name: string) => contestants.find((one) => one.name === name);
  const [starts, resumes] = [named('Hilo, starts'), named('Hilo, resumes')];
  const bound = `a start takes ${figure(starts?.cpuUs)} µs of the processors, a resume ${figure(resumes?.cpuUs)}, the server included`;
  return {
    name: `W3: durable on PostgreSQL, ${callers} callers`,
    unit: 'a second',
    contestants,
    aims: [
      atLeast('starts a second', starts?.median ?? Number.NaN, 4_000, bound),
      atLeast('resumes a second', resumes?.median ?? Number.NaN, 3_000, bound),
      atMost('p99 of a start, ms', starts?.p99 ?? Number.NaN, 40, bound),
      atMost('p99 of a resume, ms', resumes?.p99 ?? Number.NaN, 40, bound),
    ],
    notes: missing,
  };
}

const killed = (count: number, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const makers = [
      () => hiloOnSqlite(join(directory, 'hilo.db')),
      () => openWorkflowOnSqlite(join(directory, 'openworkflow.db')),
      () => restate(join(directory, 'restate')),
      dbos,
    ];
    const { contestants, missing, startMs } = await resumedAfterKill(makers, count, progress);
    const own = contestants.find(({ name }) => name === 'Hilo');
    const bound = `the store is open after ${figure(startMs)} ms; each of the first resumes of a process takes ${figure(own?.cpuUs)} µs of the processors, until V8 has compiled what is hot`;
    return {
      name: `W3: killed with ${count.toLocaleString('en')} paused`,
      unit: 'ms from its start to the last resume',
      contestants,
      aims: [atMost(`${count.toLocaleString('en')} paused, all resumed after a kill, ms`, own?.median ?? Number.NaN, 300, bound)],
      notes: missing,
    };
  });
