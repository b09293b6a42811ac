// Timers that are all due at one instant. On `fill`, starts executions under a clock that stands still, so that all of them wait for the
// same instant, and some of another company that are due after it, one by one; on `fire`, runs an engine whose clock reaches that instant a
// while later, with other work beside; on `restart`, one that begins after it, when all are overdue.
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { realClock } from '../machine-sources.ts';
import { answerParent } from '../processes.ts';
import { percentile } from '../statistics.ts';
import { together } from '../together.ts';
import { call, engineOver, napMs, publishNapping, publishParking, second, startOf } from './engine-over.ts';

const [path = ''] = process.argv.slice(2);

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
  /** Starts from elsewhere: before the instant, and while the timers fired. */
  readonly otherP99Ms: { readonly before: number; readonly meanwhile: number };
  /** How late the timers of the other company fired, the worst of them. */
  readonly secondMs: number;
}

/** The timers of the other company: how many, and how long after another each is due. */
const seconds = 20;
const secondEveryMs = 25;

answerParent((work: TimersWork): Promise<object> => (work.do === 'fill' ? fill(work.count) : fire(work)));

async function fill(count: number): Promise<object> {
  const store = await openSqliteStore({ path });
  let nowMs = startedAtMs;
  const engine = engineOver(store, { ...realClock, now: () => nowMs });
  await publishNapping(engine);
  await publishParking(engine);
  await together(count, 64, (index) => call(engine, { ...startOf(index), workflowId: 'napping' }));
  await publishNapping(engine, second);
  for (let index = 0; index < seconds; index += 1) {
    nowMs += secondEveryMs;
    await call(engine, { ...startOf(count + index), workflowId: 'napping', ofCompany: second });
  }
  await engine.whenIdle();
  await engine.stop();
  await store.close();
  return {};
}

/** Other work at a fixed rate, however long earlier work takes: its latency counts from its planned start. */
const everyMs = 5;
const beforeMs = 3_000;

async function fire({ do: what, count }: TimersWork): Promise<Fired> {
  const begunAtMs = what === 'fire' ? dueAtMs - beforeMs : dueAtMs + 2 * seconds * secondEveryMs;
  const shiftMs = begunAtMs - Date.now();
  const now = (): number => Date.now() + shiftMs;
  const store = await openSqliteStore({ path });
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
  const latencies = { before: [] as number[], meanwhile: [] as number[] };
  let isOver = false;
  const others = async (): Promise<void> => {
    const pending: Promise<void>[] = [];
    for (let atMs = now(), number = count + seconds; !isOver; atMs += everyMs, number += 1) {
      if (atMs > now()) await wait(atMs - now());
      const scheduledMs = atMs;
      pending.push(
        call(engine, startOf(number)).then(() => {
          latencies[scheduledMs < dueAtMs ? 'before' : 'meanwhile'].push(now() - scheduledMs);
        }),
      );
    }
    await Promise.all(pending);
  };
  await engine.start();
  const began = process.cpuUsage();
  const working = others();
  await Promise.race([allFired, wait(300_000)]);
  const { user, system } = process.cpuUsage(began);
  isOver = true;
  await working;
  await engine.stop();
  await store.close();
  if (fired < count) throw new Error(`${fired} of ${count} timers fired within five minutes`);
  const p99 = (own: readonly number[]): number => (own.length === 0 ? Number.NaN : percentile(own, 0.99));
  return {
    allMs: endedAtMs - Math.max(dueAtMs, begunAtMs),
    workedMs: (user + system) / 1_000,
    early,
    otherP99Ms: { before: p99(latencies.before), meanwhile: p99(latencies.meanwhile) },
    secondMs,
  };
}
