// Timers that are all due at one instant. On `fill`, starts executions under a clock that stands still, so that all of them wait for the
// same instant, and some of another company that are due after it, one by one; on `fire`, runs an engine whose clock reaches that instant a
// while later, while both companies go on; on `restart`, one that begins after it, when all are overdue. `timers-process.ts sqlite PATH`, or
// `timers-process.ts postgres URL`.
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { realClock } from '../machine-sources.ts';
import { answerParent } from '../processes.ts';
import { percentile } from '../statistics.ts';
import { threadWork } from '../thread-work.ts';
import { together } from '../together.ts';
import { call, engineOver, napMs, publishNapping, publishParking, second, startOf } from './engine-over.ts';

const [kind = '', place = ''] = process.argv.slice(2);
const openStore = () => (kind === 'postgres' ? openPostgresStore({ url: place }) : openSqliteStore({ path: place }));

/** The instant at which all executions started. */
const startedAtMs = Date.UTC(2026, 0, 1);
const dueAtMs = startedAtMs + napMs;

/** What to do, and with how many timers. */
export interface TimersWork {
  readonly do: 'fill' | 'fire' | 'restart';
  readonly count: number;
}

/** The result of firing. */
export interface Fired {
  /** From the instant at which all were due to the end of the last execution. */
  readonly allMs: number;
  /** What all threads of the process had of the processors meanwhile. */
  readonly workedMs: number;
  /** Fired before their instant. */
  readonly early: number;
  /** Turns of users: before the instant; and while the timers fired, of their company and of another. */
  readonly p99Ms: { readonly before: number; readonly own: number; readonly other: number };
  /** How long the thread worked at most between two ticks, a millisecond apart where nothing keeps them: other processes do not count. */
  readonly longestTurnMs: number;
  /** How late the timers of the other company fired, the worst of them. */
  readonly secondMs: number;
}

/** The timers of the other company: how many, and how long after another each is due. */
const seconds = 20;
const secondEveryMs = 25;

answerParent((work: TimersWork): Promise<object> => (work.do === 'fill' ? fill(work.count) : fire(work)));

async function fill(count: number): Promise<object> {
  const store = await openStore();
  let nowMs = startedAtMs;
  const engine = engineOver(store, { ...realClock, now: () => nowMs });
  await publishNapping(engine);
  await publishParking(engine);
  await together(count, 64, (index) => call(engine, { ...startOf(index), workflowId: 'napping' }));
  await publishNapping(engine, second);
  await publishParking(engine, second);
  for (let index = 0; index < seconds; index += 1) {
    nowMs += secondEveryMs;
    await call(engine, { ...startOf(count + index), workflowId: 'napping', ofCompany: second });
  }
  await engine.whenIdle();
  await engine.stop();
  await store.close();
  return {};
}

/** Starts at a fixed rate, of the two companies in turn, however long earlier ones take: their latency counts from their planned start. */
const everyMs = 5;
const beforeMs = 3_000;

async function fire({ do: what, count }: TimersWork): Promise<Fired> {
  const begunAtMs = what === 'fire' ? dueAtMs - beforeMs : dueAtMs + 2 * seconds * secondEveryMs;
  const shiftMs = begunAtMs - Date.now();
  const now = (): number => Date.now() + shiftMs;
  const store = await openStore();
  const engine = engineOver(store, { ...realClock, now });
  let fired = 0;
  let early = 0;
  let secondsFired = 0;
  let secondMs = 0;
  let endedAtMs = 0;
  const allFired = new Promise<void>((resolve) => {
    engine.on('execution.ended', ({ companyId }) => {
      if (companyId === second) {
        const dueMs = dueAtMs + (secondsFired += 1) * secondEveryMs;
        secondMs = Math.max(secondMs, now() - Math.max(dueMs, begunAtMs));
        return;
      }
      fired += 1;
      if (now() < dueAtMs) early += 1;
      if (fired < count) return;
      endedAtMs = now();
      resolve();
    });
  });
  const latencies = { before: [] as number[], own: [] as number[], other: [] as number[] };
  let longestTurnMs = 0;
  let isOver = false;
  const others = async (): Promise<void> => {
    const pending: Promise<void>[] = [];
    for (let atMs = now(), number = count + seconds; !isOver; atMs += everyMs, number += 1) {
      if (atMs > now()) await wait(atMs - now());
      const scheduledMs = atMs;
      const isOther = number % 2 === 0;
      pending.push(
        call(engine, { ...startOf(number), ...(isOther && { ofCompany: second }) }).then(() => {
          latencies[scheduledMs < dueAtMs ? 'before' : isOther ? 'other' : 'own'].push(now() - scheduledMs);
        }),
      );
    }
    await Promise.all(pending);
  };
  await engine.start();
  let worked = threadWork();
  const ticking = setInterval(() => {
    if (now() >= dueAtMs) longestTurnMs = Math.max(longestTurnMs, worked());
    worked = threadWork();
  }, 1);
  const began = process.cpuUsage();
  const working = others();
  await Promise.race([allFired, wait(300_000, undefined, { ref: false })]);
  const { user, system } = process.cpuUsage(began);
  isOver = true;
  clearInterval(ticking);
  await working;
  await engine.stop();
  await store.close();
  if (fired < count) throw new Error(`${fired} of ${count} timers fired within five minutes`);
  const p99 = (own: readonly number[]): number => (own.length === 0 ? Number.NaN : percentile(own, 0.99));
  return {
    allMs: endedAtMs - Math.max(dueAtMs, begunAtMs),
    workedMs: (user + system) / 1_000,
    early,
    p99Ms: { before: p99(latencies.before), own: p99(latencies.own), other: p99(latencies.other) },
    longestTurnMs,
    secondMs,
  };
}
