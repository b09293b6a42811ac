import { createEngine } from '@hilo/engine';
import type { Clock } from '@hilo/engine/contract';
import { defineNode, leave } from '@hilo/engine/node-kit';
import { createMemoryCanvases, createMemoryStore } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock } from '../../packages/testing/src/index.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const canvas = {
  schemaVersion: 1,
  id: 'busy',
  name: 'Busy',
  nodes: [
    { id: 'start', type: 'start', data: { fallback: true } },
    { id: 'busy', type: 'busy', data: {} },
    { id: 'end', type: 'end', data: {} },
  ],
  edges: [
    { source: 'start', target: 'busy' },
    { source: 'busy', target: 'end' },
  ],
};

/** A process that died with one message of each of these users accepted, and the next one over its store; each visit takes this long. */
async function begin(users: number, visitMs: number, executions = createMemoryStore()) {
  const happened: string[] = [];
  const time = createVirtualClock();
  let nowMs = 0;
  const clock: Clock = {
    now: () => time.now() + nowMs,
    setTimeout(callback, delayMs) {
      if (delayMs > 0) return time.setTimeout(callback, delayMs);
      happened.push('pause');
      return setImmediate(callback);
    },
    clearTimeout: time.clearTimeout,
  };
  const busy = defineNode({
    type: 'busy',
    config: z.strictObject({}),
    ports: ['next'],
    visual: { label: 'Busy', category: 'data', icon: 'box', colour: '#0f766e', description: 'Takes its time.', summary: () => '' },
    run() {
      nowMs += visitMs;
      happened.push('visit');
      return leave('next');
    },
  });
  const canvases = createMemoryCanvases();
  const engine = createEngine({ nodes: [...standardNodes, busy], clock, store: { executions, canvases } });
  await engine.company('1').publish(canvas);
  for (let user = 0; user < users; user += 1) {
    const accepted = { kind: 'message', botId: 'b', userId: `u${user}`, message: { id: `m${user}`, type: 'text', text: 'hi' } } as const;
    const enqueue = [{ companyId: '1', lane: `1/user/b/u${user}`, acceptedAtMs: 0, accepted }];
    await executions.commit({ saves: [], history: [], contacts: [], enqueue, dequeue: [] });
  }
  happened.length = 0; // a publish may try a node
  return { engine, happened, time };
}

describe('recovery', () => {
  it('gives up the event loop between lanes whose work is long (P20)', async () => {
    const { engine, happened } = await begin(20, 9);
    const { recovered } = await engine.begin();
    await recovered;
    expect(happened.filter((what) => what === 'visit')).toHaveLength(20);
    expect(happened.join(' ')).not.toContain('visit visit');
  });

  it('does not pause between lanes whose work is short', async () => {
    const { engine, happened } = await begin(20, 0);
    await (await engine.begin()).recovered;
    expect(happened.filter((what) => what === 'pause').length).toBeLessThan(3);
  });

  it('lets calls wait until what is unfinished is known, and puts that first', async () => {
    const executions = createMemoryStore();
    const { promise: mayList, resolve: list } = Promise.withResolvers<void>();
    const unfinished = executions.unfinished.bind(executions);
    executions.unfinished = async (...page) => mayList.then(() => unfinished(...page));
    const { engine, happened } = await begin(1, 1, executions);
    const { recovered } = await engine.begin();
    expect(engine.isRecovering()).toBe(true);
    const user = { id: 'u0' };
    const answered = engine.company('1').message({ bot: 'b', deliveryId: 'd', user, message: { id: 'late', type: 'text', text: 'hi' } });
    const idle = engine.whenIdle();
    expect(happened).toEqual([]);
    list();
    await Promise.all([recovered, answered, idle]);
    expect(engine.isRecovering()).toBe(false);
    expect(happened.filter((what) => what === 'visit')).toHaveLength(2);
  });

  it('refuses calls for now that would wait for too long', async () => {
    const executions = createMemoryStore();
    executions.unfinished = async () => new Promise(() => {});
    const { engine, time } = await begin(1, 1, executions);
    await engine.begin();
    const refused = engine
      .company('1')
      .start('busy')
      .catch((error: unknown) => error);
    while (time.nextMs() === undefined) await Promise.resolve();
    time.advanceBy(10_000);
    expect(await refused).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('begins with nothing unfinished', async () => {
    const { engine } = await begin(0, 1);
    await (await engine.begin()).recovered;
    expect(engine.isRecovering()).toBe(false);
  });
});
