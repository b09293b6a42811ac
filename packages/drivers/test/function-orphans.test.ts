import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { childrenOf, statusOf } from './child-processes.ts';

const program = fileURLToPath(new URL('./orphan-parent.ts', import.meta.url));

let parent: ChildProcess | undefined;
afterEach(() => void parent?.kill('SIGKILL'));

/**
 * Whether a process has a handler of its own for SIGHUP, the last of the three: until then it is as mortal as any other.
 * Node.js itself has one for the other two.
 */
const takesSignals = (pid: number): boolean => {
  const caught = /^SigCgt:\s+([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & 1n) === 1n;
};

/** A process with a function in it that loops. */
async function looping(): Promise<{ readonly pid: number; readonly functions: readonly number[]; readonly guards: readonly number[] }> {
  parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (parent.stdout !== null) await once(parent.stdout, 'data');
  const pid = parent.pid ?? 0;
  return { pid, functions: childrenOf(pid, 'function-runner'), guards: childrenOf(pid, 'guard-program') };
}

describe.runIf(existsSync('/proc/self/status'))('a function that loops', () => {
  it('does not outlive the process that is killed (P13, P25)', async () => {
    const { functions, guards } = await looping();
    expect([functions.length, guards.length]).toEqual([1, 1]);
    parent?.kill('SIGKILL');
    await expect.poll(() => [...functions, ...guards].filter((pid) => statusOf(pid) !== undefined), { timeout: 60_000 }).toEqual([]);
  });

  it('is guarded though what is said to all of them is to stop', async () => {
    const { functions, guards } = await looping();
    await expect.poll(() => guards.every(takesSignals), { timeout: 60_000 }).toBe(true);
    for (const pid of guards) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    parent?.kill('SIGKILL');
    await expect.poll(() => functions.filter((pid) => statusOf(pid) !== undefined), { timeout: 60_000 }).toEqual([]);
  });
});
