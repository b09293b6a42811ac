import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Write } from '../contract/variables.ts';
import { measure, unbounded } from './measure.ts';
import { applyWrite, VariableView } from './view.ts';

const key = fc.constantFrom('a', 'b', 'c');
const value: fc.Arbitrary<Json | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((json) => json as Json) },
  fc.constant(undefined),
);
const write: fc.Arbitrary<Write> = fc.record({
  path: fc.oneof(
    fc.constant(['$item']),
    key.map((name) => ['$item', name]),
    key.map((name) => ['$context', name]),
    fc.tuple(key, key).map(([first, second]) => ['$context', first, second]),
  ),
  value,
});
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const item of Object.values(Object.freeze(value))) deepFreeze(item);
  return value;
}

const sizeIn = (variables: JsonObject): number => {
  let total = 0;
  for (const scope of Object.values(variables)) {
    const size = measure(scope, unbounded);
    if (size.kind === 'fits') total += size.size;
  }
  return total;
};

describe('variables of an advance', () => {
  it('read in the advance as they are committed after it', () =>
    fc.assert(
      fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
        const view = new VariableView({ $context: { a: { b: 1 } } }, 0);
        for (const one of writes) view.write([one]);
        const committed = view.commit();
        for (const scope of ['$context', '$item']) expect(view.get([scope])).toEqual(committed[scope]);
      }),
    ));

  it('change nothing that was committed before, written, or read meanwhile', () =>
    fc.assert(
      fc.property(fc.array(fc.array(write, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }), (batches) => {
        const before: JsonObject = deepFreeze({ $context: { a: { b: 1 } }, $item: ['x'] });
        const view = new VariableView(before, 0);
        const seen: (readonly [Json | undefined, string])[] = [];
        const keep = (value: Json | undefined) => seen.push([value, JSON.stringify(value ?? null)]);
        for (const writes of batches) {
          view.write(deepFreeze(writes));
          for (const path of [['$context'], ['$item'], ['$context', 'a'], ['$item', 'b']]) keep(view.get(path));
        }
        keep(view.commit());
        keep(before);
        for (const [value, text] of seen) expect(JSON.stringify(value ?? null)).toBe(text);
      }),
    ));

  it('rolls a batch back without a trace, after any earlier writes', () =>
    fc.assert(
      fc.property(fc.array(write, { maxLength: 4 }), fc.array(write, { maxLength: 4 }), (earlier, refused) => {
        const view = new VariableView({ $context: { a: { b: 1 } } }, 0);
        for (const one of earlier) view.write([one]);
        const [variables, bytes] = [structuredClone(view.get(['$context'])), view.size];
        expect(view.write([...refused, { path: ['$context', 'a'], value: 'x'.repeat(limits.valueBytes) }])).toBeDefined();
        expect(view.get(['$context'])).toEqual(variables);
        expect(view.size).toBe(bytes);
      }),
    ));

  it('refuses a name that leads into JavaScript itself', () => {
    const view = new VariableView({ $context: {} }, 0);
    const path = ['$context', '__proto__'];
    expect(view.write([{ path, value: { polluted: true } }])?.cause).toBe('INVALID_PATH');
    expect(Object.getPrototypeOf(view.commit()['$context'])).toBe(Object.prototype);
  });

  it('applies all writes of a batch or none', () => {
    const view = new VariableView({ $context: {} }, 0);
    const tooBig = 'x'.repeat(limits.valueBytes);
    expect(
      view.write([
        { path: ['$context', 'a'], value: 1 },
        { path: ['$context', 'b'], value: tooBig },
      ])?.cause,
    ).toBe('VALUE_TOO_LARGE');
    expect(view.commit()).toEqual({ $context: {} });
  });

  it.each([
    [limits.valueBytes - 2, undefined],
    [limits.valueBytes - 1, 'VALUE_TOO_LARGE'],
  ])('judges a text of %i characters (P16)', (length, cause) => {
    const view = new VariableView({ $context: {} }, 0);
    expect(view.write([{ path: ['$context', 'a'], value: 'x'.repeat(length) }])?.cause).toBe(cause);
  });

  it.each([
    ['👍'.repeat(limits.memoryTextChars), undefined],
    [`${'👍'.repeat(limits.memoryTextChars)}!`, 'VALUE_TOO_LARGE'],
    ['x'.repeat(2 * limits.memoryTextChars + 1), 'VALUE_TOO_LARGE'],
  ])('counts the characters of a text in $memory, not their halves: %#', (text, cause) => {
    const view = new VariableView({}, 0);
    expect(view.write([{ path: ['$memory', 'a'], value: text }])?.cause).toBe(cause);
  });

  it.each(['x', 'é', '字', '👍'])('counts a value replaced once, and all values together, to the byte: %s (P16)', (character) => {
    const view = new VariableView({ $context: {} }, 0);
    const text = character.repeat(Math.floor((limits.valueBytes - 2) / Buffer.byteLength(character)));
    const big = text.padEnd(text.length + limits.valueBytes - 2 - Buffer.byteLength(text), 'x');
    for (let round = 0; round < 40; round += 1) expect(view.write([{ path: ['$context', 'same'], value: big }])).toBeUndefined();
    const full = Math.floor(limits.variablesBytes / limits.valueBytes);
    for (let index = 1; index < full; index += 1) expect(view.write([{ path: ['$context', `v${index}`], value: big }])).toBeUndefined();
    const variables = structuredClone(view.commit());
    for (const one of [view, new VariableView(variables, view.size)]) {
      expect(one.write([{ path: ['$context', 'last'], value: 1 }])?.cause).toBe('VARIABLES_TOO_LARGE');
      expect(one.write([{ path: ['$context', 'v1'], value: big }])).toBeUndefined();
      expect(one.commit()).toEqual(variables);
    }
  });

  it('keeps a request however large the variables are: its limits are those of requests (P33)', () => {
    const body = {
      text: 'x'.repeat(limits.bodyBytes - 100),
      list: Object.fromEntries(Array.from({ length: limits.keys }, (_, n) => [`k${n}`, 1])),
    };
    const view = new VariableView({ $context: {} }, limits.variablesBytes - 10);
    expect(view.write([{ path: ['$webhook', 'call'], value: { body: body.text, headers: {} } }])).toBeUndefined();
    expect(view.write([{ path: ['$webhook', 'call'], value: { body: body.list, headers: {} } }])).toBeUndefined();
    expect(view.size).toBe(limits.variablesBytes - 10);
    const tooMuch = 'x'.repeat(limits.request.bytes);
    expect(view.write([{ path: ['$webhook', 'call'], value: { body: tooMuch } }])?.cause).toBe('VALUE_TOO_LARGE');
  });

  it('knows its size after any writes', () =>
    fc.assert(
      fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
        const view = new VariableView({}, 0);
        for (const one of writes) view.write([one]);
        // Scopes' own braces and keys are not counted: they are bounded by the table of scopes.
        expect(Math.abs(view.size - sizeIn(view.commit()))).toBeLessThan(64);
      }),
    ));
});

describe('variables after a write', () => {
  it('are read as a view reads them that has the write', () =>
    fc.assert(
      fc.property(fc.array(write, { maxLength: 6 }), (writes) => {
        const view = new VariableView({}, 0);
        let written: Pick<VariableView, 'get'> = new VariableView({}, 0);
        for (const one of writes.filter(({ path }) => path.length > 1)) {
          if (view.write([one]) === undefined) written = applyWrite(written, one);
          for (const path of [one.path, one.path.slice(0, 2), one.path.slice(0, 1)]) expect(written.get(path)).toEqual(view.get(path));
        }
      }),
    ));

  it('count what expressions cost in the same advance (P20)', () => {
    const view = new VariableView({}, 0);
    const written = applyWrite(applyWrite(view, { path: ['$context', 'a'], value: 1 }), { path: ['$context', 'b'], value: 1 });
    expect(written.spend?.(limits.advanceWork)).toBe(true);
    expect(written.spend?.(1)).toBe(false);
  });
});
