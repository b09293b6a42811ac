import { processorMs, reasonOf } from '../processes.ts';
import type { Measured } from '../part.ts';
import type { Progress } from '../progress.ts';
import type { Durable, Opened } from './contestants.ts';

/** Paused executions, all resumed after what had paused them was killed. */
export interface Killed {
  readonly contestants: readonly Measured[];
  readonly missing: readonly string[];
  /** The part of it after which the first contestant was ready. */
  readonly startMs: number;
}

/** Starts executions, kills what runs them, starts it again, and resumes all. Milliseconds from the new start to the last resume. */
export async function resumedAfterKill(
  makers: readonly (() => Durable | Promise<Durable>)[],
  count: number,
  progress: Progress,
): Promise<Killed> {
  const contestants: Measured[] = [];
  const missing: string[] = [];
  const startsMs: number[] = [];
  for (const make of makers) {
    let durable: Durable | undefined;
    try {
      durable = await make();
      progress.say(`killed with ${count} paused: ${durable.title}`);
      const { startMs, ...measured } = await resumed(durable, count);
      startsMs.push(startMs);
      contestants.push({ name: durable.title, ...measured });
    } catch (error) {
      missing.push(`${durable?.title ?? 'A contestant'}: ${reasonOf(error)}`);
    } finally {
      await durable?.remove();
    }
  }
  progress.clear();
  return { contestants, missing, startMs: startsMs[0] ?? Number.NaN };
}

/** The time, and the CPU time of a resume: the first of a process take several times as long as later ones. */
async function resumed(durable: Durable, count: number): Promise<Pick<Measured, 'median' | 'cpuUs'> & Pick<Opened, 'startMs'>> {
  const first = await durable.open();
  let ids: readonly string[];
  try {
    ({ ids } = await first.work({ do: 'start', first: 0, count, callers: 64 }));
  } finally {
    await first.kill();
  }
  const second = await durable.open();
  try {
    const beganMs = processorMs(second.pids);
    const { allMs } = await second.work({ do: 'resume', ids, callers: 64 });
    const endedMs = processorMs(second.pids);
    const { startMs } = second;
    const median = startMs + allMs;
    if (beganMs === undefined || endedMs === undefined) return { median, startMs };
    return { median, startMs, cpuUs: ((endedMs - beganMs) * 1_000) / count };
  } finally {
    await second.kill();
  }
}
