import type { TestCase, TestModule } from 'vitest/node';
import { processorTimeMs } from './processor-time.ts';

/** Why tests wait for longer than two seconds, by their file and name: the one table of reasons. */
const reasons: readonly (readonly [test: RegExp, reason: string])[] = [
  [/\.campaign\.test\.ts/, 'processes are killed and started again, and leases of real servers run out'],
  [/postgres|moving\/(?:fenced|tables)\.|import-users\./i, 'the PostgreSQL of the run works for them, which is a process of nobody’s'],
  [/keeps a time limit/, 'the limit passes by the clock of a database, which no test moves'],
  [
    /(?:channel-contracts|stripe|model-driver|sockets)\.test\.ts .*(?:may have been accepted|nobody answers|not waited for longer|without a word)/,
    'a real connection is silent until its time limit, which is the shortest in which a busy machine surely begins',
  ],
  [
    /function-(?:workers|bounds|orphans)\.test\.ts .*(?:not for ever|stands still|said to all of them)/,
    'a process is given time by the real clock, which its function sees too',
  ],
  [/contacts\/story\.test\.ts /, 'a subscriber verifies by the real clock, and what a day of an operator begins is looked for each second'],
  [/run\.test\.ts .*lets the clock run/, 'what is asked for is that time passes'],
  [/(?:restate|up)\.test\.ts /, 'servers and package managers, in processes of their own, try again by their own clocks'],
];

const [longMs, leastShare] = [2_000, 0.2];

/**
 * Prints what a run took of processors, the files that took most of it, and each test that takes more than two seconds on the clock and less
 * than a fifth of them on a processor: it waits, and the table here gives the reason. On a busy machine other tests wait as well.
 */
export function reportCost(modules: readonly TestModule[]): void {
  console.log(`${inSeconds(processorTimeMs())} of processor time`);
  const costs = modules.map((module) => ({ file: module.relativeModuleId, processorMs: module.meta().processorMs ?? 0 }));
  if (modules.length > 20) for (const { file, processorMs } of most(costs)) console.log(`${inSeconds(processorMs).padStart(8)}  ${file}`);
  const waiting = modules.flatMap(({ children }) => [...children.allTests('passed')].filter(isWaiting));
  for (const [reason, tests] of Map.groupBy(waiting, reasonOf)) {
    console.log(`${tests.length} waited: ${reason ?? 'no reason is known (scripts/vitest/report-cost.ts)'}`);
    if (reason === undefined) for (const test of tests) console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const most = <Cost extends { readonly processorMs: number }>(costs: readonly Cost[]): readonly Cost[] =>
  costs.toSorted((left, right) => right.processorMs - left.processorMs).slice(0, 10);

function isWaiting(test: TestCase): boolean {
  const ms = test.diagnostic()?.duration ?? 0;
  return ms > longMs && (test.meta().processorMs ?? ms) < leastShare * ms;
}

function reasonOf(test: TestCase): string | undefined {
  const name = `${test.module.relativeModuleId} > ${test.fullName}`;
  return reasons.find(([pattern]) => pattern.test(name))?.[1];
}
