import { describe, expect, it } from 'vitest';
import { replayScript, simulate } from '../../testing/src/index.ts';

/** Hands over at any message, and sends the port by which the conversation came back. */
const handsOver = (data: object = {}, sent = ['closed', 'expired', 'noAgent', 'error']): object => ({
  schemaVersion: 1,
  id: 'help',
  name: 'Help',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'person', type: 'handoff', data: { timeout: 'PT2H', saveAs: '$context.talk', ...data } },
    ...sent.map((port) => ({ id: port, type: 'end', data: { outputs: { by: port, talk: '{{$context.talk ?? null}}' } } })),
  ],
  edges: [{ source: 'begin', target: 'person' }, ...sent.map((port) => ({ source: 'person', sourceHandle: port, target: port }))],
});

const byOf = async (conversation: Awaited<ReturnType<typeof simulate>>) => (await conversation.execution())?.state.ending?.outputs['by'];

describe('a hand-off in virtual time', () => {
  it.each([
    ['2h', 1, 'expired'],
    ['2h', -1, undefined],
  ] as const)('expires after its idle time: %s and %i ms', async (_time, moreMs, by) => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await conversation.passes(7_200_000 + Math.min(0, moreMs));
    expect(await byOf(conversation)).toBe(by);
    await conversation.passes(1);
    expect(await byOf(conversation)).toBe('expired');
  });

  it('counts its time from the last message, of the user or of the operator', async () => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await conversation.passes('1h59m');
    await conversation.says('Are you there?');
    await conversation.passes('1h59m');
    await conversation.operator('says', 'I am here');
    await conversation.passes('1h59m');
    expect(await byOf(conversation)).toBeUndefined();
    expect(await conversation.nextDueMs()).toBe(conversation.clock.now() + 60_000);
    await conversation.passes('1m');
    expect(await byOf(conversation)).toBe('expired');
    expect(conversation.sent).toEqual([{ type: 'text', text: 'I am here' }]);
  });

  it.each([
    ['closes', 'closed', { conversationId: 'conversation-1', state: 'closed', endedReason: 'closed_by_operator', operatorId: null }],
    ['expires', 'expired', { conversationId: 'conversation-1', state: 'expired', endedReason: 'expired', operatorId: null }],
  ] as const)('ends when the operator %s it', async (does, by, saved) => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await conversation.operator(does);
    expect((await conversation.execution())?.state.ending?.outputs).toEqual({ by, talk: saved });
    expect(await conversation.nextDueMs()).toBeUndefined();
  });

  it('finds no operator where there is none, once', async () => {
    const conversation = await simulate(handsOver());
    await conversation.operator('none');
    await conversation.says('help');
    expect(await byOf(conversation)).toBe('noAgent');
    await conversation.says('help');
    expect((await conversation.execution())?.state.wait?.kind).toBe('handoff');
  });

  it('passes the user’s messages to the operator, and to the bot again when it has ended', async () => {
    const script = `user: help
  handoff.open: {"idleMs":7200000,"waits":true}
  waits: handoff handoff conversation-1
user: My lamp hums
  operator hears: My lamp hums
user: {"type":"image","mediaUrl":"https://files.example/lamp.jpg"}
  operator hears: [image]
operator: closes
  ended: completed {"by":"closed","talk":{"conversationId":"conversation-1","state":"closed","endedReason":"closed_by_operator","operatorId":null}}
operator: closes
  unmatched: no operator talks with the user
user: help
  handoff.open: {"idleMs":7200000,"waits":true}
  waits: handoff handoff conversation-2
`;
    expect(await replayScript([handsOver()], script)).toBe(script);
  });

  it('leaves the user with the operator under "end", until the conversation is over', async () => {
    const canvas = handsOver({ mode: 'end' }, ['noAgent', 'error']);
    const conversation = await simulate(canvas);
    await conversation.says('help');
    expect((await conversation.execution())?.state.status).toBe('completed');
    await conversation.says('Hello?');
    expect(await conversation.executions()).toHaveLength(1);
    await conversation.passes('2h');
    await conversation.says('help');
    expect(await conversation.executions()).toHaveLength(2);
  });

  it.each(['null', '{}', '{"state":"done"}', '"closed"'])('is not ended by an invalid payload: %s', async (payload) => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await expect(conversation.signals('handoff', 'conversation-1', JSON.parse(payload) as null)).rejects.toMatchObject({
      code: 'INVALID_SCRIPT',
    });
    expect((await conversation.execution())?.state.status).toBe('waiting');
    await expect(replayScript([handsOver()], `user: help\nsignal: handoff conversation-1 ${payload}\n`)).rejects.toMatchObject({
      code: 'INVALID_SCRIPT',
    });
  });

  it('may be ended by a signal as well, after which nothing expires', async () => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await conversation.signals('handoff', 'conversation-1', { state: 'resolved' });
    expect(await byOf(conversation)).toBe('closed');
    await conversation.passes('1d');
    expect(conversation.transcript()).not.toContain('expired');
  });

  it('outlives the process', async () => {
    const conversation = await simulate(handsOver());
    await conversation.says('help');
    await conversation.restarts();
    await conversation.passes('1h');
    await conversation.passes('59m');
    expect(await byOf(conversation)).toBeUndefined();
    await conversation.passes('1m');
    expect(await byOf(conversation)).toBe('expired');
  });
});

describe('an unmatched message', () => {
  const waitsForAna = {
    schemaVersion: 1,
    id: 'order',
    name: 'Order',
    nodes: [
      { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer.phone' } },
      { id: 'first', type: 'wait-event', data: { name: 'ready', correlation: '7' } },
      { id: 'ask', type: 'ask', data: { message: { type: 'text', text: 'Well?' }, input: { kind: 'text' }, timeout: 'PT2H' } },
      { id: 'done', type: 'end', data: {} },
      { id: 'late', type: 'end', data: {} },
    ],
    edges: [
      { source: 'hook', sourceHandle: 'new', target: 'first' },
      { source: 'first', target: 'ask' },
      { source: 'ask', sourceHandle: 'answered', target: 'done' },
      { source: 'ask', sourceHandle: 'timeout', target: 'late' },
    ],
  };
  const lastLine = (conversation: Awaited<ReturnType<typeof simulate>>) => conversation.transcript().split('\n').at(-1);

  it('names what the flow waits for', async () => {
    const reasons: string[] = [];
    const conversation = await simulate({
      canvases: [waitsForAna],
      channel: 'web',
      user: { id: '5215512345678' },
      observer: { unmatched: (reason) => void reasons.push(reason) },
    });
    await conversation.says('Hi');
    expect(lastLine(conversation)).toBe('  unmatched'); // nothing waits, so that nothing is named
    await conversation.webhook({ body: { customer: { phone: '51999000111' } } });
    await conversation.says('Hi');
    expect(lastLine(conversation)).toBe('  unmatched: the flow waits for 51999000111; 5215512345678 wrote');
    await conversation.signals('ready', '8');
    expect(lastLine(conversation)).toBe('  unmatched: the flow waits for the signal ready 7; ready 8 came');
    expect(reasons).toEqual([
      'nothing waits for a message, and no start has this keyword or is a fallback',
      'the flow waits for 51999000111; 5215512345678 wrote',
      'the flow waits for the signal ready 7; ready 8 came',
    ]);
  });

  it('is no webhook call without a user: it uses the one of the simulation', async () => {
    const conversation = await simulate({ canvases: [waitsForAna], channel: 'web', user: { id: '51911111111' } });
    expect(await conversation.webhook({ body: { number: 7 } })).toMatchObject({ mode: 'new' });
    expect((await conversation.execution())?.state.origin.userId).toBe('51911111111');
    expect(conversation.transcript()).toContain('webhook: POST {"number":7} query {"userId":"51911111111"}');
    await conversation.webhook({ body: { customer: { phone: '51922222222' } } });
    await conversation.webhook({ query: { userId: '51933333333' } });
    expect((await conversation.executions()).map(({ state }) => state.origin.userId)).toEqual([
      '51911111111',
      '51922222222',
      '51933333333',
    ]);
    expect(await replayScript([waitsForAna], conversation.transcript(), { channel: 'web', user: { id: '51911111111' } })).toBe(
      conversation.transcript(),
    );
  });
});
