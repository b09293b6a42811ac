// Loads on stores: who starts and resumes, how often, and beside which bounds.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../packages/engine/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import type { Measured } from '../part.ts';
import { processorMs, reasonOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { median, percentile } from '../statistics.ts';
import { together } from '../together.ts';
import type { Durable, Opened } from './contestants.ts';
import type { Worked } from './durable-process.ts';
import { call, engineInMemory, engineOver, publishParking, resumeOf, startOf } from './engine-over.ts';

/** So many callers start and resume at a time. */
export const callers = 64;

/** One who starts and resumes, and how many in a round: peers that are slow do fewer. */
export interface Entrant {
  readonly count: number;
  readonly make: () => Promise<Durable>;
}

/** Something that is done without Hilo, or without the database. @returns how often a second, with more where it knows that itself */
export interface Bound {
  readonly title: string;
  readonly run: () => number | Promise<number | Rate>;
  /** Its number, when this process does all the work: then its CPU time is known. */
  readonly count?: number;
}

export interface Load {
  /** The first bound is the floor. */
  readonly contestants: readonly Measured[];
  /** Who is missing, and why. */
  readonly missing: readonly string[];
}

/**
 * Warms everybody up, then runs bounds, starts and resumes one after the other in each round: a noisy machine is noisy for each. Gives
 * medians of the rounds, and medians of the ratios within each.
 */
export async function loadsOf(
  database: string,
  bounds: readonly Bound[],
  entrants: readonly Entrant[],
  rounds: number,
  progress: Progress,
): Promise<Load> {
  const missing: string[] = [];
  const rates = new Map<string, Rate[]>();
  const keep = (title: string, rate: Rate): void => void rates.set(title, [...(rates.get(title) ?? []), rate]);
  const racing: { readonly durable: Durable; readonly count: number; opened: Opened | undefined }[] = [];
  try {
    for (const { make, count } of entrants) {
      try {
        const durable = await make();
        racing.push({ durable, count, opened: undefined });
      } catch (error) {
        missing.push(reasonOf(error));
      }
    }
    const eachInTurn = async (round: number, what: string, done: (title: string, rates: Rates) => void): Promise<void> => {
      for (const entrant of racing.slice()) {
        const { durable, count } = entrant;
        progress.say(`${database}, ${what}: ${durable.title}`);
        try {
          entrant.opened ??= await durable.open();
          done(durable.title, await roundOf(entrant.opened, round * count, count));
        } catch (error) {
          missing.push(`${durable.title}: ${reasonOf(error)}`);
          racing.splice(racing.indexOf(entrant), 1);
          await leave(entrant);
        }
      }
    };
    for (let round = 0; round < warmUpRounds; round += 1) await eachInTurn(round, 'warming up', () => undefined);
    for (let round = 0; round < rounds; round += 1) {
      const inRound = `round ${round + 1} of ${rounds}`;
      for (const { title, run, count } of bounds) {
        progress.say(`${database}, ${inRound}: ${title}`);
        const began = process.cpuUsage();
        const done = await run();
        const rate = typeof done === 'number' ? { perSecond: done } : done;
        const { user, system } = process.cpuUsage(began);
        keep(title, count === undefined ? rate : { ...rate, cpuUs: (user + system) / count });
      }
      await eachInTurn(warmUpRounds + round, inRound, (title, [starts, resumes]) => {
        keep(`${title}, starts`, starts);
        keep(`${title}, resumes`, resumes);
      });
    }
  } finally {
    for (const entrant of racing) await leave(entrant);
    progress.clear();
  }
  const floor = rates.get(bounds[0]?.title ?? '') ?? [];
  return { missing, contestants: [...rates].map(([title, own]) => measuredOf(title, own, floor)) };
}

/** Rounds of each entrant before those that count: V8 takes some 25,000 calls to optimise what is hot. */
const warmUpRounds = 3;

export interface Rate {
  readonly perSecond: number;
  readonly p99Ms?: number;
  readonly cpuUs?: number;
  readonly collectionMs?: number;
}

type Rates = readonly [starts: Rate, resumes: Rate];

async function leave({ durable, opened }: { readonly durable: Durable; readonly opened: Opened | undefined }): Promise<void> {
  await opened?.kill();
  await durable.remove();
}

/** Starts, all of which are resumed. In between the first ones are repeated under their keys: the answers must be the same. */
async function roundOf(opened: Opened, first: number, count: number): Promise<Rates> {
  const timed = async (work: () => Promise<Worked>): Promise<Rate & { readonly ids: readonly string[] }> => {
    const beganMs = processorMs(opened.pids);
    const { allMs, latenciesMs, ids, collectionMs } = await work();
    const endedMs = processorMs(opened.pids);
    return {
      ids,
      perSecond: (count * 1_000) / allMs,
      p99Ms: percentile(latenciesMs, 0.99),
      ...(collectionMs !== undefined && { collectionMs }),
      ...(beganMs === undefined || endedMs === undefined ? {} : { cpuUs: ((endedMs - beganMs) * 1_000) / count }),
    };
  };
  const starts = await timed(() => opened.work({ do: 'start', first, count, callers }));
  const again = await opened.work({ do: 'start', first, count: Math.min(count, callers), callers });
  const other = again.ids.find((id, index) => id !== starts.ids[index]);
  if (other !== undefined) throw new Error(`A start was repeated under its key, and made another execution: ${other}`);
  const resumes = await timed(() => opened.work({ do: 'resume', ids: starts.ids, callers }));
  return [starts, resumes];
}

function measuredOf(title: string, rates: readonly Rate[], floor: readonly Rate[]): Measured {
  const middle = (figure: keyof Rate): number => median(rates.map((rate) => rate[figure] ?? Number.NaN));
  const [p99, cpuUs, collectionMs] = [middle('p99Ms'), middle('cpuUs'), middle('collectionMs')];
  return {
    name: title,
    median: middle('perSecond'),
    ratioToFloor: median(rates.map(({ perSecond }, round) => perSecond / (floor[round]?.perSecond ?? Number.NaN))),
    ...(Number.isNaN(p99) ? {} : { p99 }),
    ...(Number.isNaN(cpuUs) ? {} : { cpuUs }),
    ...(Number.isNaN(collectionMs) ? {} : { collectionMs }),
  };
}

/** Starts of the same engine over the in-memory store. @returns how many a second */
export async function startsInMemory(count: number): Promise<number> {
  const engine = engineInMemory();
  await publishParking(engine);
  const beganMs = performance.now();
  await together(count, callers, (index) => call(engine, startOf(index)));
  const elapsedMs = performance.now() - beganMs;
  await engine.stop();
  return (count * 1_000) / elapsedMs;
}

/** The size of an execution without an idempotency key in an SQLite file while it waits, and after its end, with its whole history. */
export async function bytesPerExecution(
  directory: string,
  progress: Progress,
): Promise<{ readonly waiting: number; readonly ended: number }> {
  progress.say('bytes stored');
  const path = join(directory, 'size.db');
  const count = 2_000;
  const sizeOf = async (work: (engine: Engine) => Promise<unknown>): Promise<number> => {
    const store = await openSqliteStore({ path });
    const engine = engineOver(store);
    await work(engine);
    await engine.whenIdle();
    await store.close();
    return statSync(path).size;
  };
  const ids: string[] = [];
  const start = async (engine: Engine, index: number): Promise<void> => {
    ids.push(await call(engine, { body: startOf(index).body }));
  };
  const empty = await sizeOf(publishParking);
  const waiting = await sizeOf((engine) => together(count, callers, (index) => start(engine, index)));
  const ended = await sizeOf((engine) => together(count, callers, (index) => call(engine, { body: resumeOf(ids[index] ?? '').body })));
  return { waiting: (waiting - empty) / count, ended: (ended - empty) / count };
}
