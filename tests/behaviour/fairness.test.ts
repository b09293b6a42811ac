import { createEngine } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { createVirtualClock, virtualStartMs } from '../../packages/simulator/src/virtual-clock.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';

const canvas = {
  schemaVersion: 1,
  id: 'fair',
  name: 'Fair',
  nodes: [
    { id: 'slow', type: 'start', data: { keywords: ['slow'] } },
    { id: 'call', type: 'api', data: { url: 'https://api.example' } },
    { id: 'hook', type: 'webhook', data: { variableName: 'hook', methods: ['POST'], userIdPath: 'userId' } },
    { id: 'wait', type: 'delay', data: { duration: 'PT10S' } },
    { id: 'told', type: 'log', data: { name: '{{$user.id}}' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'slow', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
    { source: 'hook', sourceHandle: 'new', target: 'wait' },
    { source: 'wait', sourceHandle: 'elapsed', target: 'told' },
    { source: 'told', sourceHandle: 'next', target: 'done' },
  ],
};

describe('a slow call', () => {
  it('makes no timer of another user late (P9)', async () => {
    const conversation = await simulate(canvas);
    await conversation.webhook({ body: { userId: '5215512345678' } });
    await conversation.says('slow');
    await conversation.passes('5s');
    await conversation.webhook({ body: { userId: '593987654321' } });
    await conversation.passes('30s');
    const told = conversation.calls.filter(({ effect, origin }) => effect === 'log.event' && origin.userId === '593987654321');
    expect(told.map(({ atMs }) => atMs - virtualStartMs)).toEqual([15_000]);
  });

  it('delays a timer of its own user only until the answer', async () => {
    const conversation = await simulate(canvas);
    await conversation.webhook({ body: { userId: '5215512345678' } });
    await conversation.says('slow');
    await conversation.passes('30s');
    await conversation.apiAnswers({ status: 200 });
    expect((await conversation.executions()).map(({ state }) => state.status)).toEqual(['completed', 'completed']);
  });

  it('delays the messages of its own user only', async () => {
    const conversation = await simulate(canvas);
    await conversation.says('slow');
    await conversation.says('slow');
    const other = {
      companyId: '1',
      botId: 'bot',
      eventId: 'e',
      user: { id: '593987654321' },
      message: { id: 'm', type: 'text', text: 'slow' },
    };
    await conversation.engine.receiveMessage(other);
    await conversation.settles();
    expect(conversation.calls.map(({ origin }) => origin.userId)).toEqual(['5215512345678', '593987654321']);
    await conversation.apiAnswers({ status: 200 });
    expect(conversation.calls.map(({ origin }) => origin.userId)).toEqual(['5215512345678', '593987654321', '5215512345678']);
  });
});

const napping = {
  schemaVersion: 1,
  id: 'napping',
  name: 'Napping',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'nap', type: 'delay', data: { duration: 'PT1H' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'nap' },
    { source: 'nap', sourceHandle: 'elapsed', target: 'done' },
  ],
};

describe('a process that finds a backlog of overdue timers', () => {
  it('serves another company among the first of a backlog that it finds, and fires each timer of it once (P11, P23)', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const clock = createVirtualClock();
    const first = createEngine({ nodes: standardNodes, store, clock });
    // One more than a slice has, all of them due before those of the other company.
    for (const [companyId, count] of Object.entries({ many: 513, few: 3 })) {
      await first.company(companyId).publish(napping);
      await Promise.all(Array.from({ length: count }, () => first.company(companyId).start('napping')));
      clock.advanceBy(1);
    }
    await first.whenIdle();
    await first.stop();
    clock.advanceBy(2 * 3_600_000);
    const second = createEngine({ nodes: standardNodes, store, clock });
    const ended: { readonly companyId: string; readonly executionId: string }[] = [];
    second.on('execution.ended', (one) => ended.push(one));
    expect(await second.fireDueTimers()).toBeLessThan(516);
    expect(ended.slice(0, 128).filter(({ companyId }) => companyId === 'few')).toHaveLength(3);
    while ((await second.fireDueTimers()) > 0);
    expect([ended.length, new Set(ended.map(({ executionId }) => executionId)).size]).toEqual([516, 516]);
    await store.close();
  });
});
