import { simulate } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from './flows.ts';

const secret = 'PIN-4711';
const done = ['done', 'end'] as const;

describe('mask', () => {
  it('keeps a request out of the history of the execution that it begins', async () => {
    const talk = await simulate(
      flow([['hook', 'webhook', { variableName: 'order', methods: ['POST'], userIdPath: 'user', mask: true }], done], ['new']),
    );
    await talk.webhook({ body: { user: '5215512345678', pin: secret } });
    expect(JSON.stringify(await talk.variables())).toContain(secret);
    expect(JSON.stringify(await talk.history())).not.toContain(secret);
  });

  it('keeps the message that begins an execution out of its history', async () => {
    const talk = await simulate(flow([['begin', 'start', { fallback: true, mask: true }], done], ['next']));
    await talk.says(secret);
    expect(JSON.stringify(await talk.variables())).toContain(secret);
    expect(JSON.stringify(await talk.history())).not.toContain(secret);
  });

  it('keeps the inputs of a call out of the history of the workflow that is called', async () => {
    const caller = flow(
      [['begin', 'start', { fallback: true }], ['call', 'workflow', { workflowId: 'tool', inputs: { pin: secret }, mask: true }], done],
      ['next', 'success'],
    );
    const tool = flow([['begin', 'start', { mask: true }], done], ['next'], { id: 'tool', kind: 'tool' });
    const talk = await simulate({ canvases: [caller, tool] });
    await talk.says('hi');
    const histories = await Promise.all((await talk.executions()).map(({ executionId }) => talk.history(executionId)));
    expect(histories).toHaveLength(2);
    expect(JSON.stringify(histories)).not.toContain(secret);
  });
});
