import type { CrashPointName, Kill, Side } from '../points.ts';
import { writeSync } from 'node:fs';
import type { Report } from '../protocol.ts';

/** Called at every crash point that a process reaches; kills the process at one of them. */
export interface Fuse {
  reach(point: CrashPointName, side: Side): void;
  /** Reaches the point before the work and after it. */
  around<Result>(points: readonly CrashPointName[], work: () => Promise<Result>): Promise<Result>;
  aroundSync<Result>(points: readonly CrashPointName[], work: () => Result): Result;
}

/** @param kill - where the process dies; nowhere when left out */
export function createFuse(kill: Kill | undefined): Fuse {
  let left = kill?.skipped ?? 0;
  const reach: Fuse['reach'] = (point, side) => {
    if (kill === undefined || point !== kill.point || side !== kill.side) return;
    if (left > 0) {
      left -= 1;
      return;
    }
    report({ kind: 'died', kill });
    process.kill(process.pid, 'SIGKILL'); // does not come back
  };
  const reachAll = (points: readonly CrashPointName[], side: Side): void => {
    for (const point of points) reach(point, side);
  };
  return {
    reach,
    async around(points, work) {
      reachAll(points, 'before');
      const result = await work();
      reachAll(points, 'after');
      return result;
    },
    aroundSync(points, work) {
      reachAll(points, 'before');
      const result = work();
      reachAll(points, 'after');
      return result;
    },
  };
}

/** Writes a line to the parent process, synchronously: it arrives even if this process dies right after. */
export const report = (told: Report): void => void writeSync(1, `${JSON.stringify(told)}\n`);
