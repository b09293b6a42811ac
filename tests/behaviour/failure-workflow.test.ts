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
  const talk = await simulate({ canvases: [failing, told], company: { failureWorkflowId: 'alarm' } });
  await talk.says('order');
  return talk;
}
const text = 'Sorry. {{$input.failure.workflowId ?? ""}} failed at {{$input.failure.nodeId ?? ""}}: {{$input.failure.cause ?? ""}}';

describe('the workflow that a company has for failures', () => {
  it('is started with what failed, for the user whom it failed', async () => {
    const talk = await failed(alarm(says('sorry', text), ['done', 'end', { outputs: { failure: '{{$input.failure ?? null}}' } }]));
    await talk.apiAnswers({ status: 500 });
    expect(talk.sent.at(-1)).toMatchObject({ text: 'Sorry. order failed at price: HTTP_STATUS' });
    const [order, told, ...more] = await talk.executions();
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
    const talk = await failed(alarm(says('sorry', text), ['done', 'end']));
    await talk.apiAnswers({ status: 500 });
    await talk.plays({ kind: 'restarts' });
    expect((await talk.executions()).filter(({ workflowId }) => workflowId === 'alarm')).toHaveLength(1);
    expect(talk.sent).toHaveLength(1);
  });

  it('is not started for its own failures', async () => {
    const talk = await failed(alarm(['done', 'end', { outcome: 'failed' }]));
    await talk.apiAnswers({ status: 500 });
    expect((await talk.executions()).map(({ workflowId, state }) => [workflowId, state.status])).toEqual([
      ['order', 'failed'],
      ['alarm', 'failed'],
    ]);
  });

  it('is not started for a completed or cancelled execution, nor for a child, whose caller gets the failure', async () => {
    const told = alarm(says('sorry', text), ['done', 'end']);
    const talk = await failed(told);
    await talk.plays({ kind: 'cancels' });
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
    for (const one of [talk, calling]) expect((await one.executions()).filter(({ workflowId }) => workflowId === 'alarm')).toEqual([]);
    expect((await calling.executions()).map(({ state }) => state.status)).toEqual(['completed', 'failed']);
  });

  it('does not prevent the end when it is missing, which is reported', async () => {
    const talk = await simulate({ canvases: [failing], company: { failureWorkflowId: 'gone' } });
    await talk.says('order');
    await talk.apiAnswers({ status: 500 });
    expect((await talk.executions()).map(({ state }) => state.status)).toEqual(['failed']);
    expect(talk.transcript()).toContain('There is no workflow "gone"');
  });
});
