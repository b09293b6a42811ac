// Stores at scale: executions that wait, timers that are due at once, migrations and replays.
import { diskSentence } from '../disk.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, figure, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { bytesPerExecution } from './loads.ts';
import { migrations } from './migrations.ts';
import { replays } from './replays.ts';
import { dueAtOnce, type TimersIn } from './timers.ts';
import { waitingCost } from './waiting.ts';

/** A great many executions that wait, timers that are due at once, migrations, and replays. */
export async function scale(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [
    await waiting(quick ? 10_000 : 1_000_000, progress),
    await timers(quick ? 5_000 : 100_000, 'sqlite', progress),
    await timers(quick ? 5_000 : 100_000, 'postgres', progress),
    await migrations(quick ? 10_000 : 1_000_000, quick ? 1_000 : 100_000, progress),
    await replays(1_000, progress),
  ];
}

async function waiting(asked: number, progress: Progress): Promise<Part> {
  const stored = await inDirectory((directory) => bytesPerExecution(directory, progress));
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
      atMost('stored for an execution that waits, kB', stored.waiting / 1e3, 1.5),
      atMost('stored for one that was resumed and has ended, kB', stored.ended / 1e3, 3),
    ],
    notes: [`With an idempotency key each, they take ${(bytes / 1e3).toFixed(2)} kB of the file each.`],
  };
}

async function timers(count: number, where: TimersIn, progress: Progress): Promise<Part> {
  const overdue = await dueAtOnce(count, where, true, progress);
  const { allMs, workedMs, early, p99Ms, secondMs, longestTurnMs } = await dueAtOnce(count, where, false, progress);
  const workedUs = (workedMs * 1_000) / count;
  const bound = `each takes ${figure(workedUs)} µs of the process, and ${figure((allMs * 1_000) / count)} µs pass; before the instant, turns had a p99 of ${figure(p99Ms.before)} ms; ${await diskSentence()}`;
  const so = count.toLocaleString('en');
  const others = Math.max(p99Ms.other, overdue.p99Ms.other);
  return {
    name: `Scale: ${so} timers of a company due at once, on ${where === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    unit: 'ms',
    contestants: [
      { name: 'all of them fired', median: allMs },
      { name: 'p99 of turns of users, before', median: p99Ms.before },
      { name: 'p99 of turns of users of that company, meanwhile', median: p99Ms.own },
      { name: 'p99 of turns of users of another company, meanwhile', median: p99Ms.other },
      { name: 'the latest timer of another company, meanwhile', median: secondMs },
      { name: 'the longest turn of the event loop, meanwhile', median: longestTurnMs },
      { name: 'all of them fired by a process that begins when they are overdue', median: overdue.allMs },
      { name: 'p99 of turns of users of that company, in that process', median: overdue.p99Ms.own },
      { name: 'p99 of turns of users of another company, in that process', median: overdue.p99Ms.other },
      { name: 'the latest timer of another company, in that process', median: overdue.secondMs },
      { name: 'the longest turn of the event loop, in that process', median: overdue.longestTurnMs },
    ],
    aims: [
      atMost(`${so} timers fired, s`, allMs / 1_000, count / 10_000, bound),
      atMost('p99 of turns of users of another company meanwhile, ms', others, 50, bound),
      atMost('the latest timer of another company, ms', Math.max(secondMs, overdue.secondMs), 250, bound),
      atMost('timers fired before their instant', early, 0),
    ],
  };
}
