// Two processes that meet one new person at once, by different ids: one contact and one conversation (UID-06, UID-07), however their reads
// and writes interleave.
import { createEngine, createMemoryCanvases, type Engine, parseCanvas } from '@hilo/engine';
import { drive } from '@hilo/engine/contract';
import { sendMessage, standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { createSharedStore } from '../cluster/shared-store.ts';

const companyId = '1';
const botId = 'bot';

/** Asks whoever writes or is called, and ends with the answer. */
const asking = {
  schemaVersion: 1,
  id: 'ask',
  name: 'Ask',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user' } },
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'shown', type: 'ask', data: { message: { type: 'text', text: 'Now?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'shown' },
    { source: 'begin', target: 'shown' },
    { source: 'shown', sourceHandle: 'answered', target: 'done' },
  ],
};

const [phone, spelled, bsuid] = ['5215512345678', '525512345678', 'MX.anaisacustomer'];
const ids = [phone, spelled, bsuid];

/** The ways in which one person comes; the first names all that leads to them. */
const ways = ['everything', 'number', 'business id', 'webhook by number', 'webhook by business id'] as const;
type Way = (typeof ways)[number];

const users = {
  everything: { id: phone, phone, bsuid },
  number: { id: spelled, phone: spelled },
  'business id': { id: bsuid, bsuid },
};

async function come(engine: Engine, way: Way, eventId: string): Promise<void> {
  if (way === 'webhook by number' || way === 'webhook by business id') {
    const user = way === 'webhook by number' ? spelled : bsuid;
    const request = { method: 'POST', headers: {}, query: {}, body: { user } };
    const address = { companyId, botId, workflowId: 'ask', nodeId: 'hook', route: 'production', channel: 'whatsapp' } as const;
    await engine.receiveWebhook({ ...address, request });
    return;
  }
  await engine.receiveMessage({ companyId, botId, eventId, user: users[way], message: { id: eventId, type: 'text', text: eventId } });
}

/** Two processes whose look-ups of users and commits are let through one by one. */
async function twoProcesses(scheduler: fc.Scheduler) {
  const clock = createVirtualClock();
  const shared = createSharedStore(clock);
  const canvases = createMemoryCanvases();
  const { canvas } = parseCanvas(asking);
  if (canvas === undefined) throw new Error('not a canvas');
  const engines = [0, 1].map((index) => {
    const { store } = shared.connect();
    const executions = {
      ...store,
      contact: async (...args: Parameters<typeof store.contact>) => scheduler.schedule(Promise.resolve(await store.contact(...args))),
      commit: async (...args: Parameters<typeof store.commit>) => {
        await scheduler.schedule(Promise.resolve());
        return store.commit(...args);
      },
    };
    return createEngine({
      nodes: standardNodes,
      drivers: [drive(sendMessage, async (_request, { idempotencyKey }) => ({ kind: 'sent', messageId: idempotencyKey }))],
      clock,
      random: seededRandom(index),
      store: { executions, canvases },
      directory: { company: () => undefined, bot: () => ({ channel: 'whatsapp' }) },
    });
  });
  const [first, second] = engines;
  if (first === undefined || second === undefined) throw new Error('There are two');
  for (const engine of engines) await scheduler.waitFor(engine.start());
  await first.saveDraft(companyId, canvas);
  await first.publish(companyId, canvas.id);
  return { first, second, shared };
}

describe('two processes that meet a new person at once', () => {
  it('have one contact, and one conversation, whichever ids each of them is told', async () => {
    const conversations: string[][] = [];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom(...ways), fc.boolean(), async (scheduler, other, isFirst) => {
        const { first, second, shared } = await twoProcesses(scheduler);
        const [here, there] = isFirst ? [first, second] : [second, first];
        await scheduler.waitFor(Promise.all([come(here, 'everything', 'm1'), come(there, other, 'm2')]));
        for (const engine of [first, second]) await scheduler.waitFor(engine.whenIdle());
        const known = await Promise.all(ids.map(async (id) => shared.contents.contact(companyId, botId, [id])));
        expect(new Set(known.map((contact) => contact?.userId)).size).toBe(1);
        const { results } = await shared.contents.list(companyId, { limit: 10 });
        expect(new Set(results.map(({ lane }) => lane)).size).toBe(1);
        // Two messages are a question and its answer; a start by a webhook waits for one, and the message is its answer or begins another.
        if (other in users) conversations.push(results.map(({ state }) => state.status));
        await scheduler.waitFor(Promise.all([first.stop(), second.stop()]));
      }),
      { numRuns: 60 },
    );
    expect(new Set(conversations.map((statuses) => statuses.join(' ')))).toEqual(new Set(['completed']));
  });

  it('know them again after a minute, also where they were forgotten in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { first, shared } = await twoProcesses(scheduler);
        // The names are claimed already, and nobody has them: as after an erasure.
        const keys = ids.map((id) => `${companyId}:${botId}:met:${id}`);
        await shared.contents.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], claims: { keys, untilMs: 0 } });
        await scheduler.waitFor(come(first, 'everything', 'm1'));
        await scheduler.waitFor(first.whenIdle());
        expect(await shared.contents.contact(companyId, botId, [bsuid])).toMatchObject({ userId: phone });
        await scheduler.waitFor(come(first, 'webhook by business id', 'm2'));
        expect((await shared.contents.list(companyId, { limit: 10 })).results).toHaveLength(2);
      }),
      { numRuns: 5 },
    );
  });
});
