// A store with something in every table, for tests that open or damage it.
import { Canvas } from '@hilo/engine/contract';
import {
  accepted,
  advance,
  commit,
  commitAll,
  contactChange,
  executionRecord,
  queuedItems,
} from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore } from '../src/index.ts';

export const aCanvas = Canvas.parse({
  schemaVersion: 1,
  id: 'w1',
  name: 'One \0 \ud800',
  nodes: [{ id: 'begin', type: 'start', data: {} }],
  edges: [],
});

/** Writes something into every table. */
export async function fillStore({ executions, canvases }: DurableStore, id = 'e1'): Promise<void> {
  await commitAll(executions, {
    saves: [executionRecord({ id, wait: { dueAtMs: 5_000, correlation: { name: 'paid', value: '7' } } })],
    history: [advance(id, 1)],
    contacts: [contactChange({ userId: 'u1', names: 'Ana', phone: '521', memory: { city: { value: 'Lima', expiresAtMs: null } } })],
    enqueue: [accepted(id)],
    seen: { keys: [`key of ${id}`], untilMs: 9_000, answer: { executionId: id } },
  });
  await executions.countCrashes([accepted('').lane]);
  await canvases.saveDraft('c1', aCanvas, 'hash');
  await canvases.publish('c1', aCanvas, 'hash', 1_000);
}

/** What a store answers to every question, of one company. */
export async function everythingOf({ executions, canvases }: DurableStore, ids = ['e1']) {
  return {
    list: await executions.list('c1', { limit: 1_000 }),
    histories: await Promise.all(ids.map((id) => executions.history('c1', id))),
    contact: await executions.contact('c1', 'b1', ['521']),
    reply: await executions.awaitingReply('c1', 'b1', 'u1'),
    signals: await executions.awaitingSignal('c1', 'paid', '7'),
    due: await executions.due(9_000, 1_000),
    nextDueMs: await executions.nextDueMs(),
    queued: await executions.nextQueued(accepted('').lane),
    unfinished: await executions.unfinished('', 1_000),
    crashCounts: await executions.crashCounts([accepted('').lane]),
    seen: await executions.seenAnswer(['key of e1']),
    repeated: await commit(executions, {
      dequeue: queuedItems([987_654]),
      seen: { keys: ['key of e1'], untilMs: 1, answer: 'new' },
    }),
    draft: await canvases.draft('c1', 'w1'),
    versions: await canvases.versions('c1', 'w1'),
  };
}
