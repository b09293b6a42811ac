// A rule or case that compares a variable of a known type with a constant of another: the check warns, and where the meaning is plain fixes it.
import { checkCanvasText } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';
import { equalsByValue } from '../src/condition/compare.ts';

const types = ['string', 'number', 'boolean', 'object', 'array', 'any'] as const;
const inputs = Object.fromEntries(types.map((type) => [type, { type }]));

/** The warnings of a code about a canvas with one such node between start and end. */
function warn(type: string, data: JsonObject, ports: readonly string[], wanted = 'OTHER_TYPE') {
  const nodes = [
    { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
    { id: 'choose', type, data },
    { id: 'done', type: 'end' },
  ];
  const edges = [
    { source: 'begin', target: 'choose' },
    ...ports.map((sourceHandle) => ({ source: 'choose', sourceHandle, target: 'done' })),
  ];
  const settings = { inputs };
  const variables = { count: { type: 'number', default: 0 } };
  const canvas = { schemaVersion: 1, id: 'c', name: 'c', settings, variables, nodes, edges };
  const problems = checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return problems.filter(({ code }) => code === wanted);
}

const warnRule = (rule: JsonObject) => warn('condition', { branches: [{ name: 'yes', rule }] }, ['yes', 'else']);
const misreadRule = (rule: JsonObject) => warn('condition', { branches: [{ name: 'yes', rule }] }, ['yes', 'else'], 'MISREAD_EXPRESSION');
const at = (...steps: readonly (string | number)[]): string => `/nodes/1/data/branches/0/rule/${steps.join('/')}`;

describe('a rule over a variable of a known type', () => {
  it.each<[op: string, left: string, right: Json | undefined, message: string]>([
    ['eq', '$input.boolean', 'yes', '$input.boolean is true or false, and never equals "yes"'],
    ['neq', '{{$input.number}}', 'three', '{{$input.number}} is a number, and never equals "three"'],
    ['eq', '$input.number', true, 'never equals true'],
    ['eq', '$context.count', 'many', '$context.count is a number'],
    ['eq', '$input.array', 'a', 'is a list, and never equals "a"'],
    ['eq', '$user.names', { a: 1 }, '$user.names is a text, and never equals {"a":1}'],
    ['gt', '$message.text', 100, '$message.text is a text: where it is that of no number, the comparison with 100 fails'],
    ['lte', '$input.number', '2026-12-01T00:00:00Z', 'is a number, and has no order with'],
    ['gt', '$input.boolean', 1, 'has no order with 1'],
    ['startsWith', '$input.array', 'a', 'is a list, and no text'],
    ['contains', '$input.object', 'a', 'only texts and lists contain something'],
    ['empty', '$input.number', undefined, 'which is never empty'],
    ['isType', '$input.string', 'number', 'never of the type "number"'],
  ])('is warned of: %s of %s and %j', (op, left, right, message) => {
    const rule = { op, left, ...(right !== undefined && { right }) };
    const pointer = at(right === undefined ? 'left' : 'right');
    expect(warnRule(rule)).toMatchObject([{ severity: 'warning', pointer, message: expect.stringContaining(message) as unknown }]);
    const [inside] = warnRule({ op: 'not', rule: { op: 'any', rules: [{ op: 'exists', left: '$context.count' }, rule] } });
    expect(inside?.pointer).toBe(at('rule', 'rules', 1, right === undefined ? 'left' : 'right'));
  });

  it.each<[op: string, left: string, right: Json]>([
    ['eq', '$input.number', '3'],
    ['eq', '$input.boolean', 'TRUE'],
    ['eq', '$user.names', null],
    ['eq', '$input.string', 3],
    ['gt', '$input.any', 3],
    ['gt', '$input.number', '{{$input.string}}'],
    ['gt', '$context.other', 3],
    ['lt', '$input.string', '2026-12-01T00:00:00Z'],
    ['startsWith', '$input.number', '51'],
    ['in', '$input.number', ['1', 2]],
    ['eq', '$message.coordinates', 'x'],
    ['isType', '$user.names', 'null'],
  ])('that can hold is warned of by nobody: %s of %s and %j', (op, left, right) => {
    const rule = { op, left, right };
    expect(warnRule(left === '$context.other' ? { op: 'all', rules: [{ op: 'exists', left }, rule] } : rule)).toEqual([]);
  });

  it('is warned of at the item of a list, and at the case of a switch', () => {
    expect(warnRule({ op: 'in', left: '$input.number', right: [1, 'one', '2', false] }).map(({ pointer }) => pointer)).toEqual([
      at('right', 1),
      at('right', 3),
    ]);
    const cases = ['true', 'yes', 1];
    const found = warn('switch', { value: '{{$input.boolean}}', cases }, ['true', 'yes', '1', 'else']);
    expect(found.map(({ pointer, fixes }) => [pointer, fixes?.[0]?.patch])).toEqual([
      ['/nodes/1/data/cases/1', [{ op: 'replace', path: '/nodes/1/data/cases/1', value: true }]],
      ['/nodes/1/data/cases/2', [{ op: 'replace', path: '/nodes/1/data/cases/2', value: true }]],
    ]);
  });

  it.each<[op: string, left: Json, right: Json, part: string, pointer: string]>([
    ['eq', '{{lower($user.names)}}', 'Ana', 'lower() gives small letters, and never "Ana"', 'right'],
    ['neq', '{{ upper(trim($user.names)) }}', 'ana', 'upper() gives capital letters', 'right'],
    ['in', '{{trim($user.names)}}', ['Ana', ' Eva'], 'trim() leaves no blanks', 'right/1'],
    ['contains', '{{lower($user.names)}}', 'Ana', 'small letters', 'right'],
    ['startsWith', '{{upper($user.names)}}', 'a', 'capital letters', 'right'],
    ['eq', '{{date($now)}}', '25/12/2031', 'date() gives a text such as "2026-12-01"', 'right'],
    ['eq', '{{getMonth($now)}}', 12, 'from 0 for January', 'right'],
    ['eq', 'context.count', 1, 'is this text itself', 'left'],
    ['eq', 'lower($user.names)', 'ana', 'is this text itself', 'left'],
    ['eq', '{{$user.names}} ', 'ana', 'has a blank beside its expression', 'left'],
  ])('that never holds is told as what it says: %s of %s and %j', (op, left, right, part, pointer) => {
    expect(misreadRule({ op, left, right })).toMatchObject([
      { severity: 'warning', pointer: at(...pointer.split('/')), message: expect.stringContaining(part) as unknown },
    ]);
  });

  it.each<[op: string, left: Json, right: Json]>([
    ['eq', '{{lower($user.names)}}', 'ana'],
    ['eq', '{{lower($user.names)}}', '{{$user.names}}'],
    ['contains', '{{trim($user.names)}}', ' de '],
    ['startsWith', '{{date($now)}}', '2031-12'],
    ['eq', '{{getMonth($now)}}', 11],
    ['eq', '{{$user.names}} {{$user.id}}', 'Ana 1'],
    ['eq', 3, 3],
  ])('that may hold is as it is meant: %s of %s and %j', (op, left, right) => {
    expect(misreadRule({ op, left, right })).toEqual([]);
  });

  it.each<[type: string, data: JsonObject, ports: string[], field: string]>([
    ['delay', { duration: '{{$input.number}}' }, ['elapsed'], 'duration'],
    ['delay', { duration: '{{30}}' }, ['elapsed'], 'duration'],
    ['delay', { duration: '{{$context.count + 1}}' }, ['elapsed'], 'duration'],
    ['wait-event', { name: 'paid', correlation: '1', timeout: '{{$input.boolean}}' }, ['received', 'timeout'], 'timeout'],
  ])('is no duration, of %s with %j', (type, data, ports, field) => {
    expect(warn(type, data, ports)).toMatchObject([
      { pointer: `/nodes/1/data/${field}`, message: expect.stringContaining('such as PT2H') as unknown },
    ]);
  });

  it.each(['PT2H', '{{$input.string}}', '{{$input.any}}', '{{duration($input.number + "m")}}', '{{"PT" + $input.number + "M"}}'])(
    'may be a duration: %s',
    (duration) => {
      expect(warn('delay', { duration }, ['elapsed'])).toEqual([]);
    },
  );

  it('of an expression is warned of by the kind of what it gives', () => {
    expect(warnRule({ op: 'eq', left: '{{$input.number + 1}}', right: 'x' })).toMatchObject([{ pointer: at('right') }]);
    expect(warnRule({ op: 'eq', left: '{{getDayOfWeek($now)}}', right: 'Sunday' })).toMatchObject([{ pointer: at('right') }]);
    expect(warnRule({ op: 'expression', expression: '{{$input.number}}' })).toMatchObject([{ pointer: at('expression') }]);
    expect(warnRule({ op: 'expression', expression: '{{size($input.array)}}' })).toMatchObject([{ pointer: at('expression') }]);
    expect(warnRule({ op: 'expression', expression: '{{size($input.array) > 1}}' })).toEqual([]);
  });

  it('of a switch is told at its case or its value', () => {
    const found = (value: string, ...cases: readonly (string | number)[]) =>
      warn('switch', { value, cases }, [...cases.map(String), 'else'], 'MISREAD_EXPRESSION').map(({ pointer }) => pointer);
    expect(found('{{lower($user.names)}}', 'Ana', 'eva', 'EVA')).toEqual(['/nodes/1/data/cases/0', '/nodes/1/data/cases/2']);
    expect(found('{{getDayOfWeek($now)}}', 0, 6, 7)).toEqual(['/nodes/1/data/cases/2']);
    expect(found('user.names', 'a')).toEqual(['/nodes/1/data/value']);
    expect(found('{{$user.names}} ', 'a')).toEqual(['/nodes/1/data/value']);
    expect(found('{{$user.names}}', 'a', 'A')).toEqual([]);
  });

  it.each([
    ['$user.names', '{{$user.names}}'],
    ['Hello $user.names!', '{{$user.names}}'],
    ['Hello {$user.names}', '{{$user.names}}'],
    ['Hello ${user.names}', '{{$user.names}}'],
    ['{{$user.id}}: $context.count', '{{$context.count}}'],
  ])('is told of a variable without its braces: %s', (text, meant) => {
    const found = warn('message', { message: { type: 'text', text } }, ['sent'], 'PATH_AS_TEXT');
    expect(found).toMatchObject([{ pointer: '/nodes/1/data/message/text', message: expect.stringContaining(`write ${meant}`) as unknown }]);
  });

  it.each([
    'It costs $5.00',
    'US$user.x',
    '{{$user.names}}',
    '{{"$user.names" + $user.id}}',
    'Pay with $cash.app',
    '$$user.names',
    'user.names',
    '$user',
  ])('is told nothing of a text that is one: %s', (text) => {
    expect(warn('message', { message: { type: 'text', text } }, ['sent'], 'PATH_AS_TEXT')).toEqual([]);
  });

  it('is fixed where a word says yes or no', () => {
    const [warning] = warnRule({ op: 'eq', left: '$input.boolean', right: 'No' });
    expect(warning?.fixes).toEqual([{ label: 'Compare with false', patch: [{ op: 'replace', path: at('right'), value: false }] }]);
    expect(warnRule({ op: 'eq', left: '$input.boolean', right: false })).toEqual([]);
  });

  it('is warned of only where no value of the type is equal when it runs', () => {
    expect.hasAssertions();
    const values: { readonly [type: string]: fc.Arbitrary<Json> } = {
      string: fc.oneof(fc.string(), fc.constantFrom('1', 'true', '1.5')),
      number: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
      boolean: fc.boolean(),
      object: fc.constantFrom<Json>({}, { a: 1 }),
      array: fc.constantFrom<Json>([], [1], ['a']),
    };
    const constant = fc.oneof(...Object.values(values), fc.constantFrom<Json>('-1', ' 2 ', 'false', 'no', null));
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(values)).chain((type) => fc.tuple(fc.constant(type), values[type] ?? fc.constant(null))),
        constant,
        ([type, value], right) => {
          fc.pre(typeof right !== 'string' || !/[{$]/.test(right));
          const isWarned = warnRule({ op: 'eq', left: `$input.${type}`, right }).length > 0;
          expect([type, isWarned && equalsByValue(value, right, () => undefined)]).toEqual([type, false]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a rule over an answer that is kept in one form', () => {
  const ask = (id: string, kind: string) => ({
    id,
    type: 'ask',
    data: { message: { type: 'text', text: 'Well?' }, input: { kind }, saveAs: `$context.${kind}` },
  });
  const kinds = ['date', 'time', 'phone'];
  const check = (type: string, data: JsonObject, ports: readonly string[], more: readonly JsonObject[] = []) => {
    const nodes = [
      { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
      ...kinds.map((kind) => ask(kind, kind)),
      ...more,
      { id: 'choose', type, data },
      { id: 'done', type: 'end' },
    ];
    const ids = nodes.map(({ id }) => (typeof id === 'string' ? id : ''));
    const edges = [
      ...ids.slice(0, -2).map((source, index) => ({
        source,
        target: ids[index + 1],
        ...(source !== 'begin' && { sourceHandle: source === 'again' ? 'done' : 'answered' }),
      })),
      ...ports.map((sourceHandle) => ({ source: 'choose', sourceHandle, target: 'done' })),
    ].map((edge) => (edge.sourceHandle === 'done' ? { source: edge.source, target: edge.target } : edge));
    const canvas = { schemaVersion: 1, id: 'c', name: 'c', nodes, edges };
    const problems = checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    return problems.filter(({ code }) => code === 'MISREAD_EXPRESSION');
  };
  const rule = (left: string, op: string, right: Json) =>
    check('condition', { branches: [{ name: 'yes', rule: { op, left, right } }] }, ['yes', 'else']);
  const fixOf = (found: ReturnType<typeof rule>): Json | undefined =>
    found[0]?.fixes?.[0]?.patch.flatMap((one) => ('value' in one ? [one.value] : []))[0];

  it.each<[left: string, op: string, right: string, meant: string | undefined]>([
    ['$context.date', 'eq', '29/11/2026', '2026-11-29'],
    ['{{$context.date}}', 'neq', '29 de noviembre de 2026', '2026-11-29'],
    ['$context.date', 'eq', 'tomorrow', undefined],
    ['$context.date', 'eq', '12/2026', undefined],
    ['$context.date', 'gte', '09:00', undefined],
    ['$context.time', 'eq', '9 am', '09:00'],
    ['$context.time', 'eq', '15.30', '15:30'],
    ['$context.time', 'eq', '9', undefined],
    ['$context.phone', 'eq', '00 51 999 888 777', '51999888777'],
    ['$context.phone', 'eq', '999 888 777', undefined],
  ])('is warned of: %s %s %s', (left, op, right, meant) => {
    const found = rule(left, op, right);
    expect(found).toMatchObject([{ severity: 'warning', message: expect.stringContaining(`, and never "${right}"`) as unknown }]);
    expect(fixOf(found)).toBe(meant);
  });

  it.each<[left: string, op: string, right: Json]>([
    ['$context.date', 'eq', '2026-11-29'],
    ['$context.date', 'eq', '{{date($now)}}'],
    ['$context.date', 'lt', '{{$now}}'],
    ['$context.date', 'in', ['2026-11-29', '2026-11-30']],
    ['$context.date', 'startsWith', '2026-11'],
    ['$context.time', 'eq', '9:00'],
    ['$context.time', 'gte', '09:00'],
    ['$context.phone', 'eq', '+51 999 888 777'],
    ['$context.phone', 'eq', '51999888777'],
    ['$message.text', 'eq', '29/11/2026'],
  ])('is fine: %s %s %j', (left, op, right) => {
    expect(rule(left, op, right)).toEqual([]);
  });

  it('is warned of in lists and cases, and not where another node writes it too', () => {
    expect(rule('$context.time', 'in', ['09:00', '3 pm'])).toMatchObject([{ pointer: '/nodes/4/data/branches/0/rule/right/1' }]);
    const cases = { value: '{{$context.date}}', cases: ['2026-11-29', '30/11/2026'] };
    expect(check('switch', cases, ['2026-11-29', '30/11/2026', 'else'])).toMatchObject([{ pointer: '/nodes/4/data/cases/1' }]);
    const again = { id: 'again', type: 'set', data: { assignments: [{ path: '$context.date', value: 'any' }] } };
    const data = { branches: [{ name: 'yes', rule: { op: 'eq', left: '$context.date', right: 'tomorrow' } }] };
    expect(check('condition', data, ['yes', 'else'], [again])).toEqual([]);
  });
});
