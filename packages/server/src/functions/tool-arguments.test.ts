import type { Json, JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { checkArguments } from './tool-server.ts';

const text: JsonObject = { properties: { a: { type: 'string' } } };
const inside = (depth: number, value: Json): Json => (depth === 0 ? value : [inside(depth - 1, value)]);

describe('the arguments of a tool', () => {
  it('are checked as an object even when the schema does not say so', () => {
    expect(checkArguments(text, { a: 'x' })).toBeUndefined();
    expect(checkArguments(text, { a: 1 })).toContain('a: ');
  });

  it('are looked at behind a reference', () => {
    const schema = { properties: { a: { $ref: '#/$defs/text' } }, $defs: { text: { type: 'string' } } };
    expect(checkArguments(schema, { a: 'x' })).toBeUndefined();
    expect(checkArguments(schema, { a: 1 })).toContain('a: ');
  });

  const doubling = Array.from({ length: 30 }, (_, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/at${index + 1}` };
    return [`at${index}`, index === 29 ? { type: 'string' } : { anyOf: [next, next] }];
  });
  const tree = { anyOf: [{ type: 'array', items: { $ref: '#/$defs/at0' } }, { type: 'string' }] };
  it.each<[string, JsonObject, Json]>([
    ['a schema that doubles with each reference', Object.fromEntries(doubling), 1],
    ['a schema that goes round in circles', { at0: tree }, inside(20, 1)],
    ['a reference to nowhere', {}, 1],
    [
      'many ways for many values',
      { at0: { items: { anyOf: Array.from({ length: 500 }, (_, index) => ({ const: index })) } } },
      Array.from({ length: 500 }, () => -1),
    ],
  ])('are left to the function by %s (P20)', (_what, $defs, a) => {
    expect(checkArguments({ properties: { a: { $ref: '#/$defs/at0' } }, $defs }, { a })).toBeUndefined();
  });

  it('are no matter for a pattern that a company wrote (T18)', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' }, format: { type: 'string' } } };
    expect(checkArguments(schema, { a: `${'a'.repeat(40)}!`, format: 'x' })).toBeUndefined();
    expect(checkArguments(schema, { a: '', format: 1 })).toContain('format: ');
  });
});
