import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalsByValue } from './condition/compare.ts';
import { switchNode } from './switch.ts';

const accepts = (config: JsonObject) => switchNode.config.safeParse(config).success;
const constant = fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());

describe('switch', () => {
  it('leaves by the case that is the value, else by else', () =>
    fc.assert(
      fc.property(fc.uniqueArray(constant, { minLength: 1, maxLength: 10, selector: String }), constant, (constants, other) => {
        const cases = constants.filter((item) => item !== 'else').slice(0, 50);
        fc.pre(cases.length > 0);
        const byOf = (value: Json) =>
          visit(switchNode, { config: { value: '{{$context.v}}', cases }, variables: { $context: { v: value } } }).by;
        for (const item of cases) expect(byOf(item)).toBe(String(item));
        const equal = cases.find((item) => item === other) ?? cases.find((item) => equalsByValue(other, item, () => undefined));
        expect(byOf(other)).toBe(String(equal ?? 'else'));
      }),
    ));

  it.each<[string, Json[], string[]]>([
    ['{{$context.v ?? "none"}}', ['a', 'none', 'b'], ['a', 'b', 'else']],
    ['{{$context.v ?? "none"}}', ['a'], ['a']],
    ['{{$context.v ?? "1"}}', [1, 2], ['2', 'else']],
    ['{{has($context.v)}}', [true, false], ['true']],
    ['{{!has($context.v)}}', [true, false], ['false']],
    ['{{$context.v}}', ['a'], []],
    ['{{$context.v ?? $context.w}}', ['a'], []],
  ])('of %s with the cases %j, the place has a value behind %j', (value, cases, ports) => {
    const told = Object.entries(switchNode.writes(switchNode.config.parse({ value, cases })));
    expect(told.filter(([, places]) => places.includes('$context.v')).map(([port]) => port)).toEqual(ports);
  });

  it.each([
    [null, 'null'],
    [[1], 1],
    ['', 0],
    ['1x', 1],
    ['yes', true],
    ['9007199254740993', 9_007_199_254_740_992],
  ])('the value %j is not the case %j', (value, only) => {
    expect(visit(switchNode, { config: { value, cases: [only] } }).by).toBe('else');
  });

  it.each([
    ['1', [2, 1]],
    [1, ['2', '1']],
    ['1.0', [1]],
    ['true', [true]],
    ['1', ['x', '1', 3]],
  ])('the value %j is one of the cases %j, by its value', (value, cases) => {
    expect(visit(switchNode, { config: { value, cases } }).by).not.toBe('else');
  });

  it('has a port for each case, named as the case is written, and else', () => {
    expect(switchNode.ports(switchNode.config.parse({ value: 1, cases: ['a', 2, false] }))).toEqual(['a', '2', 'false', 'else']);
  });

  it('accepts 1 to 50 cases', () => {
    const many = (count: number) => ({ value: 1, cases: Array.from({ length: count }, (_, index) => index) });
    expect([0, 1, 50, 51].map((count) => accepts(many(count)))).toEqual([false, true, true, false]);
  });

  it('refuses two cases with one port text, and a case "else"', () => {
    expect(accepts({ value: 1, cases: [1, '1'] })).toBe(false);
    expect(accepts({ value: 1, cases: ['a', 'a'] })).toBe(false);
    expect(accepts({ value: 1, cases: ['else'] })).toBe(false);
  });

  it('reports the case of an error', () => {
    const { error } = switchNode.config.safeParse({ value: 1, cases: ['a', 1, '1'] });
    expect(error?.issues.map(({ path }) => path)).toEqual([['cases', 2]]);
  });
});
