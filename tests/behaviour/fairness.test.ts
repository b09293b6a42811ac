import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { virtualStartMs } from '../../packages/simulator/src/virtual-clock.ts';

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
