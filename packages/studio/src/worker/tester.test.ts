import { readFileSync } from 'node:fs';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { scoreLead } from '../../../../examples/own-node/score-lead.ts';
import { asCanvas, type CanvasJson, portKey } from '../canvas/canvas-json.ts';
import type { TestSetting } from './protocol.ts';
import { checkDraft } from './serve-worker.ts';
import { createTester, runTranscripts, searchConversation } from './tester.ts';

const examples = new URL('../../../../examples/workspace/', import.meta.url);
const orderStatus = asCanvas(JSON.parse(readFileSync(new URL('canvases/order-status.json', examples), 'utf8')))!;
const transcript = readFileSync(new URL('transcripts/order-status.lost.txt', examples), 'utf8');
const setting: TestSetting = {
  channel: 'whatsapp',
  company: { ordersUrl: 'http://127.0.0.1:4010' },
  user: { id: '5215512345678', names: 'Ana', phone: '5215512345678' },
};

describe('a test of a draft', () => {
  it('converses, asks for results of calls, skips time, and lists the ports it took', async () => {
    const tester = createTester(standardNodes);
    await tester.start([orderStatus], '', setting);
    await tester.play('user: order');
    const asked = await tester.play('user: 77');
    expect(asked.calls).toMatchObject([{ effect: 'http.request', nodeId: 'look', example: 'api: 200 {"ok":true}' }]);
    const lost = await tester.play('api: 200 {"state":"lost"}');
    expect(lost.wait).toMatchObject({ kind: 'reply', nodeId: 'lost' });
    expect(lost.taken).toEqual({
      [portKey('begin', 'next')]: 1,
      [portKey('which', 'answered')]: 1,
      [portKey('look', 'success')]: 1,
      [portKey('state', 'lost')]: 1,
    });
    const over = await tester.play('time: +1h');
    expect([over.status, over.nowMs - lost.nowMs]).toEqual(['completed', 3_600_000]);
    expect(over.taken[portKey('lost', 'timeout')]).toBe(1);
  });

  it('is of the company: its plan and zone, and begins when an execution did, but kept tests do not', async () => {
    const facts = { name: 'Acme', plan: 'free', kind: 'self-service', timeZone: 'America/Lima' };
    const startAt = Date.UTC(2026, 4, 1, 12);
    const told: CanvasJson = {
      schemaVersion: 1,
      id: 'told',
      name: 'Told',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'tell', type: 'message', data: { message: { type: 'text', text: '{{$company.name}}, {{$company.plan}}' } } },
        { id: 'wait', type: 'delay', data: { duration: 'P1D' } },
      ],
      edges: [
        { source: 'begin', target: 'tell' },
        { source: 'tell', sourceHandle: 'sent', target: 'wait' },
      ],
    };
    const view = await createTester(standardNodes).start([told], 'user: hello', { ...setting, facts, startAt });
    expect([view.nowMs, JSON.stringify(view.lines.at(-1))]).toEqual([startAt, expect.stringContaining('Acme, free')]);
    const kept = [{ name: 'lost', text: transcript }];
    const { results } = await runTranscripts([orderStatus], kept, { ...setting, startAt }, standardNodes, () => 0);
    expect(results.map(({ isPassed }) => isPassed)).toEqual([true]);
  });

  it('asks for the result of a host’s own effect, and accepts only one that fits its schema', async () => {
    const own = new URL('../../../../examples/own-node/canvases/qualify-lead.json', import.meta.url);
    const qualifyLead = asCanvas(JSON.parse(readFileSync(own, 'utf8')))!;
    const tester = createTester([...standardNodes, scoreLead]);
    const { calls } = await tester.start([qualifyLead], 'user: demo\nuser: Acme\nuser: 2000', setting);
    expect(calls).toMatchObject([{ effect: 'leads.score', nodeId: 'score', example: 'answer leads.score: {"kind":"scored","score":0}' }]);
    expect((await tester.play('answer leads.score: {"kind":"scored","score":101}')).error).toContain('no answer of leads.score at "score"');
    const { status, lines } = await tester.play('answer leads.score: {"kind":"scored","score":99}');
    expect([status, JSON.stringify(lines.at(-1))]).toEqual(['completed', expect.stringContaining('We call Acme today (99 points)')]);
  });

  it('an edit plays the conversation again: the same script on another canvas', async () => {
    const tester = createTester(standardNodes);
    const edited: CanvasJson = JSON.parse(JSON.stringify(orderStatus).replace('What is your order number?', 'Your order?')) as CanvasJson;
    const first = await tester.start([orderStatus], 'user: order\nuser: x', setting);
    const second = await tester.start([edited], first.transcript, setting);
    const expected = JSON.stringify(first.lines).replace('What is your order number?', 'Your order?');
    expect(JSON.stringify(second.lines)).toBe(expected);
    expect(expected).toContain('Your order?');
  });

  it('a failed input is reported, and leaves the test unchanged', async () => {
    const tester = createTester(standardNodes);
    const before = await tester.start([orderStatus], 'user: order', setting);
    const after = await tester.play('nonsense');
    expect(after.error).toContain('nonsense');
    expect(after.transcript).toBe(before.transcript);
    expect(await tester.play('user: 5')).not.toHaveProperty('error');
  });

  it('runs transcripts, shows differences, and the ports that none takes', async () => {
    const wrong = transcript.replace('Order 77 was lost', 'Order 77 was found');
    const { results, neverTaken } = await runTranscripts(
      [orderStatus],
      [
        { name: 'lost', text: transcript },
        { name: 'wrong', text: wrong },
        { name: 'broken', text: 'what: is this' },
      ],
      setting,
      standardNodes,
      () => 0,
    );
    expect(results.map(({ name, isPassed }) => [name, isPassed])).toEqual([
      ['lost', true],
      ['wrong', false],
      ['broken', false],
    ]);
    expect(results[2]?.actual).toContain('Line 1');
    expect(neverTaken).toContain('look.error');
    expect(neverTaken).not.toContain('look.success');
  });
});

describe('the check', () => {
  it('returns ports and summaries, and names types that only a service knows', () => {
    const { problems, nodes, unknownTypes } = checkDraft(
      { ...orderStatus, nodes: [...orderStatus.nodes, { id: 'mine', type: 'score-lead', data: {} }] },
      [],
      standardNodes,
    );
    expect(nodes.find(({ nodeId }) => nodeId === 'state')?.ports.map(({ name }) => name)).toEqual(['shipped', 'lost', 'else']);
    expect(nodes.find(({ nodeId }) => nodeId === 'look')?.summary).toContain('GET');
    expect(unknownTypes).toEqual(['score-lead']);
    expect(problems.map(({ code }) => code)).toContain('UNKNOWN_NODE_TYPE');
  });

  it.each([null, 7, '{', { nodes: 3 }, { id: 'a', nodes: [{}] }])('never throws: %j', (draft) => {
    expect(checkDraft(draft, [], standardNodes).problems.length).toBeGreaterThan(0);
  });
});

describe('a search for a conversation', () => {
  const still = (): number => 0;

  it.each([
    ['which', 'timeout'],
    ['which', 'invalid'],
    ['look', 'error'],
    ['state', 'else'],
  ])('leaves %s by %s', async (nodeId, port) => {
    const script = await searchConversation([orderStatus], `${nodeId}.${port}`, setting, standardNodes, still);
    const { taken } = await createTester(standardNodes).start([orderStatus], script!, setting);
    expect(taken[portKey(nodeId, port)]).toBe(1);
  });

  it('follows the way of a problem', async () => {
    const way = [{ nodeId: 'begin', port: 'next' }, { nodeId: 'which' }];
    const [start] = orderStatus.nodes.filter(({ type }) => type === 'start');
    const script = await searchConversation(
      [orderStatus],
      { way: [{ ...way[0]!, nodeId: start!.id }, way[1]!] },
      setting,
      standardNodes,
      still,
    );
    const view = await createTester(standardNodes).start([orderStatus], script!, setting);
    expect(view.wait?.nodeId).toBe('which');
  });

  it('says so where there is none, and ends in time', async () => {
    expect(await searchConversation([orderStatus], 'look.sideways', setting, standardNodes, still)).toBeUndefined();
    let now = 0;
    expect(await searchConversation([orderStatus], 'state.else', setting, standardNodes, () => (now += 10_001))).toBeUndefined();
  });
});
