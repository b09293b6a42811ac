// Recorded conversations that are replayed on a draft: what the processor has to do for each, and how long the event loop is held meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import type { ExecutionRecord, HistoryRecord } from '../../packages/engine/src/contract/index.ts';
import { createEngine } from '../../packages/engine/src/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { threadWork } from '../thread-work.ts';
import { writeCopies } from './copies.ts';

/** Nine times an event is waited for, so that a history has about twenty records; the last node keeps something. */
const waits = Array.from({ length: 18 }, (_, index) => `wait-${index}`);
const talkFlow = (kept: string) => ({
  schemaVersion: 1,
  id: 'flow',
  name: 'Flow',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    ...waits.map((id) => ({ id, type: 'wait-event', data: { name: 'next', saveAs: `$context.${id.replace('-', '_')}` } })),
    { id: 'last', type: 'set', data: { assignments: [{ path: '$context.done', value: kept }] } },
    { id: 'done', type: 'end', data: { outputs: { done: '{{$context.done}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'wait-0' },
    ...waits.map((id, index) => ({ source: id, sourceHandle: 'received', target: waits[index + 1] ?? 'last' })),
    { source: 'last', target: 'done' },
  ],
});

/** Replays so many ended conversations in a SQLite file on a draft whose last node is another. */
export const replays = (count: number, progress: Progress): Promise<Part> =>
  inDirectory(async (directory) => {
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    try {
      const engine = createEngine({ nodes: standardNodes, store });
      const acme = engine.company('acme');
      await acme.publish(talkFlow('yes'));
      const { executionId } = await acme.start('flow');
      await engine.whenIdle();
      for (const _ of waits) {
        await acme.signal('next', { payload: { said: 'Yes' } });
        await engine.whenIdle();
      }
      const first: ExecutionRecord | undefined = await acme.execution(executionId);
      const history: readonly HistoryRecord[] = await acme.history(executionId);
      if (first?.state.status !== 'completed') throw new Error('The conversation has not ended');
      await writeCopies(store.executions.commit, first, history, count, progress);
      await acme.saveDraft(talkFlow('no'));
      progress.say(`${count} conversations replayed`);
      await acme.replay('flow', { last: 100 }); // compiled, and warm
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await wait(50);
      delay.reset();
      const workedMs = threadWork();
      const report = await acme.replay('flow', { last: count });
      const cpuMs = workedMs();
      await wait(5);
      delay.disable();
      progress.clear();
      if (report.counts.differs !== count) throw new Error(`Of ${count} conversations ${report.counts.differs} differ`);
      const events = history.length * count;
      return {
        name: `Scale: ${count.toLocaleString('en')} recorded conversations of ${history.length} records replayed on a draft`,
        unit: 'ms',
        contestants: [{ name: 'a replay', median: cpuMs, cpuUs: (1_000 * cpuMs) / count }],
        aims: [
          atMost('processor time for 20,000 records, s', (20 * cpuMs) / events, 1),
          atMost('the longest that the event loop is held, ms', delay.max / 1e6, 50),
        ],
      };
    } finally {
      await store.close();
    }
  });
