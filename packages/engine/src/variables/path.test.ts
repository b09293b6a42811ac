import fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import type { Json } from '../contract/json.ts';
import { forbiddenNames, formatPath, getPath, parsePath, setPath } from './path.ts';

const name = fc.stringMatching(/^[A-Za-z_$][\w$-]{0,6}$/).filter((text) => !forbiddenNames.has(text));
const path = fc.tuple(name, fc.array(fc.oneof(name, fc.nat({ max: 5 })), { maxLength: 5 })).map(([first, rest]) => [first, ...rest]);
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json);

/** A second reader of paths, written from the sentence "own properties only". */
function plainGet(root: Json | undefined, steps: readonly (string | number)[]): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return root;
  const own = root !== null && typeof root === 'object' ? Object.entries(root).find(([key]) => key === String(step)) : undefined;
  return own === undefined ? undefined : plainGet(own[1], rest);
}

describe('path', () => {
  it('reads back what it writes as text', () =>
    fc.assert(
      fc.property(path, (steps) => {
        expect(parsePath(formatPath(steps))).toEqual(steps);
      }),
    ));

  it('gets what a plain walk over own properties gets', () =>
    fc.assert(
      fc.property(json, path, (root, steps) => {
        expect(getPath(root, steps)).toEqual(plainGet(root, steps));
      }),
    ));

  it('gets what was set, and changes nothing else', () =>
    fc.assert(
      fc.property(fc.dictionary(name, json), path, json, (root, steps, value) => {
        // A position past the end of a list is refused, which has an example of its own.
        fc.pre(steps.every((_step, index) => !Array.isArray(getPath(root, steps.slice(0, index)))));
        const before = structuredClone(root);
        const after = produce(root, (draft) => setPath(draft as Parameters<typeof setPath>[0], steps, value));
        expect(getPath(after as Json, steps)).toEqual(value);
        expect(root).toEqual(before);
        expect({ ...after, [steps[0] ?? '']: null }).toEqual({ ...before, [steps[0] ?? '']: null });
      }),
    ));

  it('removes with undefined', () => {
    expect(produce({ a: { b: 1, c: 2 } }, (draft) => setPath(draft, ['a', 'b'], undefined))).toEqual({ a: { c: 2 } });
  });

  it.each(['__proto__', 'prototype', 'constructor'])('refuses %s at any step (T8)', (forbidden) => {
    for (const text of [forbidden, `a.${forbidden}`, `a[0].${forbidden}.b`]) expect(parsePath(text)).toBeUndefined();
    expect(getPath({ a: {} }, ['a', forbidden])).toBeUndefined();
    expect(getPath(JSON.parse(`{"${forbidden}": 1}`) as Json, [forbidden])).toBeUndefined();
    expect(() => setPath({}, [forbidden, 'x'], 1)).toThrow(RangeError);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each(['', '.', 'a.', '.a', 'a..b', '[0]', 'a[', 'a[x]', 'a[-1]'])('refuses the text "%s"', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });

  it('reads list positions in both spellings', () => {
    const root: Json = { items: [{ qty: 2 }, { qty: 5 }] };
    expect(getPath(root, parsePath('items[1].qty') ?? [])).toBe(5);
    expect(getPath(root, parsePath('items.1.qty') ?? [])).toBe(5);
    expect(getPath(root, parsePath('items.length') ?? [])).toBeUndefined();
  });

  it('appends to a list and no further', () => {
    expect(produce({ list: [1] as Json[] }, (draft) => setPath(draft, ['list', 1], 2))).toEqual({ list: [1, 2] });
    expect(() => produce({ list: [1] as Json[] }, (draft) => setPath(draft, ['list', 3], 2))).toThrow(RangeError);
  });
});
