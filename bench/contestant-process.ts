// One contestant in a process of its own, so that none runs on code or memory that another has shaped. Told over IPC for
// how long to run; answers what it did.
import { contestants, type ContestantName } from './contestants/index.ts';
import { answerParent } from './processes.ts';
import { threadWork } from './thread-work.ts';
import type { Contestant } from './work.ts';

export interface Round {
  readonly executions: number;
  readonly elapsedMs: number;
  /** What the thread worked of it: other processes on the machine do not count. */
  readonly workedMs: number;
}

/** So many executions between two looks at the clock. */
const batch = 64;

/** After so many, a fresh contestant takes over, off the clock: an in-memory store keeps all it has executed. */
const most = 20_000;
const warmUp = 2_048;

let current: { readonly contestant: Contestant; executed: number } | undefined;

async function runBatch(name: ContestantName): Promise<void> {
  current ??= { contestant: await contestants[name](), executed: 0 };
  const running = current.contestant.run(current.executed, batch);
  if (running !== undefined) await running;
  current.executed += batch;
}

async function runFor(name: ContestantName, durationMs: number): Promise<Round> {
  if (current === undefined || current.executed >= most) {
    current = undefined;
    for (let executed = 0; executed < warmUp; executed += batch) await runBatch(name);
  }
  const beganMs = performance.now();
  const workedMs = threadWork();
  for (let executions = batch; ; executions += batch) {
    await runBatch(name);
    const elapsedMs = performance.now() - beganMs;
    if (elapsedMs >= durationMs) return { executions, elapsedMs, workedMs: workedMs() };
  }
}

const name = process.argv[2] as ContestantName;
answerParent((durationMs: number) => runFor(name, durationMs));
