/** The port `interrupted` of the nodes that wait for others: a message of the user's ends the wait, where an edge leads on. */
import { HiloError, type JsonObject } from '@hilo/engine/contract';
import { simulate, visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { waitEvent } from './wait-event.ts';
import { waitExternal } from './wait-external.ts';
import { webhook } from './webhook.ts';
import { workflow } from './workflow.ts';

const nodes = [
  [waitEvent, { name: 'paid' }],
  [waitExternal, {}],
  [webhook, { variableName: 'call', methods: ['POST'] }],
  [workflow, { workflowId: 'other' }],
] as const;
const results = [{ kind: 'interrupted', message: { type: 'text', text: 'cancel' } }];

describe.each(nodes)('the wait of $type', (definition, config) => {
  it('is interruptible only where an edge leads on, so that a canvas without it waits as before', () => {
    const request = (connected: readonly string[]) => visit(definition as never, { config, connected }).effects[0]?.request;
    expect(request(['timeout'])).not.toHaveProperty('isInterruptible');
    expect(request(['interrupted'])).toHaveProperty('isInterruptible', true);
  });

  it('leaves by interrupted, with the message, and writes nothing else', () => {
    expect(visit(definition as never, { config, results })).toMatchObject({ by: 'interrupted', writes: {}, failure: undefined });
  });
});

const messageNode = (id: string, text: string) => ({ id, type: 'message', data: { message: { type: 'text', text } } });
const edge = (source: string, sourceHandle: string, target: string) => ({ source, sourceHandle, target });
const waiting = (wait: JsonObject, port: string): JsonObject => ({
  schemaVersion: 1,
  id: 'main',
  name: 'Main',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user', executionIdPath: 'execution' } },
    { id: 'begin', type: 'start', data: { keywords: ['go'] } },
    { id: 'wait', ...wait },
    messageNode('done', 'Done.'),
    messageNode('stopped', 'Stopped: {{$message.text}}'),
    { id: 'end', type: 'end', data: {} },
  ],
  edges: [
    edge('hook', 'new', 'end'),
    edge('begin', 'next', 'wait'),
    edge('wait', port, 'done'),
    edge('wait', 'interrupted', 'stopped'),
    edge('done', 'sent', 'end'),
    edge('stopped', 'sent', 'end'),
  ],
});

const child: JsonObject = {
  schemaVersion: 1,
  id: 'other',
  name: 'Other',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['other'] } },
    { id: 'name', type: 'ask', data: { message: { type: 'text', text: 'Your name?' }, input: { kind: 'text' } } },
    { id: 'pause', type: 'wait-event', data: { name: 'ready' } },
    { id: 'end', type: 'end', data: {} },
  ],
  edges: [edge('begin', 'next', 'name'), edge('name', 'answered', 'pause'), edge('pause', 'received', 'end')],
};

describe('a message of the user', () => {
  it.each<[string, JsonObject, string, string]>([
    ['wait-event', { type: 'wait-event', data: { name: 'paid' } }, 'received', 'signal'],
    ['wait-external', { type: 'wait-external', data: {} }, 'resumed', 'webhook'],
  ])('ends %s; what it waited for then comes too late, and without a message it comes', async (_type, wait, port, by) => {
    const canvas = waiting(wait, port);
    const come = async (talk: Awaited<ReturnType<typeof simulate>>): Promise<void> => {
      if (by === 'signal') return talk.signals('paid');
      const { executionId = '' } = (await talk.execution()) ?? {};
      await talk.webhook({ body: { execution: executionId } }).catch((error: unknown) => {
        if (!(error instanceof HiloError)) throw error;
      });
    };
    const stopped = await simulate(canvas);
    await stopped.says('go');
    await stopped.says('cancel');
    await come(stopped);
    expect(stopped.sent).toMatchObject([{ text: 'Stopped: cancel' }]);
    const done = await simulate(canvas);
    await done.says('go');
    await come(done);
    expect(done.sent).toMatchObject([{ text: 'Done.' }]);
  });

  it('is the answer of the called workflow while that asks, and ends it while it does not', async () => {
    const talk = await simulate({
      canvases: [waiting({ type: 'workflow', data: { workflowId: 'other' } }, 'success'), child],
    });
    await talk.says('go');
    await talk.says('Ana');
    expect(talk.sent).toMatchObject([{ text: 'Your name?' }]);
    await talk.says('stop it');
    expect(talk.sent).toMatchObject([{ text: 'Your name?' }, { text: 'Stopped: stop it' }]);
    expect((await talk.executions()).map(({ workflowId, state }) => [workflowId, state.status])).toEqual([
      ['main', 'completed'],
      ['other', 'cancelled'],
    ]);
  });
});
