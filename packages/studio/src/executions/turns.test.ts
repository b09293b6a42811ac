import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../api/client.ts';
import { nextStop, spentUntil, stopBefore, stopsOf, turnUntil } from './turns.ts';

const at = '2031-03-03T09:00:00.000Z';
const visit = (visitNumber: number) => ({ at, nodeId: 'talk', visitNumber, type: 'agent' });
const ask = (key: string, ...messages: readonly { readonly [name: string]: string | number | boolean }[]) => ({
  effect: { type: 'model.ask', key, request: { model: 'small', messages } },
});
const answer = (key: string, calls: readonly { readonly [name: string]: string }[], more: { readonly [name: string]: string } = {}) => ({
  effect: {
    type: 'model.ask',
    key,
    result: { kind: 'answered', text: '', calls, finish: 'tools', usage: { inputTokens: 100, outputTokens: 10 }, ...more },
  },
});
const failed = (key: string) => ({
  effect: { type: 'model.ask', key, result: { kind: 'failed', reason: 'timeout', message: 'It failed' } },
});
const call = (tool: string, input: string) => ({ id: 'c1', tool, input });
const output = (tool: string, value: string | number, isError = false) => ({ role: 'tool', id: 'c1', tool, output: value, isError });

/** Two turns and the agreement to a call: a model that fails once, a tool, a tool that there is not, a tool that is asked for, an exit. */
const talk: readonly HistoryEntry[] = [
  { at, nodeId: 'begin', visitNumber: 1, type: 'start', port: 'next', heard: { text: 'is it there?' } },
  { ...visit(1), ...ask('1', { role: 'user', text: 'my card is [[v2]]' }) },
  { ...visit(1), ...failed('1') },
  { ...visit(1), ...ask('2', { role: 'user', text: 'my card is [[v2]]' }) },
  { ...visit(1), ...answer('2', [call('stock', '{"sku":"A"}')]) },
  { ...visit(1), ...ask('3', output('stock', 3)) },
  { ...visit(1), ...answer('3', [], { text: 'Three are left' }), port: 'again' },
  { ...visit(2), effect: { type: 'message.send', key: '4', request: {} } },
  { ...visit(2), effect: { type: 'message.send', key: '4', result: { kind: 'sent', messageId: 'm' } } },
  { ...visit(2), ...ask('5', { role: 'user', text: 'please' }), heard: { text: 'please' } },
  { ...visit(2), ...answer('5', [call('nope', '{')]) },
  { ...visit(2), ...ask('6', output('nope', 'There is no tool "nope".', true)) },
  { ...visit(2), ...answer('6', [call('order', '{}')]), port: 'again' },
  { ...visit(3), heard: { text: 'Yes' } },
  { ...visit(3), ...ask('7', output('order', 'O-1')) },
  { ...visit(3), ...answer('7', [call('exit_ordered', '{}')]), port: 'ordered' },
  { at, nodeId: 'done', visitNumber: 1, type: 'end' },
];

describe('the turns of an agent', () => {
  it('are one step each of the timeline', () => {
    expect(stopsOf(talk)).toEqual([1, 7, 13, 16, 17]);
    expect([0, 1, 6, 7, 16, 17].map((step) => stopBefore(stopsOf(talk), step))).toEqual([0, 0, 1, 1, 13, 16]);
    expect([0, 1, 6, 7, 16, 17].map((step) => nextStop(stopsOf(talk), step))).toEqual([1, 7, 7, 13, 17, 17]);
  });

  it('tell who called what, and with which result', () => {
    const told = (step: number) =>
      turnUntil(talk, step).map(({ who, reason, text, calls }) => ({
        ...(who !== undefined && { who }),
        ...(reason !== undefined && { reason }),
        ...(text !== undefined && { text }),
        ...(calls.length > 0 && { calls: calls.map(({ tool, input, output: got }) => [tool, input, got?.value, got?.isError]) }),
      }));
    expect(told(7)).toEqual([
      { who: 'small', reason: 'timeout' },
      { who: 'small', calls: [['stock', '{"sku":"A"}', 3, false]] },
      { who: 'small', text: 'Three are left' },
    ]);
    expect(told(5)).toEqual([
      { who: 'small', reason: 'timeout' },
      { who: 'small', calls: [['stock', '{"sku":"A"}', undefined, undefined]] },
    ]);
    expect(told(13)).toEqual([
      {},
      { who: 'small', calls: [['nope', '{', 'There is no tool "nope".', true]] },
      { who: 'small', calls: [['order', '{}', undefined, undefined]] },
    ]);
    expect(told(16)).toEqual([{}, { who: 'small', calls: [['exit_ordered', '{}', undefined, undefined]] }]);
  });

  it.each([
    ['while a model is asked', 2, { turns: 1, modelCalls: 1, toolCalls: 0, tokens: 0 }],
    ['after a failure that nobody counted', 3, { turns: 1, modelCalls: 1, toolCalls: 0, tokens: 0 }],
    ['after a turn', 7, { turns: 1, modelCalls: 3, toolCalls: 1, tokens: 220 }],
    ['while the next one waits', 9, { turns: 1, modelCalls: 3, toolCalls: 1, tokens: 220 }],
    ['once it agreed', 14, { turns: 3, modelCalls: 5, toolCalls: 3, tokens: 440 }],
    ['at its exit, which is no call of a tool', 16, { turns: 3, modelCalls: 6, toolCalls: 3, tokens: 550 }],
  ])('have spent %s', (_when, step, spent) => {
    expect(spentUntil(talk, step)).toEqual(spent);
  });

  it('spend anew where the agent is entered again', () => {
    const again = { ...visit(4), ...ask('8', { role: 'user', text: 'one more' }) };
    expect(spentUntil([...talk, again], talk.length + 1)).toEqual({ turns: 1, modelCalls: 1, toolCalls: 0, tokens: 0 });
  });
});

/** Histories of few nodes and keys, so that visits meet, split and are masked. */
const histories = fc.array(
  fc.record(
    {
      at: fc.constant(at),
      nodeId: fc.constantFrom('talk', 'other'),
      visitNumber: fc.integer({ min: 1, max: 2 }),
      type: fc.constantFrom('agent', 'decide', 'message', 'execution.migrated'),
      port: fc.constantFrom('again', 'done'),
      heard: fc.constant({ text: 'hi' }),
      effect: fc.record(
        {
          type: fc.constantFrom('model.ask', 'function.call'),
          key: fc.constantFrom('1', '2', '3'),
          request: fc.oneof(fc.constant({ model: 'small', messages: [output('stock', 3)] }), fc.jsonValue()),
          result: fc.oneof(fc.constant({ kind: 'answered', calls: [call('stock', '{}')] }), fc.jsonValue()),
        },
        { requiredKeys: ['type', 'key'] },
      ),
    },
    { requiredKeys: ['at', 'nodeId', 'visitNumber', 'type'] },
  ),
  { maxLength: 20 },
) as fc.Arbitrary<readonly HistoryEntry[]>;

describe('any history', () => {
  it('is reached by stops: each step is one, or is in a line of the turn of the next one', () => {
    fc.assert(
      fc.property(histories, (entries) => {
        const stops = stopsOf(entries);
        const seen = entries.map((_, index) => {
          const stop = nextStop(stops, index);
          const inTurn = turnUntil(entries, stop).flatMap(({ step, answeredAt }) => [step, answeredAt]);
          return stop === index + 1 || inTurn.includes(index + 1);
        });
        expect(seen).toEqual(entries.map(() => true));
      }),
    );
  });

  it('is in the lines of a turn once: of its visit, each step until the chosen one, and nothing else', () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 20 }), (given, chosen) => {
        // A visit is of one node, and a node of one type.
        const entries = given.map((entry) => ({ ...entry, type: entry.nodeId === 'talk' ? 'agent' : 'message' }));
        const here = entries[chosen - 1];
        const told = turnUntil(entries, chosen).flatMap(({ step, answeredAt }) => [
          step,
          ...(answeredAt === undefined ? [] : [answeredAt]),
        ]);
        const own = entries.flatMap(({ nodeId, visitNumber }, index) =>
          index < chosen && nodeId === here?.nodeId && visitNumber === here.visitNumber ? [index + 1] : [],
        );
        expect(told.toSorted((one, other) => one - other)).toEqual(own);
      }),
    );
  });
});
