import { fits, type Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mayFit, parseJson } from './json-bounds.ts';

const bounds = fc.record({ depth: fc.nat({ max: 6 }), keys: fc.nat({ max: 8 }), parts: fc.integer({ min: 1, max: 20 }) });
const spaced = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'));

describe('bounds of JSON (P20, P33)', () => {
  it('are counted before the text is parsed as they are afterwards: nothing is refused that fits', () =>
    fc.assert(
      fc.property(spaced, bounds, ([value, space], given) => {
        const text = JSON.stringify(value, null, space);
        const parsed = JSON.parse(text) as Json;
        expect(parseJson(text, given)).toEqual(fits(parsed, given) ? parsed : undefined);
      }),
    ));

  it.each([
    ['brackets in a text', JSON.stringify(['[{"\\'.repeat(1_000)]), { depth: 1, keys: 0, parts: 2 }],
    ['a text that ends in backslashes', JSON.stringify(['\\\\"', ':']), { depth: 1, keys: 0, parts: 3 }],
    ['lists with nothing in them', '[[],[],[]]', { depth: 1, keys: 0, parts: 4 }],
    ['the deepest level that is empty', '[[[]]]', { depth: 2, keys: 0, parts: 3 }],
  ])('do not take %s for more than it is', (_what, text, given) => {
    expect(mayFit(text, given)).toBe(true);
    expect(parseJson(text, given)).toEqual(JSON.parse(text));
  });

  it('find what is no JSON, and what cannot be kept', () => {
    for (const text of ['', '{', '[1,]', '"', '1e999', '[1e999]']) expect(parseJson(text)).toBeUndefined();
  });

  it.each([
    ['500,000 levels', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['330,000 items', `[${'[],'.repeat(330_000)}1]`],
  ])('refuse %s before anything is built of them', (_what, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    expect(parseJson(text, { parts: 30_000 })).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
  });
});
