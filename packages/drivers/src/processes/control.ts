import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** Suspends a process: it takes no processor until it is resumed. @returns false on a system that cannot do that */
export const standStill = (child: ChildProcess): boolean => signal(child, 'SIGSTOP');
export const goOn = (child: ChildProcess): boolean => signal(child, 'SIGCONT');

function signal(child: ChildProcess, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return child.kill(name);
  } catch {
    return false;
  }
}

/**
 * Sets a process behind others that want the processor: behind this one, or behind all. One that has ended is left alone, as
 * is each on a system that does not know this.
 */
export function giveWay({ pid }: ChildProcess, to: 'host' | 'all'): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  try {
    if (pid !== undefined) setPriority(pid, to === 'host' ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW);
  } catch {
    // It runs as it would have.
  }
}
