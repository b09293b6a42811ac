import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { patient } from './patient.ts';

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
    const conversation = await simulate(patient('queue', 'PT20S'));
    const unmatched = unmatchedIn(conversation);
    await conversation.says('hello');
    await conversation.says('Yes');
    if (seconds > 0) {
      await conversation.passes('11s');
      await conversation.says('Later');
      await conversation.passes(`${seconds - 11}s`);
    }
    if (seconds < 90) await conversation.apiAnswers({ status: 200 });
    // What came before its wait says so, by the clock of the service.
    const replies = (await conversation.history()).flatMap(({ event }) => (event.type === 'reply.received' ? [event] : []));
    expect(replies.map(({ acceptedAtMs, atMs }) => acceptedAtMs !== undefined && acceptedAtMs <= atMs)).toEqual([true]);
    expect((await conversation.execution())?.state).toMatchObject({ status: 'completed', variables: { $context: { answer: 'Yes' } } });
    expect(unmatched).toEqual(seconds === 0 ? [] : ['Later']);
  });

  const pauses = {
    delay: { type: 'delay', data: { duration: 'PT1H' } },
    event: { type: 'wait-event', data: { name: 'paid' } },
    none: { type: 'message', data: { message: { type: 'text', text: 'Noted' } } },
  };

  it.each(
    Object.entries(pauses).flatMap(([name, pause]) =>
      [0, 31, 41].flatMap((seconds) =>
        [{ keywords: ['yes'] }, { fallback: true }, { keywords: ['no'] }].map((start) => ({ name, pause, seconds, start })),
      ),
    ),
  )('is a new message where the next wait takes no reply: "$name" after $seconds s, start $start', async ({ pause, seconds, start }) => {
    const { nodes, edges } = patient('queue', 'PT20S');
    const call = { ...nodes[1], data: { ...nodes[1]?.data, retry: { attempts: 2, delay: 'PT20S', jitter: 'none' } } };
    const pausing = {
      ...patient('queue', 'PT20S'),
      nodes: [nodes[0], call, { id: 'sure', ...pause }, nodes[3]],
      edges: edges.map(({ sourceHandle, ...edge }) =>
        edge.source === 'sure'
          ? { ...edge, ...(pause.type === 'wait-event' && { sourceHandle: 'received' }) }
          : { ...edge, ...(sourceHandle !== undefined && { sourceHandle }) },
      ),
    };
    const other = {
      schemaVersion: 1,
      id: 'other',
      name: 'Other',
      nodes: [
        { id: 'begin', type: 'start', data: start },
        { id: 'done', type: 'end', data: { outputs: { said: '{{$message.text}}' } } },
      ],
      edges: [{ source: 'begin', target: 'done' }],
    };
    const conversation = await simulate({ canvases: [pausing, other] });
    const unmatched = unmatchedIn(conversation);
    const said: unknown[] = [];
    conversation.engine.on('execution.ended', ({ workflowId }, { outputs }) => void (workflowId === 'other' && said.push(outputs)));
    await conversation.says('hello');
    await conversation.says('Yes');
    if (seconds > 0) await conversation.passes(`${seconds}s`);
    if (seconds < 40) await conversation.apiAnswers({ status: 200 });
    const isMatched = start.keywords?.[0] !== 'no';
    expect([said, unmatched]).toEqual(isMatched ? [[{ said: 'Yes' }], []] : [[], ['Yes']]);
  });

  it('is not kept by a node that discards: what is written after its hold has a turn', async () => {
    const conversation = await simulate(patient('discard', 'PT20S'));
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

/** Calls a shop, keeps what is written meanwhile, and hands over: to an operator, or to a question where there is none. */
const helpDesk = (mode: 'park' | 'end') => ({
  schemaVersion: 1,
  id: 'helpdesk',
  name: 'Help desk',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'call',
      type: 'api',
      data: {
        url: 'https://shop.example',
        timeout: 'PT10S',
        hold: { enabled: true, onMessage: 'queue' },
        retry: { attempts: 2, delay: 'PT20S', jitter: 'none' },
      },
    },
    { id: 'person', type: 'handoff', data: { mode } },
    { id: 'sure', type: 'ask', data: { message: { type: 'text', text: 'Shall we?' }, input: { kind: 'text' }, saveAs: '$context.answer' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'person' },
    { source: 'call', sourceHandle: 'error', target: 'person' },
    ...(mode === 'park' ? [{ source: 'person', sourceHandle: 'closed', target: 'sure' }] : []),
    { source: 'person', sourceHandle: 'noAgent', target: 'sure' },
    { source: 'sure', sourceHandle: 'answered', target: 'done' },
  ],
});

describe('a message that a node keeps before a hand-off (RET-06)', () => {
  const heardIn = async (mode: 'park' | 'end') => {
    const heard: string[] = [];
    const unmatched: string[] = [];
    const observer = { heard: (text: string) => void heard.push(text), unmatched: (reason: string) => void unmatched.push(reason) };
    return { heard, unmatched, conversation: await simulate({ canvases: [helpDesk(mode)], observer }) };
  };

  it.each([
    ['park', 'at once', 0],
    ['end', 'at once', 0],
    ['park', 'after a time-out and the pause of a retry', 31],
    ['park', 'by the port for errors', 41],
    ['end', 'by the port for errors', 41],
  ] as const)('is heard by the operator before what is written to them: "%s", %s', async (mode, _when, seconds) => {
    const { heard, unmatched, conversation } = await heardIn(mode);
    await conversation.says('help');
    await conversation.says('It hums');
    await conversation.says('Loudly');
    if (seconds > 0) await conversation.passes(`${seconds}s`);
    expect(heard).toEqual(seconds > 40 ? ['It hums', 'Loudly'] : []);
    if (seconds <= 40) await conversation.apiAnswers({ status: 200 });
    await conversation.says('Hello?');
    expect([heard, unmatched]).toEqual([['It hums', 'Loudly', 'Hello?'], []]);
    await conversation.operator('closes');
    expect((await conversation.execution())?.state.status).toBe(mode === 'park' ? 'waiting' : 'completed');
    expect(await conversation.executions()).toHaveLength(1);
  });

  it('is heard once, also when the process is replaced between the two', async () => {
    const { heard, conversation } = await heardIn('park');
    await conversation.says('help');
    await conversation.says('It hums');
    await conversation.restarts();
    await conversation.apiAnswers({ status: 200 });
    await conversation.restarts();
    expect(heard).toEqual(['It hums']);
  });

  it('answers the question that comes where there is no operator', async () => {
    const { heard, conversation } = await heardIn('park');
    await conversation.operator('none');
    await conversation.says('help');
    await conversation.says('Yes');
    await conversation.apiAnswers({ status: 200 });
    expect(heard).toEqual([]);
    expect((await conversation.execution())?.state).toMatchObject({ status: 'completed', variables: { $context: { answer: 'Yes' } } });
  });
});
