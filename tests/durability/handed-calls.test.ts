import { createEngine, createMemoryCanvases, type Engine, parseCanvas } from '@hilo/engine';
import { drive } from '@hilo/engine/contract';
import { sendMessage, standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { createSharedStore } from '../cluster/shared-store.ts';
import { quiet, sayOnce, sayWhenPaid } from './mortal-engine.ts';

const companyId = '1';

/** What becomes of a call that is sent to the other process. */
type Way = 'answered' | 'lost on the way there' | 'lost on the way back';

/** Two processes that reach each other, and what left them. */
async function twoProcesses(way: Way) {
  const clock = createVirtualClock();
  const shared = createSharedStore(clock);
  const canvases = createMemoryCanvases();
  const engines: Engine[] = [];
  const sent: string[] = [];
  let calls = 0;
  for (const index of [0, 1]) {
    const { store } = shared.connect();
    engines.push(
      createEngine({
        nodes: standardNodes,
        drivers: [
          drive(sendMessage, async (_request, { idempotencyKey }) => {
            sent.push(idempotencyKey);
            return { kind: 'sent', messageId: idempotencyKey };
          }),
        ],
        clock,
        random: seededRandom(index),
        store: { executions: store, canvases },
        directory: { company: () => undefined, bot: () => ({ channel: 'whatsapp' }) },
        reach: {
          async send(address, lane, call) {
            calls += 1;
            if (way === 'lost on the way there') throw new Error(way);
            const reply = await engines[Number(address)]?.takeHandedCall(lane, structuredClone(call));
            if (way === 'lost on the way back') throw new Error(way);
            return reply ?? 'elsewhere';
          },
        },
      }),
    );
    await store.leases?.advertise(String(index));
    await engines[index]?.start();
  }
  const [first, second] = engines;
  if (first === undefined || second === undefined) throw new Error('There are two');
  for (const source of [sayOnce('hello', 'Hello'), sayWhenPaid]) {
    const { canvas } = parseCanvas(source);
    if (canvas === undefined) throw new Error('not a canvas');
    await first.saveDraft(companyId, canvas);
    await first.publish(companyId, canvas.id);
  }
  return { first, second, shared, sent, callsOf: () => calls };
}

const users = Array.from({ length: 12 }, (_, index) => `52155000000${10 + index}`);

const hook = (engine: Engine, body: { readonly userId?: string; readonly executionId?: string }) =>
  engine.receiveWebhook({
    companyId,
    botId: 'bot',
    workflowId: 'order',
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    request: { method: 'POST', headers: {}, query: {}, body },
  });

describe.each(['answered', 'lost on the way there', 'lost on the way back'] as const)('a call to another process that is %s', (way) => {
  it('of a start and of a resume has one consequence, and is answered (P2, P10)', async () => {
    const { first, second, shared, sent, callsOf } = await twoProcesses(way);
    for (const userId of users) {
      const { executionId } = await hook(first, { userId });
      await quiet();
      expect(await hook(second, { executionId })).toMatchObject({ executionId, mode: 'resume' });
      await quiet();
    }
    const { results } = await shared.contents.list(companyId, { limit: 100 });
    expect(results.map(({ state }) => state.status)).toEqual(users.map(() => 'completed'));
    expect(new Set(sent).size).toBe(users.length);
    expect(sent).toHaveLength(users.length);
    expect(callsOf()).toBeGreaterThan(users.length / 2);
  });

  it('of a message has one consequence, and a repetition none (P10)', async () => {
    const { first, second, sent } = await twoProcesses(way);
    for (const id of users) {
      const message = { companyId, botId: 'bot', eventId: id, user: { id }, message: { id, type: 'text', text: 'hello' } };
      const { outcome } = await first.receiveMessage(message);
      expect(['started', 'queued']).toContain(outcome);
      await quiet();
      // The record of the delivery may be lost too.
      expect(['duplicate', 'queued']).toContain((await second.receiveMessage(message)).outcome);
      await quiet();
    }
    expect(sent).toHaveLength(users.length);
  });
});
