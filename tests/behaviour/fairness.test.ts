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
    const talk = await simulate(canvas);
    await talk.webhook({ body: { userId: '5215512345678' } });
    await talk.says('slow');
    await talk.passes('5s');
    await talk.webhook({ body: { userId: '593987654321' } });
    await talk.passes('30s');
    const told = talk.calls.filter(({ effect, origin }) => effect === 'log.event' && origin.userId === '593987654321');
    expect(told.map(({ atMs }) => atMs - virtualStartMs)).toEqual([15_000]);
  });

  it('delays a timer of its own user only until the answer', async () => {
    const talk = await simulate(canvas);
    await talk.webhook({ body: { userId: '5215512345678' } });
    await talk.says('slow');
    await talk.passes('30s');
    await talk.apiAnswers({ status: 200 });
    expect((await talk.executions()).map(({ state }) => state.status)).toEqual(['completed', 'completed']);
  });

  it('delays the messages of its own user only', async () => {
    const talk = await simulate(canvas);
    await talk.says('slow');
    await talk.says('slow');
    const other = {
      companyId: '1',
      botId: 'bot',
      eventId: 'e',
      user: { id: '593987654321' },
      message: { id: 'm', type: 'text', text: 'slow' },
    };
    await talk.engine.receiveMessage(other);
    await talk.settles();
    expect(talk.calls.map(({ origin }) => origin.userId)).toEqual(['5215512345678', '593987654321']);
    await talk.apiAnswers({ status: 200 });
    expect(talk.calls.map(({ origin }) => origin.userId)).toEqual(['5215512345678', '593987654321', '5215512345678']);
  });
});
