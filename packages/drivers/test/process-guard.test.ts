import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProcessGuard, type ProcessGuard } from '../src/processes/process-guard.ts';
import { childrenOf, statusOf } from './child-processes.ts';

/** The guard processes of this process. */
const guards = (): readonly number[] => childrenOf(process.pid, 'guard-program');

/** A process that runs until it is killed, watched by a guard. */
function watched(guard: ProcessGuard): number {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid = 0 } = child;
  const unwatch = guard.watch(pid);
  onTestFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    child.kill('SIGKILL');
    if (!isOver) await once(child, 'exit');
    unwatch();
  });
  return pid;
}

describe.runIf(existsSync('/proc/self/status'))('the guards of one process (P13, P25)', () => {
  it('share a process, which is replaced when it is killed, and watches on for those that are open', async () => {
    const [code, functions, databases] = [createProcessGuard(), createProcessGuard(), createProcessGuard()];
    const all = [code, functions, databases];
    onTestFinished(() => {
      for (const guard of all) guard.close();
    });
    const pids = all.map(watched);
    expect(guards()).toHaveLength(1);

    const [first = 0] = guards();
    process.kill(first, 'SIGKILL');
    await expect.poll(() => guards().filter((pid) => pid !== first)).toHaveLength(1);

    code.close();
    functions.close();
    expect(guards()).toHaveLength(1);
    expect(pids.filter((pid) => statusOf(pid) === undefined)).toEqual([]);
  });
});
