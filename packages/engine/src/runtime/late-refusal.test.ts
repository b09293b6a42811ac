import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { end, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { defineEffect, defineNode, drive, leave, perform, reply } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';

const none = z.strictObject({});
const say = defineEffect('say', { request: none, result: z.literal('sent') });

/** Sends a message and waits for a reply; the first reply is invalid, which it reports. */
const asks = defineNode({
  type: 'asks',
  config: none,
  visual,
  ports: ['answered'],
  optionalPorts: ['windowClosed'],
  effects: [say],
  run: () => perform(say({}), () => perform(reply({}), () => perform(say({}), () => perform(reply({}), () => leave('answered'))))),
});

/** An engine with one execution that asks. Messages are sent when the test decides, with `isQuick` all but the first at once. */
async function asking({ isConnected = true, isQuick = false }: { readonly isConnected?: boolean; readonly isQuick?: boolean } = {}) {
  let drawn = 0;
  const keys: string[] = [];
  const sends: (() => void)[] = [];
  const engine = createEngine({
    nodes: [start, asks, end],
    drivers: [
      drive(say, (_request, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (isQuick && keys.length > 1) return Promise.resolve('sent');
        return new Promise<'sent'>((resolve) => void sends.push(() => resolve('sent')));
      }),
    ],
    store: { executions: createMemoryStore(), canvases: createMemoryCanvases() },
    clock: { now: () => 1_000, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length).fill((drawn += 1)) },
    directory: { company: () => undefined, bot: () => ({ channel: 'whatsapp' }), isAttended: () => false },
  });
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'asks',
    name: 'Asks',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'ask', type: 'asks' },
      { id: 'done', type: 'end' },
      { id: 'closed', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'ask' },
      { source: 'ask', sourceHandle: 'answered', target: 'done' },
      ...(isConnected ? [{ source: 'ask', sourceHandle: 'windowClosed', target: 'closed' }] : []),
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', canvas);
  await engine.publish('1', 'asks');
  const origin = { companyId: '1', botId: 'b', userId: 'u', channel: 'whatsapp', route: 'production' } as const;
  const { executionId } = await engine.startWorkflow({ origin, workflowId: 'asks' });
  await expect.poll(() => sends.length).toBe(1);
  let said = 0;
  return {
    refuse: (index: number) => engine.refuseLate({ companyId: '1', executionId, idempotencyKey: keys[index] ?? 'no such key' }),
    refuseAt: (idempotencyKey: string, id = executionId) => engine.refuseLate({ companyId: '1', executionId: id, idempotencyKey }),
    async send() {
      sends.at(-1)?.();
      await expect.poll(async () => (await engine.execution('1', executionId))?.state.status).toBe('waiting');
    },
    reply: () =>
      engine.receiveMessage({
        companyId: '1',
        botId: 'b',
        eventId: `e${(said += 1)}`,
        user: { id: 'u' },
        message: { id: 'm', type: 'text', text: 'x' },
      }),
    sends,
    engine,
    record: async () => (await engine.execution('1', executionId))?.state,
    leaves: async () =>
      (await engine.history('1', executionId))
        .flatMap(({ entries }) => entries)
        .flatMap(({ nodeId, port }) => (nodeId === 'ask' && port !== undefined ? [port] : [])),
  };
}

describe('engine.refuseLate', () => {
  it('lets the question that is waited for leave by windowClosed, once (WIN-02)', async () => {
    const { refuse, send, leaves, record } = await asking();
    expect(await refuse(0)).toBe('underWay');
    await send();
    expect(await refuse(0)).toBe('left');
    expect(await refuse(0)).toBe('passed');
    expect(await leaves()).toEqual(['windowClosed']);
    expect(await record()).toMatchObject({ status: 'completed', variables: { $error: { cause: 'WINDOW_CLOSED', nodeId: 'ask' } } });
  });

  it('fails an execution that has nowhere to go, as a window that was closed at once does', async () => {
    const { refuse, send, record } = await asking({ isConnected: false });
    await send();
    expect(await refuse(0)).toBe('left');
    expect(await record()).toMatchObject({ status: 'failed', ending: { failure: { cause: 'WINDOW_CLOSED' } } });
  });

  it('ignores a message before the awaited one, of another execution, or of none', async () => {
    const { refuse, refuseAt, send, reply, sends, leaves } = await asking();
    await send();
    await reply();
    await expect.poll(() => sends.length).toBe(2);
    await send();
    expect([await refuse(0), await refuseAt('f'.repeat(64)), await refuseAt('x', 'no-such-execution')]).toEqual([
      'passed',
      'passed',
      'passed',
    ]);
    expect(await leaves()).toEqual([]);
    expect(await refuse(1)).toBe('left');
    expect(await leaves()).toEqual(['windowClosed']);
  });

  it('and a concurrent reply: one of them is applied, and the execution continues once (P7)', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.shuffledSubarray(['refuse', 'reply', 'refuse again'] as const, { minLength: 2 }),
        async (scheduler, order) => {
          // What comes after the reply has its turn when the next question is sent.
          const { refuse, reply, send, leaves, record } = await asking({ isQuick: true });
          await send();
          const acts = order.map((name) =>
            scheduler.schedule(Promise.resolve(name)).then(() => (name === 'reply' ? reply().then(({ outcome }) => outcome) : refuse(0))),
          );
          await scheduler.waitAll();
          const outcomes = await Promise.all(acts);
          const left = outcomes.filter((outcome) => outcome === 'left').length;
          expect(left + outcomes.filter((outcome) => outcome === 'resumed').length).toBe(1);
          expect(await leaves()).toEqual(left === 1 ? ['windowClosed'] : []);
          await expect.poll(async () => (await record())?.status).toBe(left === 1 ? 'completed' : 'waiting');
        },
      ),
      { numRuns: 50 },
    ));
});
