// Waiting executions that come to another version: what a plan takes for each by its row alone and by its state, and what a migration takes.
import { join } from 'node:path';
import { type Company, createEngine } from '../../packages/engine/src/index.ts';
import type { ExecutionRecord } from '../../packages/engine/src/contract/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { diskSentence } from '../disk.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
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

/** What it took, and how much of the processor for each. */
interface Taken {
  readonly ms: number;
  readonly cpuUs: number;
}

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
        ],
        aims: [
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

async function time(count: number, work: () => Promise<unknown>): Promise<Taken> {
  const [fromMs, from] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(from);
  return { ms: performance.now() - fromMs, cpuUs: (user + system) / count };
}
