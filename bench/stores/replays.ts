// Recorded conversations that are replayed on a draft: what the processor has to do for each, and how long the event loop is held meanwhile.
import { setImmediate as turn } from 'node:timers/promises';
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
const talkFlow = (kept: string, more = 0) => ({
  schemaVersion: 1,
  id: 'flow',
  name: 'Flow',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    ...waits.map((id) => ({ id, type: 'wait-event', data: { name: 'next', saveAs: `$context.${id.replace('-', '_')}` } })),
    { id: 'last', type: 'set', data: { assignments: [{ path: '$context.done', value: kept }] } },
    { id: 'done', type: 'end', data: { outputs: { done: '{{$context.done}}' } } },
    ...Array.from({ length: more }, (_, index) => ({
      id: `more-${index}`,
      type: 'set',
      data: { assignments: [{ path: '$context.done', value: `{{$context.done ?? ${index}}}` }] },
    })),
  ],
  edges: [
    { source: 'begin', target: 'wait-0' },
    ...waits.map((id, index) => ({ source: id, sourceHandle: 'received', target: waits[index + 1] ?? 'last' })),
    { source: 'last', target: 'done' },
  ],
});

/** About as many more nodes as fit into a canvas. */
const largest = 6_000;

/** What work answers, and the most processor time that a turn of the event loop took meanwhile. */
async function holding<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  let [longestMs, isOver, workedMs] = [0, false, threadWork()];
  const endTurn = (): void => {
    longestMs = Math.max(longestMs, workedMs());
    workedMs = threadWork();
    if (!isOver) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  const result = await work();
  await turn();
  isOver = true;
  return [result, longestMs];
}

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
      const workedMs = threadWork();
      const [report, heldMs] = await holding(() => acme.replay('flow', { last: count }));
      const cpuMs = workedMs();
      await acme.saveDraft(talkFlow('no', largest));
      const [, heldByLargeMs] = await holding(() => acme.replay('flow', { last: 1 }));
      progress.clear();
      if (report.counts.differs !== count) throw new Error(`Of ${count} conversations ${report.counts.differs} differ`);
      const events = history.length * count;
      return {
        name: `Scale: ${count.toLocaleString('en')} recorded conversations of ${history.length} records replayed on a draft`,
        unit: 'ms',
        contestants: [{ name: 'a replay', median: cpuMs, cpuUs: (1_000 * cpuMs) / count }],
        aims: [
          atMost('processor time for 20,000 records, s', (20 * cpuMs) / events, 1),
          atMost('the longest turn of the event loop, ms of processor time', heldMs, 50),
          atMost(
            `the same on a draft of ${largest.toLocaleString('en')} more nodes, which is compiled for it, ms of processor time`,
            heldByLargeMs,
            50,
          ),
        ],
      };
    } finally {
      await store.close();
    }
  });
