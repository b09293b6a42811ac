import { isDeepStrictEqual } from 'node:util';
import { getPath, isHiloError, type Json, type JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condition } from './index.ts';
import { equalsByValue } from './compare.ts';
import { compileRule } from './rule.ts';

/** Any JSON value. */
const json = fc.json({ noUnicodeString: false }).map((text): Json => JSON.parse(text.replaceAll('-0', '0')) as Json);

const by = (rule: JsonObject, variables: JsonObject = {}) =>
  visit(condition, { config: { branches: [{ name: 'yes', rule }] }, variables: { $context: variables } }).by;
const holds = (rule: JsonObject, variables?: JsonObject) => by(rule, variables) === 'yes';

/** Whether one of two values is a number or a boolean, and the other the text of it. */
const isText = (a: Json, b: Json): boolean => [a, b].some((value) => typeof value === 'string') && equalsByValue(a, b, () => undefined);

/** Which port is taken; none where the visit fails. */
const attempt = (work: () => { readonly by: string | undefined }): { readonly by: string | undefined } => {
  try {
    return work();
  } catch (error) {
    if (isHiloError(error, 'EXPRESSION')) return { by: undefined };
    throw error;
  }
};

const accepts = (config: JsonObject) => condition.config.safeParse(config).success;
const branch = (name: string) => ({ name, rule: { op: 'exists', left: '$context.a' } });

describe('condition', () => {
  it('leaves by the first branch whose rule holds', () => {
    const over = (name: string, right: number) => ({ name, rule: { op: 'gt', left: '$context.age', right } });
    const config = { branches: [over('old', 64), over('adult', 17), over('any', 0)] };
    expect(visit(condition, { config, variables: { $context: { age: 30 } } }).by).toBe('adult');
  });

  it('leaves by else when no rule holds', () => {
    expect(by({ op: 'gt', left: '$context.age', right: 17 }, { age: 17 })).toBe('else');
  });

  it('has a port for each branch, and else', () => {
    const config = condition.config.parse({ branches: [branch('a'), branch('b')] });
    expect(condition.ports(config)).toEqual(['a', 'b', 'else']);
  });

  it('never reaches a branch that repeats an earlier one', () =>
    fc.assert(
      fc.property(json, json, fc.constantFrom('eq', 'neq', 'contains', 'gt', 'in'), (a, b, op) => {
        const rule = { op, left: '$context.a', right: '{{$context.b}}' };
        const branches = [
          { name: 'first', rule },
          { name: 'copy', rule },
        ];
        let way: string | undefined = 'refused'; // two values without an order
        try {
          way = visit(condition, { config: { branches }, variables: { $context: { a, b } } }).by;
        } catch (error) {
          if (!isHiloError(error, 'EXPRESSION')) throw error;
        }
        expect(way).not.toBe('copy');
      }),
    ));
});

describe('the rules of condition', () => {
  it.each([
    ['America/Lima', 'eq', '2026-11-29', true],
    ['Asia/Tokyo', 'eq', '2026-11-30', true],
    ['America/Lima', 'lt', '2026-11-30', true],
    ['America/Lima', 'gt', '20:59', true],
    ['Asia/Tokyo', 'gt', '20:59', false],
  ])('compare an instant with a day and a time in the zone of the user: in %s, %s %s', (timeZone, op, right, result) => {
    const rule = { op, left: '$context.at', right };
    const config = { branches: [{ name: 'yes', rule }] };
    const variables = { $context: { at: '2026-11-30T02:30:00Z' }, $user: { timeZone } };
    expect(visit(condition, { config, variables }).by === 'yes').toBe(result);
  });

  it('are equal exactly for equal JSON', () =>
    fc.assert(
      fc.property(json, json, (a, b) => {
        const equal = holds({ op: 'eq', left: '$context.a', right: '{{$context.b}}' }, { a, b });
        expect(equal).toBe(isDeepStrictEqual(a, b) || (typeof a !== typeof b && isText(a, b)));
        expect(holds({ op: 'neq', left: '$context.a', right: '{{$context.b}}' }, { a, b })).toBe(!equal);
        expect(holds({ op: 'eq', left: '$context.a', right: '{{$context.a}}' }, { a })).toBe(true);
      }),
    ));

  it('order numbers as numbers', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ noNaN: true, noDefaultInfinity: true }), (a, b) => {
        const results = ['gt', 'gte', 'lt', 'lte'].map((op) => holds({ op, left: '$context.a', right: '{{$context.b}}' }, { a, b }));
        expect(results).toEqual([a > b, a >= b, a < b, a <= b]);
      }),
    ));

  it('find a number and a boolean equal to the text of it, on either side, alone and in a list', () =>
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()), (value) => {
        for (const [a, b] of [
          [value, String(value)],
          [String(value), value],
        ]) {
          const context = { a: a ?? null, b: b ?? null, list: ['none', b ?? null] };
          expect(holds({ op: 'eq', left: '$context.a', right: '{{$context.b}}' }, context)).toBe(true);
          expect(holds({ op: 'neq', left: '$context.a', right: '{{$context.b}}' }, context)).toBe(false);
          expect(holds({ op: 'in', left: '$context.a', right: '{{$context.list}}' }, context)).toBe(true);
          expect(holds({ op: 'contains', left: '$context.list', right: '{{$context.a}}' }, context)).toBe(true);
        }
      }),
    ));

  it('order numbers by their value, whether they are numbers or texts', () =>
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.boolean(), fc.boolean(), (a, b, isTextA, isTextB) => {
        const context = { a: isTextA ? String(a) : a, b: isTextB ? `${b}.0` : b };
        const results = ['gt', 'gte', 'lt', 'lte'].map((op) => holds({ op, left: '$context.a', right: '{{$context.b}}' }, context));
        expect(results).toEqual([a > b, a >= b, a < b, a <= b]);
      }),
    ));

  it.each([
    ['gt', '250', 100, true],
    ['gt', '10', '9', true],
    ['lt', ' 1e2 ', 1_000, true],
    ['eq', '3', 3, true],
    ['eq', '3.0', 3, true],
    ['eq', '3.0', '3', false],
    ['eq', '', 0, false],
    ['eq', '0x10', 16, false],
    ['eq', '9007199254740993', 9_007_199_254_740_992, false],
    ['eq', 'true', true, true],
    ['eq', 'False', false, true],
    ['eq', 'yes', true, false],
    ['eq', null, 'null', false],
    ['in', 1, ['1', '2'], true],
    ['in', 'a', { a: 1 }, true],
    ['eq', '2026-12-01T10:00:00-05:00', '2026-12-01T15:00:00.000Z', true],
    ['gt', '2026-12-01T10:00:00-05:00', '2026-12-01T14:59:59Z', true],
    ['lt', '2026-12-01T23:00:00-05:00', '2026-12-02T03:00:00Z', false],
    ['lt', '2026-11-30', '2026-12-01', true],
    ['gt', 'b', 'a', true],
    ['startsWith', 51_999, '51', true],
    ['eq', '9:00', '09:00', true],
    ['eq', '09:00:00', '09:00', true],
    ['eq', '09:00', '21:00', false],
    ['gt', '10:00', '9:30', true],
    ['eq', '2:60', '02:60', false],
    ['eq', '2026-12-01', '2026-12-01T15:00:00Z', true],
    ['lt', '2026-12-01', '2026-12-01T15:00:00Z', false],
    ['lte', '2026-12-01', '2026-12-01T15:00:00Z', true],
    ['gt', '2026-12-02', '2026-12-01T15:00:00Z', true],
    ['eq', '09:30', '2026-12-01T09:30:20Z', true],
    ['lt', '09:00', '2026-12-01T15:00:00Z', true],
    ['eq', '2026-12-01 15:00', '2026-12-01T15:00:00Z', true],
    ['eq', '2026-12-01T15:00', '2026-12-01 15:00:00', true],
    ['gte', '2026-12-01', '2026-12', true],
    ['eq', '2026-12-01', '2026-12', false],
    ['eq', '2026-02-30', '2026-03-02', false],
    ['eq', '+52 55 1234 5678', '525512345678', true],
    ['eq', '525512345678', '+525512345678', true],
    ['eq', '+52 55 1234 5678', '+525512345678', true],
    ['eq', '525512345678', '52 55 1234 5678', false],
    ['eq', '+1234567', '1234567', false],
    ['in', '525512345678', ['+525512345678'], true],
    ['contains', 'room 12', 12, true],
  ])('compare by value: %s of %j and %j is %j', (op, a, b, result) => {
    expect(holds({ op, left: '$context.a', right: '{{$context.b}}' }, { a, b })).toBe(result);
  });

  it.each([
    ['gt', 'abc', 1, 'the text "abc" with number'],
    ['lt', '10', 'nine', 'with the text "nine"'],
    ['gte', null, 5, 'null'],
    ['gt', [1], 0, 'array'],
    ['lte', true, 1, 'boolean'],
    ['contains', { a: 1 }, 'a', 'both must be texts'],
    ['startsWith', null, 'a', 'both must be texts'],
    ['in', 1, 'text', 'no list'],
    ['gt', '09:00', '9 am', 'the text "09:00" with the text "9 am"'],
    ['lt', 'mañana', '2026-12-01', 'two instants, days or times'],
    ['gte', '2026-12-01', '01/12/2026', 'the text "01/12/2026"'],
  ])('say so where two values have no comparison: %s of %j and %j', (op, a, b, words) => {
    const rule = { op, left: '$context.a', right: '{{$context.b}}' };
    expect(() => holds(rule, { a, b })).toThrow(words);
  });

  it('take an instant for a constant', () => {
    expect(accepts({ branches: [{ name: 'a', rule: { op: 'lt', left: '$context.at', right: '2026-12-01T15:00:00Z' } }] })).toBe(true);
    expect(accepts({ branches: [{ name: 'a', rule: { op: 'lt', left: '$context.at', right: 'tomorrow' } }] })).toBe(false);
  });

  it.each(['2026-12-01', '09:00'])('take a day or a time for a constant as an ask saves it: %s', (right) => {
    const rule = { op: 'gte', left: '$context.at', right };
    const [earlier, later] = right.includes('-') ? ['2026-11-30', '2026-12-02'] : ['08:59', '9:01'];
    expect([right, later, earlier].map((at) => holds(rule, { at }))).toEqual([true, true, false]);
    expect(() => holds(rule, { at: '!' })).toThrow('it compares the text "!" with the text');
  });

  it.each(['2026-02-30', '9:00', '24:00', '01/12/2026'])('take no other text for one: %s', (right) => {
    expect(accepts({ branches: [{ name: 'a', rule: { op: 'gte', left: '$context.at', right } }] })).toBe(false);
  });

  it('say that a number has no quotes', () => {
    const found = condition.config.safeParse({ branches: [{ name: 'a', rule: { op: 'gt', left: '$context.age', right: ' 18.5 ' } }] });
    expect(found.error?.issues[0]?.message).toContain('; a number has no quotes: 18.5');
  });

  it('find a text in a text and an item in a list', () => {
    expect(holds({ op: 'contains', left: 'lighthouse', right: 'house' })).toBe(true);
    expect(holds({ op: 'contains', left: [1, { a: [2] }], right: { a: [2] } })).toBe(true);
    expect(holds({ op: 'contains', left: [1, 2], right: '1' })).toBe(true);
    expect(holds({ op: 'contains', left: [[1], 2], right: '1' })).toBe(false);
    expect(holds({ op: 'in', left: 2, right: [1, 2] })).toBe(true);
    expect(() => holds({ op: 'in', left: 'house', right: '{{$context.text}}' }, { text: 'lighthouse' })).toThrow('no list');
    expect(holds({ op: 'startsWith', left: 'lighthouse', right: 'light' })).toBe(true);
    expect(holds({ op: 'endsWith', left: 'lighthouse', right: 'light' })).toBe(false);
  });

  it.each([
    ['', true],
    [[], true],
    [{}, true],
    [' ', false],
    [[null], false],
    [{ a: null }, false],
    [null, false],
    [0, false],
    [false, false],
  ])('decide whether %j is empty', (a, isEmpty) => {
    expect(holds({ op: 'empty', left: '$context.a' }, { a })).toBe(isEmpty);
  });

  it.each([
    ['a', 'string'],
    [1, 'number'],
    [false, 'boolean'],
    [{}, 'object'],
    [[], 'array'],
    [null, 'null'],
  ])('find that %j is of type %s alone', (a, type) => {
    const types = ['string', 'number', 'boolean', 'object', 'array', 'null'];
    expect(types.filter((right) => holds({ op: 'isType', left: '$context.a', right }, { a }))).toEqual([type]);
  });

  it('find a place that is missing or null not to exist, without a failure', () => {
    const rule = { op: 'exists', left: '$context.a.b[0]' };
    expect(holds(rule)).toBe(false);
    expect(holds(rule, { a: { b: [null] } })).toBe(false);
    expect(holds(rule, { a: { b: [false] } })).toBe(true);
  });

  it('declare that "exists" accepts a missing value', () => {
    const rule = condition.config.parse({ branches: [branch('a')] }).branches[0]?.rule;
    expect(rule?.op === 'exists' && rule.left.reads).toEqual([{ path: ['$context', 'a'], isOptional: true }]);
  });

  it('tell which places have a value behind a port, and before a rule is looked at', () => {
    const exists = (left: string) => ({ op: 'exists', left });
    const config = condition.config.parse({
      branches: [
        { name: 'none', rule: { op: 'not', rule: exists('$context.a') } },
        { name: 'both', rule: { op: 'all', rules: [exists('$context.b[0]'), { op: 'gt', left: '$context.b[0]', right: 1 }] } },
        { name: 'toString', rule: { op: 'any', rules: [exists('$context.c'), exists('$context.d')] } },
        {
          name: 'one',
          rule: {
            op: 'any',
            rules: [
              { op: 'not', rule: exists('$context.e') },
              { op: 'empty', left: '$context.e' },
            ],
          },
        },
      ],
    });
    expect(condition.writes(config)).toEqual({
      none: [],
      both: ['$context.b[0]', '$context.a'],
      toString: ['$context.a'],
      one: ['$context.a'],
      else: ['$context.a', '$context.e'],
    });
    const before = (...at: (string | number)[]) => condition.writesBefore(config, ['branches', ...at]);
    expect(before(0, 'rule', 'rule', 'left')).toEqual([]);
    expect(before(1, 'rule', 'rules', 0, 'left')).toEqual(['$context.a']);
    expect(before(1, 'rule', 'rules', 1, 'left')).toEqual(['$context.b[0]', '$context.a']);
    expect(before(2, 'rule', 'rules', 1, 'left')).toEqual(['$context.a']);
    expect(before(3, 'rule', 'rules', 1, 'left')).toEqual(['$context.e', '$context.a']);
  });

  describe('tell of a place with a default', () => {
    const lefts = [
      '{{$context.a ?? ""}}',
      '{{$context.a ?? "x"}}',
      '{{$context.a ?? 0}}',
      '{{$context.a ?? false}}',
      '{{$context.a ?? []}}',
    ]
      .concat('{{size($context.a ?? "")}}', '{{trim($context.a ?? " ")}}', '{{has($context.a)}}', '{{!has($context.a)}}', '{{$context.a}}')
      .concat('{{($context.a ?? "") != ""}}', '{{($context.a ?? 3) > 2}}', '{{$context.a ?? null}}', '{{$context.b ?? $context.a ?? 1}}');
    const constants = ['', 'x', ' ', '0', 'false', 0, 1, 2.5, true, false, '09:00', '2031-03-03'];
    const simple = fc.oneof(
      fc.record({
        op: fc.constantFrom('eq', 'neq', 'contains', 'gt', 'gte', 'lt', 'lte', 'startsWith', 'endsWith'),
        left: fc.constantFrom(...lefts),
        right: fc.constantFrom<Json>(...constants),
      }),
      fc.record({ op: fc.constant('in'), left: fc.constantFrom(...lefts), right: fc.constant<Json>(['', 'x']) }),
      fc.record({ op: fc.constant('empty'), left: fc.constantFrom(...lefts) }),
      fc.record({ op: fc.constant('isType'), left: fc.constantFrom(...lefts), right: fc.constantFrom('string', 'null', 'array') }),
      fc.record({ op: fc.constant('expression'), expression: fc.constantFrom(...lefts) }),
    );
    const rule = fc.oneof(
      simple,
      fc.record({ op: fc.constant('not'), rule: simple }),
      fc.record({ op: fc.constantFrom('all', 'any'), rules: fc.array(simple, { minLength: 1, maxLength: 3 }) }),
    );

    it('that it has a value behind a port, never where the port is taken without it', () =>
      fc.assert(
        fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.constantFrom({}, { b: 1 }, { b: null }), (rules, $context) => {
          const config = { branches: rules.map((one, index) => ({ name: `b${index}`, rule: one })) };
          if (!accepts(config)) return;
          const { by: taken } = attempt(() => visit(condition, { config, variables: { $context } }));
          expect(condition.writes(condition.config.parse(config))[taken ?? ''] ?? []).not.toContain('$context.a');
        }),
      ));

    it.each<[JsonObject, string]>([
      [{ op: 'neq', left: '{{$context.a ?? ""}}', right: '' }, 'yes'],
      [{ op: 'eq', left: '{{$context.a ?? ""}}', right: 'x' }, 'yes'],
      [{ op: 'eq', left: '{{$context.a ?? ""}}', right: '' }, 'else'],
      [{ op: 'empty', left: '{{$context.a ?? ""}}' }, 'else'],
      [{ op: 'empty', left: '{{$context.a ?? []}}' }, 'else'],
      [{ op: 'gt', left: '{{size($context.a ?? "")}}', right: 0 }, 'yes'],
      [{ op: 'gte', left: '{{$context.a ?? 0}}', right: 18 }, 'yes'],
      [{ op: 'contains', left: '{{$context.a ?? ""}}', right: 'x' }, 'yes'],
      [{ op: 'isType', left: '{{$context.a ?? null}}', right: 'string' }, 'yes'],
      [{ op: 'eq', left: '{{has($context.a)}}', right: true }, 'yes'],
      [{ op: 'eq', left: '{{has($context.a)}}', right: false }, 'else'],
      [{ op: 'expression', expression: '{{has($context.a)}}' }, 'yes'],
      [{ op: 'expression', expression: '{{has($context.a) && $context.a > 1}}' }, 'yes'],
      [{ op: 'expression', expression: '{{!has($context.a)}}' }, 'else'],
      [{ op: 'expression', expression: '{{($context.a ?? "") != ""}}' }, 'yes'],
      [{ op: 'not', rule: { op: 'empty', left: '{{$context.a ?? ""}}' } }, 'yes'],
    ])('that it has a value where %j leads to %s', (one, port) => {
      const told = condition.writes(condition.config.parse({ branches: [{ name: 'yes', rule: one }] }));
      expect([told['yes'], told['else']].map((places) => places?.includes('$context.a'))).toEqual([port === 'yes', port === 'else']);
    });
  });

  it('join by all, any and not', () => {
    const [yes, no] = [
      { op: 'eq', left: 1, right: 1 },
      { op: 'eq', left: 1, right: 2 },
    ];
    expect(holds({ op: 'all', rules: [yes, yes] })).toBe(true);
    expect(holds({ op: 'all', rules: [yes, no] })).toBe(false);
    expect(holds({ op: 'any', rules: [no, yes] })).toBe(true);
    expect(holds({ op: 'any', rules: [no, { op: 'not', rule: yes }] })).toBe(false);
  });

  it('search periodic texts in time linear in both, and count what they look at (P20)', () => {
    const t = 'a'.repeat(480_000);
    const n = `${'a'.repeat(120_000)}b${'a'.repeat(120_000)}`;
    let work = 0;
    const $context = { t, n, list: [t, [t]], other: [[`${t.slice(1)}b`]] };
    const variables = {
      get: (path: readonly (string | number)[]) => getPath({ $context }, path),
      spend: (more: number) => (work += more) <= 2_000_000,
    };
    const holdsNow = (rule: JsonObject) => {
      const parsed = condition.config.parse({ branches: [{ name: 'yes', rule }] }).branches[0]?.rule;
      work = 0;
      return parsed === undefined ? undefined : compileRule(parsed)(variables);
    };
    expect(holdsNow({ op: 'contains', left: '$context.t', right: '{{$context.n}}' })).toBe(false);
    expect(work).toBe(t.length + n.length);
    expect(holdsNow({ op: 'in', left: '$context.other', right: '{{$context.list}}' })).toBe(false);
    expect(work).toBeLessThan(1_000_000);
    const twice = { op: 'startsWith', left: '$context.t', right: '{{$context.t}}' };
    expect(holdsNow({ op: 'all', rules: [twice, twice] })).toBe(true);
    expect(() => holdsNow({ op: 'all', rules: [twice, twice, twice] })).toThrow('all expressions since the last wait');
  });

  it('take an expression that is true or false', () => {
    expect(holds({ op: 'expression', expression: '{{$context.a > 1 && $context.b}}' }, { a: 2, b: true })).toBe(true);
  });

  it('fail with EXPRESSION for an expression that is no boolean, and for a missing operand', () => {
    const expression = { code: 'EXPRESSION' };
    expect(() => by({ op: 'expression', expression: '{{$context.a}}' }, { a: 1 })).toThrow(expect.objectContaining(expression));
    expect(() => by({ op: 'eq', left: '$context.none', right: 1 })).toThrow(expect.objectContaining(expression));
  });
});

describe('the config of condition', () => {
  it('accepts 1 to 20 branches', () => {
    const many = (count: number) => ({ branches: Array.from({ length: count }, (_, index) => branch(`b${index}`)) });
    expect([0, 1, 20, 21].map((count) => accepts(many(count)))).toEqual([false, true, true, false]);
  });

  it('refuses two branches of one name, and one named else', () => {
    expect(accepts({ branches: [branch('a'), branch('a')] })).toBe(false);
    expect(accepts({ branches: [branch('else')] })).toBe(false);
  });

  it.each([
    ['an operation that does not exist', { op: 'like', left: 1, right: 1 }],
    ['a number compared with a text', { op: 'gt', left: '$context.age', right: '17' }],
    ['a number compared with what can only be a text', { op: 'gt', left: '$context.age', right: 'over {{$context.limit}}' }],
    ['two expressions in place of one', { op: 'expression', expression: '{{$context.a}}{{$context.b}}' }],
    ['a constant that is no list', { op: 'in', left: 1, right: 1 }],
    ['a variable on the right without braces', { op: 'eq', left: 1, right: '$context.age' }],
    ['an expression without braces', { op: 'expression', expression: '$context.a > 1' }],
    ['a text beside an expression', { op: 'expression', expression: 'is {{true}}' }],
    ['"exists" of an expression', { op: 'exists', left: '{{$context.a}}' }],
    ['"exists" of a scope that does not exist', { op: 'exists', left: '$contxt.a' }],
    ['an expression that cannot be read', { op: 'eq', left: '{{1 +}}', right: 1 }],
    ['no rules to join', { op: 'all', rules: [] }],
    ['a field of another operation', { op: 'empty', left: '', right: 1 }],
  ])('refuses %s', (_, rule) => {
    expect(accepts({ branches: [{ name: 'a', rule }] })).toBe(false);
  });
});
