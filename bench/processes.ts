// The measuring and the measured processes are separate, and communicate over IPC.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Peers that write a line for every invocation would be measured writing. */
export const quietPeers = { RESTATE_LOGGING: 'ERROR', NODE_NO_WARNINGS: '1' };

/** Starts a module in a process of its own. Its output goes to stderr: stdout is for results. */
export const forkModule = (file: string, args: readonly string[] = [], execArgv: readonly string[] = []): ChildProcess =>
  forkWith(process.execPath, file, args, execArgv);

/** The same on one processor alone, by `taskset`; on any, where there is none. @param core - the number of the processor */
export const forkPinned = (core: number | undefined, file: string, args: readonly string[]): ChildProcess =>
  core === undefined ? forkModule(file, args) : forkWith('taskset', file, args, ['--cpu-list', String(core), process.execPath]);

const forkWith = (execPath: string, file: string, args: readonly string[], execArgv: readonly string[]): ChildProcess =>
  fork(file, [...args], { execPath, execArgv: [...execArgv], stdio: ['ignore', 2, 2, 'ipc'], env: { ...process.env, ...quietPeers } });

/** The numbers of the processors that a process may be pinned to; none without `taskset`. */
export function coresToPin(): readonly number[] {
  const { stdout, status } = spawnSync('taskset', ['--cpu-list', '--pid', String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) return [];
  const list = /: ([\d,-]+)\s*$/.exec(stdout)?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/**
 * Sends a message to a child, or none, and waits for its next one.
 *
 * @throws {Error} when it ends instead, or reports a failure
 */
export function answerOf<Answer extends object>(child: ChildProcess, name: string, told?: object | number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`${name} ended before it answered`));
    if (child.exitCode !== null || child.signalCode !== null) return fail();
    child.once('exit', fail);
    child.once('message', (answer: Answer | Failed) => {
      child.off('exit', fail);
      if ('failed' in answer) reject(new Error(`${name} failed: ${answer.failed}`));
      else resolve(answer);
    });
    if (told !== undefined) child.send(told);
  });
}

/** The message of a child that failed. */
interface Failed {
  readonly failed: string;
}

/** The child's side: answers messages of the parent until that ends. */
export function answerParent<Told>(answer: (told: Told) => Promise<object>): void {
  process.on('message', (told: Told) => {
    answer(told).then(
      (answered) => process.send?.(answered),
      (error: unknown) => process.send?.({ failed: reasonOf(error) } satisfies Failed),
    );
  });
  process.on('disconnect', () => process.exit());
}

/** Why something failed, in one line that a table can be followed by. */
export function reasonOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).trim().replaceAll(/\s+/g, ' ');
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}

/**
 * Milliseconds that processes and all their descendants have had of the processors since they started; `undefined` where the
 * system has no `/proc`. It counts in hundredths of a second.
 */
export function processorMs(pids: readonly number[]): number | undefined {
  let folders: readonly string[];
  try {
    folders = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  const running = folders.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), ...ticksOf(`/proc/${pid}/stat`) }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
  const counted = new Set(pids);
  for (let before = -1; before !== counted.size; ) {
    before = counted.size;
    for (const { pid, parent } of running) if (counted.has(parent)) counted.add(pid);
  }
  return running.filter(({ pid }) => counted.has(pid)).reduce((sum, { ticks }) => sum + ticks * 10, 0);
}

/** The same of the main threads of these processes alone: where Node.js runs JavaScript, but for its workers. */
export function mainThreadMs(pids: readonly number[]): number | undefined {
  try {
    return pids.reduce((sum, pid) => sum + ticksOf(`/proc/${pid}/task/${pid}/stat`).ticks * 10, 0);
  } catch {
    return undefined;
  }
}

/** @throws when there is no such process any more */
function ticksOf(stat: string): { readonly parent: number; readonly ticks: number } {
  // After the name, which may hold anything: state, parent, and as the 12th and 13th the ticks in user and system mode.
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
