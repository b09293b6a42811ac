import { parseCanvas } from '@hilo/engine';
import {
  defineNode,
  type ExecutionEvent,
  type ExecutionRecord,
  type ExecutionState,
  type JsonObject,
  leave,
  Migration,
  type Verdict,
} from '@hilo/engine/contract';
import {
  compileCanvas,
  type CompiledCanvas,
  initialState,
  judgeMigration,
  nextSnapshot,
  nodeTypes,
  prepareMigration,
  snapshotOf,
} from '@hilo/engine/debug';
import { compareCanvases } from '@hilo/engine/authoring';
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { judgeAway } from '../../packages/engine/src/lane/migrate.ts';

const types = nodeTypes(standardNodes);

function compile(json: object, known = types): CompiledCanvas {
  const { canvas, problems: misshapen } = parseCanvas({ schemaVersion: 1, name: 'Order', ...json });
  if (canvas === undefined) throw new RangeError(misshapen[0]?.message);
  const { compiled, problems } = compileCanvas(
    canvas,
    canvasHash(canvas),
    known,
    undefined,
    ({ nodeId }) => `https://bots.example/${nodeId}`,
  );
  expect(problems).toEqual([]);
  return compiled;
}

type NodeJson = { readonly id: string; readonly type: string; readonly data?: object };

/** A canvas of nodes in a row, each left by its first port that is named. */
function row(nodes: readonly (NodeJson & { readonly port?: string })[], more: object = {}): CompiledCanvas {
  return compile({
    id: 'order',
    nodes: nodes.map(({ port: _port, ...node }) => node),
    edges: nodes.slice(1).map(({ id }, index) => ({ source: nodes[index]?.id, sourceHandle: nodes[index]?.port, target: id })),
    ...more,
  });
}

const start = { id: 'begin', type: 'start', data: { fallback: true }, port: 'next' };
const ask = (data: object = {}, id = 'quantity'): NodeJson & { readonly port: string } => ({
  id,
  type: 'ask',
  data: { message: { type: 'text', text: 'How many?' }, input: { kind: 'number' }, attempts: 2, saveAs: '$context.count', ...data },
  port: 'answered',
});
const say = (text: string, id = 'thanks') => ({ id, type: 'message', data: { message: { type: 'text', text } }, port: 'sent' });
const end = { id: 'done', type: 'end', data: {} };

/** An execution of a canvas after these events; effects are answered as they should be. */
function stand(
  canvas: CompiledCanvas,
  events: readonly ((state: ExecutionState) => ExecutionEvent)[] = [],
  inputs: JsonObject = {},
): ExecutionRecord {
  const origin = { companyId: '1', botId: 'bot', userId: '5215512345678', channel: 'whatsapp', route: 'production' } as const;
  const input = {
    executionId: 'e',
    rootId: 'e',
    origin,
    depth: 0,
    seed: '0123456789abcdef',
    startedAtMs: 0,
    canvasHash: canvas.hash,
    variables: { $memory: {} },
    defaults: {},
  };
  let state = initialState(input);
  const take = (event: ExecutionEvent): void => void (state = nextSnapshot(canvas, snapshotOf(state), event).state);
  const settle = (): void => {
    for (let key = state.pending?.key; key !== undefined && state.status === 'running'; key = state.pending?.key)
      take({ type: 'effect.settled', key, settled: { kind: 'result', value: { kind: 'sent', messageId: key } }, atMs: 1 });
  };
  const entry = canvas.starts[0]?.id ?? canvas.webhook?.id ?? '';
  take({ type: 'execution.started', entry, trigger: { kind: 'call', inputs, webhook: {} }, atMs: 0 });
  settle();
  for (const event of events) {
    take(event(state));
    settle();
  }
  return {
    executionId: 'e',
    companyId: '1',
    workflowId: 'order',
    version: 7,
    revision: 1,
    lane: 'l',
    createdAtMs: 0,
    updatedAtMs: 0,
    state,
  };
}

const reply =
  (text: string) =>
  (state: ExecutionState): ExecutionEvent => ({
    type: 'reply.received',
    waitId: state.wait?.id ?? '',
    message: { id: text, type: 'text', text },
    atMs: 2,
  });

function judge(record: ExecutionRecord, before: CompiledCanvas, after: CompiledCanvas, more: object = {}): Verdict {
  return judgeMigration(record, prepareMigration(Migration.parse({ workflowId: 'order', from: 7, to: 8, ...more }), before, after), 5);
}

const before = row([start, ask(), say('Thanks'), end]);

describe('what waits is judged', () => {
  it('the same, where only what people read differs', () => {
    const after = row([start, ask({ label: 'How many', notes: 'n' }), say('Thanks'), end], { variables: { brand: { default: 'x' } } });
    expect(judge(stand(before), before, after)).toEqual({ kind: 'same' });
  });

  it('changed from the node on that differs, with its way', () => {
    const after = row([start, ask(), say('Thank you'), end]);
    expect(judge(stand(before), before, after)).toEqual({
      kind: 'changed',
      difference: { nodeId: 'thanks', kind: 'data', field: 'message', way: ['quantity', 'thanks'] },
      fills: [],
    });
  });

  it('by the open visit run on both, where the node itself differs', () => {
    const once = row([start, ask({ attempts: 1 }), say('Thanks'), end]);
    expect(judge(stand(before), before, once).kind).toBe('changed');
    const refused = judge(stand(before, [reply('many')]), before, once);
    expect(refused).toEqual({
      kind: 'refused',
      reason: 'WAIT_DIFFERS',
      message:
        'At "quantity" version 8 would not wait as this execution does: after 1 reply it leaves by "invalid". Choose (at): {"quantity": {"enter": "…"}}',
      way: ['quantity'],
    });
  });

  it('refused where its wait is another kind of wait, or for another event', () => {
    const event = (name: string) => row([start, { id: 'quantity', type: 'wait-event', data: { name }, port: 'received' }, end]);
    const delay = row([start, { id: 'quantity', type: 'delay', data: { duration: 'PT1H' }, port: 'elapsed' }, end]);
    const other = judge(stand(event('paid')), event('paid'), event('sent'));
    expect(other).toMatchObject({ reason: 'WAIT_DIFFERS', message: expect.stringContaining('it waits for another event') as unknown });
    expect(judge(stand(before), before, delay)).toMatchObject({ reason: 'WAIT_DIFFERS' });
  });

  it('changed where a timer is given another time: the open one keeps its own', () => {
    const nap = (duration: string) => row([start, { id: 'nap', type: 'delay', data: { duration }, port: 'elapsed' }, end]);
    expect(judge(stand(nap('PT1H')), nap('PT1H'), nap('PT2H')).kind).toBe('changed');
  });

  it('refused where its node is gone, unless it is renamed or another is chosen', () => {
    const after = row([start, ask({}, 'amount'), say('Thanks'), end]);
    expect(judge(stand(before), before, after)).toEqual({
      kind: 'refused',
      reason: 'NODE_GONE',
      message: 'Node "quantity", where it waits, is not in version 8. Rename it (nodes), or choose (at): {"quantity": {"enter": "…"}}',
      way: ['quantity'],
    });
    expect(judge(stand(before), before, after, { nodes: { quantity: 'amount' } })).toEqual({ kind: 'same' });
    expect(judge(stand(before), before, after, { at: { quantity: { enter: 'amount' } } })).toEqual({
      kind: 'enters',
      nodeId: 'amount',
      fills: [],
    });
    expect(judge(stand(before), before, after, { at: { quantity: { cancel: 'Too old' } } })).toEqual({
      kind: 'cancels',
      reason: 'Too old',
    });
    expect(judge(stand(before), before, after, { at: { quantity: 'keep' } })).toEqual({ kind: 'keeps' });
  });

  it('refused between two attempts under one key, where its request differs', () => {
    const call = (path: string) =>
      row([
        start,
        { id: 'charge', type: 'api', data: { url: `https://pay.example/${path}`, retry: { attempts: 3, delay: 'PT5S' } }, port: 'success' },
        end,
      ]);
    const tried = stand(call('a')); // a message's answer is none of a call: the first attempt has failed
    const { state } = tried;
    expect(state.wait?.kind).toBe('retry');
    expect(judge(tried, call('a'), call('b'))).toMatchObject({
      reason: 'RETRY_OPEN',
      message: expect.stringMatching(/^"charge" is between two attempts/) as unknown,
    });
    expect(judge(tried, call('a'), call('a'))).toEqual({ kind: 'same' });
    const { wait: _wait, ...rest } = state;
    expect(judge({ ...tried, state: { ...rest, status: 'running' } }, call('a'), call('b'))).toEqual({ kind: 'busy' });
  });

  it('refused where it waits for a request to a webhook of another name', () => {
    const hooked = (id: string) =>
      row([
        { id, type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' }, port: 'new' },
        { id: 'paid', type: 'wait-external', data: {}, port: 'resumed' },
        end,
      ]);
    expect(judge(stand(hooked('order')), hooked('order'), hooked('orders'))).toMatchObject({
      reason: 'WEBHOOK_RENAMED',
      message:
        'It waits for a request to webhook "order"; in version 8 the webhook is "orders", so that its address would no longer resume it',
    });
  });

  it('refused where a third party has the address of the node, which has another name: on the way there it is a difference', () => {
    const called = (id: string, more: readonly (NodeJson & { readonly port: string })[]) =>
      row([start, ...more, { id, type: 'wait-external', data: { timeout: 'P1D' }, port: 'resumed' }, say('Thanks', 'last'), end]);
    const named = { nodes: { paid: 'payment' } };
    const given = (id: string) =>
      called(id, [
        { id: 'link', type: 'set', data: { assignments: [{ path: '$context.a', value: '{{resumeUrl()}}' }] }, port: 'next' },
        ask(),
      ]);
    expect(judge(stand(called('paid', [])), called('paid', []), called('payment', []), named)).toEqual({ kind: 'same' });
    expect(judge(stand(given('paid')), given('paid'), given('payment'), named)).toMatchObject({
      kind: 'changed',
      difference: { kind: 'webhook', nodeId: 'paid', way: ['quantity', 'paid'] },
    });
    expect(judge(stand(given('paid'), [reply('3')]), given('paid'), given('payment'), named)).toMatchObject({
      reason: 'WEBHOOK_RENAMED',
      message: expect.stringContaining('It waits for a call of the address of "paid", which is "payment" in version 8') as unknown,
    });
    expect(judge(stand(given('paid'), [reply('3')]), given('paid'), given('paid'))).toEqual({ kind: 'same' });
  });

  it('in need of a value that the target reads before it is written, and filled by the migration or by a declared default', () => {
    const reading = (more: object = {}) => row([start, ask(), say('Thanks, {{$context.brand}}'), end], more);
    expect(judge(stand(before), before, reading())).toEqual({
      kind: 'needs',
      values: [['$context', 'brand']],
      message:
        'Version 8 reads $context.brand on the way quantity → thanks, and this execution has none. Give a value: "set": {"$context.brand": "…"}',
      way: ['quantity', 'thanks'],
    });
    expect(judge(stand(before), before, reading({ variables: { brand: { default: 'acme' } } }))).toMatchObject({
      kind: 'changed',
      fills: [{ path: ['$context', 'brand'], value: 'acme' }],
    });
    const set = { '$context.brand': 'of {{$context.executionId}}' };
    expect(judge(stand(before), before, reading({ variables: { brand: { default: 'acme' } } }), { set })).toMatchObject({
      kind: 'changed',
      fills: [{ path: ['$context', 'brand'], value: 'of e' }],
    });
    expect(judge(stand(before), before, reading(), { set: { '$context.brand': '{{$context.none}}' } })).toMatchObject({
      reason: 'VALUE_REFUSED',
    });
    expect(judge(stand(before), before, reading(), { set: { '$context.brand': 'x'.repeat(70_000) } })).toMatchObject({
      reason: 'VALUE_REFUSED',
      message: expect.stringMatching(/^VALUE_TOO_LARGE/) as unknown,
    });
  });

  it('not at all, where it has ended, is there already or elsewhere; a draft and one that never began are refused', () => {
    const after = row([start, ask(), say('Thank you'), end]);
    const record = stand(before);
    expect(judge(stand(before, [() => ({ type: 'execution.cancelled', reason: 'x', atMs: 9 })]), before, after)).toEqual({ kind: 'none' });
    expect(judge({ ...record, version: 6 }, before, after)).toEqual({ kind: 'none' });
    expect(judge({ ...record, version: 8, state: { ...record.state, canvasHash: after.hash } }, before, after)).toEqual({ kind: 'none' });
    expect(judge({ ...record, version: 'draft' }, before, after)).toMatchObject({ reason: 'TEST_ROUTE' });
    const [draft, standing] = [
      { ...record, version: 'draft' as const },
      { ...record, version: 1 },
    ];
    const between = { workflowId: before.canvas.id, from: 1, to: 2 };
    // What runs a draft is told so, and not passed over, whatever its draft was.
    expect([draft, standing].map((one) => judgeAway(one, before, between, 'another'))).toEqual([undefined, { kind: 'none' }]);
    const { visit: _visit, wait: _wait, ...rest } = record.state;
    expect(judge({ ...record, state: { ...rest, status: 'quarantined' } }, before, after)).toMatchObject({ reason: 'NOT_BEGUN' });
    expect(judge({ ...record, state: { ...record.state, status: 'quarantined' } }, before, after).kind).toBe('changed');
  });
});

describe('a mapping that does not fit is refused, and says why', () => {
  const after = row([start, ask({}, 'amount'), say('Thanks'), say('Bye', 'bye'), end]);
  const hooked = row([
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' }, port: 'new' },
    end,
  ]);

  it.each([
    ['a rename of a node that is not there', { nodes: { none: 'amount' } }, /"none", which version 7 does not have/],
    ['a rename to a node that is not there', { nodes: { quantity: 'none' } }, /to "none", which version 8 does not have/],
    ['a rename of a node that is still there', { nodes: { thanks: 'bye' } }, /"thanks", which version 8 has too/],
    ['two renames to one', { nodes: { quantity: 'amount', begin: 'amount' } }, /"begin", which version 8 has too/],
    ['a rename to a node that both have', { nodes: { quantity: 'thanks' } }, /makes "thanks" of both "thanks" and "quantity"/],
    ['a choice for a node that is not there', { at: { none: 'keep' } }, /"at" names "none"/],
    ['a node to enter that is not there', { at: { quantity: { enter: 'none' } } }, /"at" enters "none"/],
    ['a value for no place', { set: { '$user.names': 'x' } }, /"set": "\$user.names" is not a place to write/],
    ['a value that is no expression', { set: { '$context.brand': '{{1 +}}' } }, /"set" of \$context.brand/],
  ])('%s', (_name, more, reason) => {
    expect(() => judge(stand(before), before, after, more)).toThrow(reason);
  });

  it('a rename of the webhook', () => {
    const other = row([
      { id: 'other', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' }, port: 'new' },
      end,
    ]);
    expect(() => judge(stand(hooked), hooked, other, { nodes: { hook: 'other' } })).toThrow(/renames the webhook "hook"/);
  });
});

describe('the comparison counts', () => {
  it('the type of a node, also where its data is the same', () => {
    const own = ['mark', 'note-down'].map((type) =>
      defineNode({
        type,
        config: z.strictObject({}),
        visual: { label: type, category: 'flow', icon: 'x', colour: '#000', description: type },
        ports: ['next'],
        run: () => leave('next'),
      }),
    );
    const marked = (type: string) =>
      compile(
        {
          id: 'order',
          nodes: [start, { id: 'mark', type, data: {} }, end].map(({ id, type: name, data }) => ({ id, type: name, data })),
          edges: [
            { source: 'begin', target: 'mark' },
            { source: 'mark', target: 'done' },
          ],
        },
        nodeTypes([...standardNodes, ...own]),
      );
    expect(compareCanvases(marked('mark'), marked('note-down')).differenceFrom('begin', true)).toEqual({
      nodeId: 'mark',
      kind: 'type',
      way: ['begin', 'mark'],
    });
  });

  it('the kind of the canvas, which says whether a node holds its user', () => {
    const kind = (name: string) =>
      compile({
        id: 'order',
        kind: name,
        nodes: [{ id: 'begin', type: 'start', data: {} }, { id: 'nap', type: 'delay', data: { duration: 'PT1H' } }, end],
        edges: [
          { source: 'begin', target: 'nap' },
          { source: 'nap', sourceHandle: 'elapsed', target: 'done' },
        ],
      });
    expect(compareCanvases(kind('skill'), kind('tool')).differenceFrom('nap', true)).toEqual({
      nodeId: '',
      kind: 'settings',
      field: 'kind',
      way: [],
    });
  });

  it('the webhook, also for one that cannot come to it any more', () => {
    const hooked = (oneTimeOnly: boolean) =>
      row([
        { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', oneTimeOnly }, port: 'new' },
        ask(),
        end,
      ]);
    expect(compareCanvases(hooked(false), hooked(true)).differenceFrom('quantity', true)).toEqual({
      nodeId: 'hook',
      kind: 'webhook',
      way: [],
    });
  });

  it('what failures lead to, until it has run', () => {
    const caught = (text: string) =>
      compile({
        id: 'order',
        nodes: [start, ask(), end, { id: 'caught', type: 'catch', data: {} }, say(text, 'sorry')].map(({ id, type, data }) => ({
          id,
          type,
          data,
        })),
        edges: [
          { source: 'begin', target: 'quantity' },
          { source: 'quantity', sourceHandle: 'answered', target: 'done' },
          { source: 'caught', target: 'sorry' },
          { source: 'sorry', sourceHandle: 'sent', target: 'done' },
        ],
      });
    const comparison = compareCanvases(caught('Sorry'), caught('So sorry'));
    expect(comparison.differenceFrom('quantity', false)).toMatchObject({ nodeId: 'sorry', kind: 'data', way: ['caught', 'sorry'] });
    expect(comparison.differenceFrom('quantity', true)).toBeUndefined();
    expect(compareCanvases(row([start, ask(), end]), caught('Sorry')).differenceFrom('quantity', false)).toMatchObject({
      nodeId: 'caught',
      kind: 'catch',
    });
  });

  it('the outputs and the end of the session', () => {
    const more = (settings: object) => row([start, ask(), end], { settings });
    const differ = (settings: object) => compareCanvases(more({}), more(settings)).differenceFrom('quantity', true);
    expect(differ({ sessionExpiry: 'PT1H' })).toMatchObject({ kind: 'settings', field: 'sessionExpiry' });
    expect(differ({ outputs: { price: { type: 'number' } } })).toMatchObject({ kind: 'settings', field: 'outputs' });
    expect(differ({ channels: ['whatsapp'], inputs: { id: { type: 'string' } } })).toBeUndefined();
  });
});
