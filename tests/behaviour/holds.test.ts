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
