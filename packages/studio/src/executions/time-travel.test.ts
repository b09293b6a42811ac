import type { JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import type { Execution, HistoryEntry } from '../api/client.ts';
import { createTester } from '../worker/tester.ts';
import fc from 'fast-check';
import { changesBetween, chatAt, forkAt, overlayAt, scriptUntil, stepsThatMayCall, timeline, variablesAt } from './time-travel.ts';

const entry = (minute: number, nodeId: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  nodeId,
  visitNumber: 1,
  type: 'node',
  ...more,
});
const entries: readonly HistoryEntry[] = [
  entry(0, 'begin', { port: 'next', heard: { type: 'text', text: 'order' } }),
  entry(0, 'which', { effect: { key: 'k', type: 'message.send', request: { message: { type: 'text', text: 'Order?' } } } }),
  entry(200, 'which', { port: 'answered', heard: { type: 'button', payload: 'seven', text: 'Seven' } }),
  entry(200, 'look', { effect: { key: 'k', type: 'http.request', request: { method: 'GET' } } }),
  entry(201, 'look', {
    port: 'success',
    effect: { key: 'k', type: 'http.request', result: { kind: 'response', status: 200, body: { state: 'lost' } } },
  }),
];
const execution = {
  status: 'waiting',
  wait: { kind: 'reply', nodeId: 'lost', openedAt: '', dueAt: new Date(Date.UTC(2026, 0, 1, 4, 21)).toISOString() },
} as Execution;

describe('time travel', () => {
  it('lists the differences between two steps by the deepest paths, and nothing else', () => {
    const before = { $context: { order: 7, user: { name: 'Ana' }, gone: null, list: [1] } };
    const after = { $context: { order: 7, user: { name: 'Ben', age: 3 }, list: [1, 2] } };
    expect(changesBetween(before, after)).toEqual([
      { path: '$context.user.name', before: 'Ana', after: 'Ben' },
      { path: '$context.user.age', before: undefined, after: 3 },
      { path: '$context.gone', before: null, after: undefined },
      { path: '$context.list', before: [1], after: [1, 2] },
    ]);
    const anyVariables = fc
      .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
      .map((value) => structuredClone(value) as JsonObject);
    fc.assert(
      fc.property(anyVariables, anyVariables, (one, another) => {
        expect(changesBetween(one, one)).toEqual([]);
        const there = changesBetween(one, another);
        const back = changesBetween(another, one).map(({ path, before: old, after: now }) => ({ path, before: now, after: old }));
        expect(new Set(back.map((change) => JSON.stringify(change)))).toEqual(new Set(there.map((change) => JSON.stringify(change))));
      }),
    );
  });

  it('finds the steps that may have called a child: where it began to wait when the child began', () => {
    const calls = [
      entry(1, 'one'),
      entry(2, 'two', { port: 'next' }),
      entry(2, 'two'),
      entry(2, 'three', { effect: { key: 'k', type: 'message.send' } }),
      entry(2, 'four'),
    ];
    const began = (minute: number) => stepsThatMayCall(calls, { createdAt: entry(minute, '').at });
    expect([began(0), began(1), began(2)]).toEqual([[], [1], [3, 5]]);
  });

  it('at each step shows what had happened by then, and at the end the execution as it is', () => {
    expect(overlayAt(entries, 0, execution, 0)).toEqual({ taken: {}, passed: new Set() });
    expect(overlayAt(entries, 2, execution, 0)).toEqual({ taken: { 'begin\0next': 1 }, passed: new Set(['begin']), running: 'which' });
    const now = overlayAt(entries, entries.length, execution, Date.UTC(2026, 0, 1, 3, 21));
    expect([now.waiting, now.running, now.taken?.['look\0success']]).toEqual([{ nodeId: 'lost', text: '1 h' }, undefined, 1]);
    expect(chatAt(entries, 0)).toEqual([]);
    expect(chatAt(entries, 2).map(({ isFromUser, message }) => [isFromUser, message])).toEqual([
      [true, { type: 'text', text: 'order' }],
      [false, { type: 'text', text: 'Order?' }],
    ]);
  });

  it('shows the variables that were written by a step, and at the end those of the execution', () => {
    const writes = [
      entry(0, 'a', { writes: [{ path: '$context.order', value: 7 }] }),
      entry(1, 'b', { writes: [{ path: '$context.order' }, { path: '$context.r.body', value: { ok: true } }] }),
    ];
    const done = { variables: { $context: { all: true } } } as unknown as Execution;
    expect([0, 1].map((step) => variablesAt([...writes, entry(2, 'c')], step, done))).toEqual([{}, { $context: { order: 7 } }]);
    expect(variablesAt([...writes, entry(2, 'c')], 2, done)).toEqual({ $context: { r: { body: { ok: true } } } });
    expect(variablesAt(writes, 2, done)).toEqual(done.variables);
  });

  it('compresses long gaps, and shows their length', () => {
    const ticks = timeline(entries);
    expect(ticks.map(({ gap }) => gap)).toEqual([undefined, undefined, '3 h 20 min', undefined, undefined]);
    expect(ticks.every(({ at }, index) => index === 0 || at > (ticks[index - 1]?.at ?? 0))).toBe(true);
  });

  it('a fork of what a webhook began calls the webhook, and offers what calls answered after its step', () => {
    const taken = {
      body: { user: '52155', id: 7 },
      headers: {},
      query: {},
      method: 'POST',
      mode: 'new',
      executionId: 'e',
      isNewExecution: true,
    };
    const called = [
      entry(0, 'hook', { type: 'webhook', port: 'new', writes: [{ path: '$webhook.order', value: taken }] }),
      ...entries.slice(3),
    ];
    const about = { channel: 'web', userId: '52155' } as Execution;
    expect(forkAt(called, 2, about)).toEqual({
      script: 'webhook: POST body {"user":"52155","id":7}\ntime: +12000000ms',
      channel: 'web',
      userId: '52155',
      startAt: Date.parse(called[0]?.at ?? ''),
      answers: { look: 'api: 200 {"state":"lost"}' },
    });
  });

  it('a fork begins with the inputs and results until its step, as a script that the tester plays', async () => {
    expect(scriptUntil(entries, 2)).toBe('user: order');
    const script = scriptUntil(entries, 5);
    expect(script).toBe('user: order\ntime: +12000000ms\nuser: [payload seven] Seven\ntime: +60000ms\napi: 200 {"state":"lost"}');
    const canvas = {
      schemaVersion: 1,
      id: 'a',
      name: 'A',
      nodes: [
        { id: 's', type: 'start', data: { fallback: true } },
        { id: 'which', type: 'ask', data: { message: { type: 'text', text: 'Order?' }, input: { kind: 'text' }, timeout: 'P1D' } },
        { id: 'look', type: 'api', data: { url: 'https://example.com', timeout: 'PT5M', saveAs: '$context.r' } },
        { id: 'e', type: 'end' },
      ],
      edges: [
        { source: 's', target: 'which' },
        { source: 'which', sourceHandle: 'answered', target: 'look' },
        { source: 'look', sourceHandle: 'success', target: 'e' },
      ],
    };
    const view = await createTester(standardNodes).start([canvas], script, {
      channel: 'whatsapp',
      company: {},
      user: { id: '5215512345678' },
    });
    expect(view.error).toBeUndefined();
    expect(view.taken['look\0success']).toBe(1);
  });
});
