import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time that this process and all that it started have used, in milliseconds. What is still running is found in `/proc`: without
 * one, what was started does not count.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + startedMs(process.pid);
}

/** What ended children of a process used and those that run, with their own children. */
function startedMs(pid: number): number {
  const ended = ticksOf(pid);
  if (ended === undefined) return 0;
  return ended.children * tickMs + childrenOf(pid).reduce((sum, child) => sum + (ticksOf(child)?.own ?? 0) * tickMs + startedMs(child), 0);
}

/** Linux counts for programs in hundredths of a second, on every machine. */
const tickMs = 10;

function ticksOf(pid: number): { readonly own: number; readonly children: number } | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name, which may hold anything, stands in brackets before.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks = 0, systemTicks = 0, endedUserTicks = 0, endedSystemTicks = 0] = fields.slice(11, 15);
  return { own: userTicks + systemTicks, children: endedUserTicks + endedSystemTicks };
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
