// Waiting executions that come to another version: what a plan takes for each by its row alone and by its state, what a migration takes, and
// how long others wait meanwhile.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Company, createEngine } from '../../packages/engine/src/index.ts';
import type { ExecutionRecord } from '../../packages/engine/src/contract/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { diskSentence } from '../disk.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { percentile } from '../statistics.ts';
import { writeCopies } from './copies.ts';

/** Waits for an event, and then keeps something. */
const waitingFlow = (last: object) => ({
  schemaVersion: 1,
  id: 'flow',
  name: 'Flow',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'never', saveAs: '$context.answer' } },
    { id: 'last', type: 'set', data: { assignments: [{ path: '$context.done', value: true }], ...last } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'last' },
    { source: 'last', target: 'done' },
  ],
});

/** Of another company: begins and ends in one turn. */
const quickFlow = {
  schemaVersion: 1,
  id: 'quick',
  name: 'Quick',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'done', type: 'end' },
  ],
  edges: [{ source: 'begin', target: 'done' }],
};

/** What it took, how much of the processor for each, and how long the turns of another company took meanwhile. */
interface Taken {
  readonly ms: number;
  readonly cpuUs: number;
  readonly othersMs: readonly number[];
}

/** Users of another company have a turn so often, one after the other, and for so long before anything else is done. */
const [everyMs, beforeMs] = [5, 3_000];

/**
 * Plans for so many waiting executions in a SQLite file, and migrates some of them.
 *
 * @param migrated - at most as many as are planned; they are in a version of their own
 */
export const migrations = (planned: number, migrated: number, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    try {
      const engine = createEngine({ nodes: standardNodes, store });
      const acme = engine.company('acme');
      await acme.publish(waitingFlow({}));
      const { executionId } = await acme.start('flow');
      await engine.whenIdle();
      const first = await requireExecution(acme, executionId);
      const history = await acme.history(executionId);
      await writeCopies(store.executions.commit, first, history, planned, progress);
      await acme.publish(waitingFlow({ label: 'Last' }));
      await acme.publish(waitingFlow({ assignments: [{ path: '$context.done', value: false }] }));
      const others = engine.company('others');
      await others.publish(quickFlow);
      const time = (count: number, work: () => Promise<unknown>): Promise<Taken> => timeBeside(others, count, work);
      const before = await time(1, () => pause(beforeMs));
      progress.say(`a plan of ${planned} by their rows`);
      const byRow = await time(planned, () => acme.migrations.plan({ workflowId: 'flow', from: 1, to: 2 }));
      progress.say(`a plan of ${planned} by their states`);
      const byState = await time(planned, () => acme.migrations.plan({ workflowId: 'flow', from: 1, to: 3 }));
      // Those that are migrated stand in a version of their own, so that no more are read.
      await acme.publish({ ...waitingFlow({}), id: 'other', name: 'Other' });
      const other = await acme.start('other');
      await engine.whenIdle();
      const record = await requireExecution(acme, other.executionId);
      await writeCopies(store.executions.commit, record, await acme.history(other.executionId), migrated, progress);
      await acme.publish({ ...waitingFlow({ label: 'Last' }), id: 'other', name: 'Other' });
      progress.say(`${migrated} migrations`);
      const done = await time(migrated, () => acme.migrations.apply({ workflowId: 'other', from: 1, to: 2 }));
      progress.clear();
      const [all, some] = [planned.toLocaleString('en'), migrated.toLocaleString('en')];
      const bound = await diskSentence();
      return {
        name: 'Scale: waiting executions planned and migrated in SQLite',
        unit: 'ms',
        contestants: [
          { name: `a plan of ${all}, all proved by their rows`, median: byRow.ms, cpuUs: byRow.cpuUs },
          { name: `a plan of ${all}, each judged by its state`, median: byState.ms, cpuUs: byState.cpuUs },
          { name: `${some} migrated`, median: done.ms, cpuUs: done.cpuUs },
          { name: 'a turn of another company, before', ...turnsOf(before) },
          { name: 'the same while they are planned by their rows', ...turnsOf(byRow) },
          { name: 'the same while they are planned by their states', ...turnsOf(byState) },
          { name: 'the same while they are migrated', ...turnsOf(done) },
        ],
        aims: [
          atMost(
            'p99 of turns of another company meanwhile, ms',
            Math.max(...[byRow, byState, done].map((one) => turnsOf(one).p99)),
            50,
            bound,
          ),
          atMost(`a plan of ${all}, s`, byState.ms / 1_000, (planned * 60) / 1_000_000, bound),
          atMost(`${some} migrated, s`, done.ms / 1_000, (migrated * 10) / 100_000, bound),
        ],
      };
    } finally {
      await store.close();
    }
  });

async function requireExecution(acme: Company, executionId: string): Promise<ExecutionRecord> {
  const found = await acme.execution(executionId);
  if (found === undefined) throw new Error(`There is no execution ${executionId}`);
  return found;
}

const turnsOf = ({ othersMs }: Taken): { readonly median: number; readonly p99: number } => ({
  median: percentile(othersMs, 0.5),
  p99: percentile(othersMs, 0.99),
});

async function timeBeside(others: Company, count: number, work: () => Promise<unknown>): Promise<Taken> {
  const othersMs: number[] = [];
  let isOver = false;
  const turns = async (): Promise<void> => {
    while (!isOver) {
      const fromMs = performance.now();
      await others.start('quick');
      othersMs.push(performance.now() - fromMs);
      await pause(everyMs);
    }
  };
  const turning = turns();
  const [fromMs, from] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(from);
  const ms = performance.now() - fromMs;
  isOver = true;
  await turning;
  return { ms, cpuUs: (user + system) / count, othersMs };
}
