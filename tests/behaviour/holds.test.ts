import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';

/** Calls `look`, then asks. */
const desk = {
  schemaVersion: 1,
  id: 'desk',
  name: 'Desk',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'call', type: 'workflow', data: { workflowId: 'look' } },
    { id: 'sure', type: 'ask', data: { message: { type: 'text', text: 'Shall we?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'sure' },
    { source: 'sure', sourceHandle: 'answered', target: 'done' },
  ],
};

/** Holds its user while it calls out, if it may. */
const look = (kind: 'skill' | 'tool') => ({
  schemaVersion: 1,
  id: 'look',
  name: 'Look',
  kind,
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'ask', type: 'api', data: { url: 'https://shop.example', hold: { enabled: true, message: 'One moment', onMessage: 'discard' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'success', target: 'done' },
  ],
});

describe('a user who writes while a child calls out', () => {
  it.each([
    ['is held by a skill: what they write is discarded, and answered (RET-01, RET-06)', 'skill', ['One moment', 'Shall we?'], 'waiting'],
    ['is not held by a tool: what they write answers the next question (RET-05)', 'tool', ['Shall we?'], 'completed'],
  ] as const)('%s', async (_what, kind, said, status) => {
    const conversation = await simulate({ canvases: [desk, look(kind)] });
    await conversation.says('hello');
    await conversation.says('Yes');
    await conversation.apiAnswers({ status: 200 });
    expect(conversation.sent.map((message) => (message as { readonly text?: string }).text)).toEqual(said);
    expect((await conversation.execution())?.state.status).toBe(status);
  });
});

/** Calls a shop that may take 10 s, again after a pause when that fails, and then asks. */
const patient = (onMessage: 'discard' | 'queue') => ({
  schemaVersion: 1,
  id: 'patient',
  name: 'Patient',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    {
      id: 'call',
      type: 'api',
      data: {
        url: 'https://shop.example',
        timeout: 'PT10S',
        hold: { enabled: true, onMessage },
        retry: { attempts: 3, delay: 'PT20S', jitter: 'none' },
      },
    },
    { id: 'sure', type: 'ask', data: { message: { type: 'text', text: 'Shall we?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'sure' },
    { source: 'call', sourceHandle: 'error', target: 'sure' },
    { source: 'sure', sourceHandle: 'answered', target: 'done' },
  ],
});

describe('a message that a node keeps for the next wait (RET-06)', () => {
  const unmatchedIn = (conversation: Awaited<ReturnType<typeof simulate>>): string[] => {
    const texts: string[] = [];
    conversation.engine.on('message.unmatched', ({ message: { text } }) => texts.push(typeof text === 'string' ? text : ''));
    return texts;
  };

  it.each([
    ['at once', 0],
    ['after a time-out and the pause of a retry', 35],
    ['after two', 85],
    ['after three, by the port for errors', 95],
  ])('answers the question that comes %s, and what was written later comes behind it', async (_when, seconds) => {
    const conversation = await simulate(patient('queue'));
    const unmatched = unmatchedIn(conversation);
    await conversation.says('hello');
    await conversation.says('Yes');
    if (seconds > 0) {
      await conversation.passes('11s');
      await conversation.says('Later');
      await conversation.passes(`${seconds - 11}s`);
    }
    if (seconds < 90) await conversation.apiAnswers({ status: 200 });
    expect((await conversation.execution())?.state).toMatchObject({ status: 'completed', variables: { $context: { answer: 'Yes' } } });
    expect(unmatched).toEqual(seconds === 0 ? [] : ['Later']);
  });

  it('is not kept by a node that discards: what is written after its hold has a turn', async () => {
    const conversation = await simulate(patient('discard'));
    const unmatched = unmatchedIn(conversation);
    await conversation.says('hello');
    await conversation.says('Yes');
    await conversation.passes('10s');
    await conversation.says('Later');
    expect(unmatched).toEqual(['Later']);
    await conversation.passes('50s');
    await conversation.apiAnswers({ status: 200 });
    expect((await conversation.execution())?.state.status).toBe('waiting');
  });
});
