import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { describe, expect, it } from 'vitest';
import { says, smallCanvas } from '../cluster/small-canvas.ts';

const failing = smallCanvas(
  'order',
  [
    ['begin', 'start', { keywords: ['order'] }],
    ['price', 'api', { url: 'https://shop.example/price' }],
    says('told', 'Done'),
    ['done', 'end'],
  ],
  [
    ['begin', 'next', 'price'],
    ['price', 'success', 'told'],
    ['told', 'sent', 'done'],
  ],
);
const alarm = (...nodes: Parameters<typeof smallCanvas>[1]): object =>
  smallCanvas(
    'alarm',
    [['begin', 'start', { keywords: ['alarm'] }], ...nodes],
    nodes.map(([id], index) => [nodes[index - 1]?.[0] ?? 'begin', index === 0 ? 'next' : 'sent', id]),
  );

/** Talks to the canvas that fails, in a company that has a workflow for that. */
async function failed(told: object) {
  const conversation = await simulate({ canvases: [failing, told], company: { failureWorkflowId: 'alarm' } });
  await conversation.says('order');
  return conversation;
}
const text = 'Sorry. {{$input.failure.workflowId ?? ""}} failed at {{$input.failure.nodeId ?? ""}}: {{$input.failure.cause ?? ""}}';

describe('the workflow that a company has for failures', () => {
  it('is started with what failed, for the user whom it failed', async () => {
    const conversation = await failed(alarm(says('sorry', text), ['done', 'end', { outputs: { failure: '{{$input.failure ?? null}}' } }]));
    await conversation.apiAnswers({ status: 500 });
    expect(conversation.sent.at(-1)).toMatchObject({ text: 'Sorry. order failed at price: HTTP_STATUS' });
    const [order, told, ...more] = await conversation.executions();
    expect(more).toEqual([]);
    expect(order?.state.status).toBe('failed');
    expect(told?.state).toMatchObject({ status: 'completed', origin: { userId: '5215512345678' } });
    expect(told?.state.ending?.outputs['failure']).toEqual({
      executionId: order?.executionId,
      workflowId: 'order',
      version: 1,
      nodeId: 'price',
      cause: 'HTTP_STATUS',
      message: expect.stringContaining('500') as string,
      userId: '5215512345678',
      botId: 'bot',
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it('is committed with the failure: if the process dies then, the next one runs it', async () => {
    const conversation = await failed(alarm(says('sorry', text), ['done', 'end']));
    await conversation.apiAnswers({ status: 500 });
    await conversation.plays({ kind: 'restarts' });
    expect((await conversation.executions()).filter(({ workflowId }) => workflowId === 'alarm')).toHaveLength(1);
    expect(conversation.sent).toHaveLength(1);
  });

  it('is not started for its own failures', async () => {
    const conversation = await failed(alarm(['done', 'end', { outcome: 'failed' }]));
    await conversation.apiAnswers({ status: 500 });
    expect((await conversation.executions()).map(({ workflowId, state }) => [workflowId, state.status])).toEqual([
      ['order', 'failed'],
      ['alarm', 'failed'],
    ]);
  });

  it('is not started for a completed or cancelled execution, nor for a child, whose caller gets the failure', async () => {
    const told = alarm(says('sorry', text), ['done', 'end']);
    const conversation = await failed(told);
    await conversation.plays({ kind: 'cancels' });
    const caller = smallCanvas(
      'caller',
      [
        ['begin', 'start', { keywords: ['call'] }],
        ['child', 'workflow', { workflowId: 'order' }],
        ['done', 'end'],
      ],
      [
        ['begin', 'next', 'child'],
        ['child', 'success', 'done'],
        ['child', 'error', 'done'],
      ],
    );
    const calling = await simulate({ canvases: [caller, failing, told], company: { failureWorkflowId: 'alarm' } });
    await calling.says('call');
    await calling.apiAnswers({ status: 500 });
    for (const one of [conversation, calling])
      expect((await one.executions()).filter(({ workflowId }) => workflowId === 'alarm')).toEqual([]);
    expect((await calling.executions()).map(({ state }) => state.status)).toEqual(['completed', 'failed']);
  });

  it('does not prevent the end when it is missing, which is reported', async () => {
    const conversation = await simulate({ canvases: [failing], company: { failureWorkflowId: 'gone' } });
    await conversation.says('order');
    await conversation.apiAnswers({ status: 500 });
    expect((await conversation.executions()).map(({ state }) => state.status)).toEqual(['failed']);
    expect(conversation.transcript()).toContain('There is no workflow "gone"');
  });
});
