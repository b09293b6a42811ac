import { describe, expect, it } from 'vitest';
import { textsOf, variablesIn } from './search-canvas.ts';

describe('searching a canvas', () => {
  it('lists where each variable is written and read', () => {
    const nodes = [
      { id: 'ask', type: 'ask', data: { message: { text: 'Which, {{$user.name}}?' }, saveAs: '$context.order' } },
      { id: 'set', type: 'set', data: { assignments: [{ path: '$context.total', value: '{{$context.order + 1}}' }] } },
      { id: 'say', type: 'message', data: { message: { text: '{{$context.order}} costs {{$context.total}} of {{$context.order}}' } } },
    ];
    expect(variablesIn({ nodes })).toEqual([
      { path: '$user.name', writtenAt: [], readAt: ['ask'] },
      { path: '$context.order', writtenAt: ['ask'], readAt: ['set', 'say'] },
      { path: '$context.total', writtenAt: ['set'], readAt: ['say'] },
    ]);
  });

  it('finds texts at every depth', () => {
    expect(textsOf({ a: ['x', { b: 'y' }], c: 1, d: null })).toEqual(['x', 'y']);
    expect(textsOf(undefined)).toEqual([]);
    expect(textsOf({ message: { type: 'text', text: 'text' }, input: { kind: 'number', type: ['x'] } })).toEqual(['text']); // no codes
  });
});
