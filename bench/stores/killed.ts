import { reasonOf } from '../processes.ts';
import type { Measured } from '../part.ts';
import type { Progress } from '../progress.ts';
import type { Durable } from './contestants.ts';

/** Paused executions, all resumed after what had paused them was killed. */
export interface Killed {
  readonly contestants: readonly Measured[];
  readonly missing: readonly string[];
}

/** Starts executions, kills what runs them, starts it again, and resumes all. Milliseconds from the new start to the last resume. */
export async function resumedAfterKill(
  makers: readonly (() => Durable | Promise<Durable>)[],
  count: number,
  progress: Progress,
): Promise<Killed> {
  const contestants: Measured[] = [];
  const missing: string[] = [];
  for (const make of makers) {
    let durable: Durable | undefined;
    try {
      durable = await make();
      progress.say(`killed with ${count} paused: ${durable.title}`);
      contestants.push({ name: durable.title, median: await resumedMs(durable, count) });
    } catch (error) {
      missing.push(`${durable?.title ?? 'A contestant'}: ${reasonOf(error)}`);
    } finally {
      await durable?.remove();
    }
  }
  progress.clear();
  return { contestants, missing };
}

async function resumedMs(durable: Durable, count: number): Promise<number> {
  const first = await durable.open();
  let ids: readonly string[];
  try {
    ({ ids } = await first.work({ do: 'start', first: 0, count, callers: 64 }));
  } finally {
    await first.kill();
  }
  const second = await durable.open();
  try {
    const { allMs } = await second.work({ do: 'resume', ids, callers: 64 });
    return second.startMs + allMs;
  } finally {
    await second.kill();
  }
}
