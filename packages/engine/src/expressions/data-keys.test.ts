import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reason, variables } from '../../test/evaluated.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import { compileExpression } from './expression.ts';
import { languageFunctions } from './functions/index.ts';
import { binaryOperators } from './operators.ts';
import { compileJson, compileText } from './template.ts';

/** Names that mean something to JavaScript, to a library, or to a schema; in a request they are data. */
const names = ['constructor', 'then', 'toJSON', 'valueOf', 'length', 'hasOwnProperty', '$ref', 'type'] as const;
/** Names that mean nothing, one for each. */
const plain = (name: string): string => {
  const at = names.findIndex((one) => one === name);
  return at < 0 ? name : `k${at}`;
};

const key = fc.oneof(fc.constantFrom(...names), fc.constant('other'));
const { data } = fc.letrec<{ data: Json; object: JsonObject }>((tie) => ({
  object: fc.dictionary(key, tie('data'), { maxKeys: 5 }),
  data: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, 'then', 'constructor', { prototype: {} }),
    tie('object'),
    fc.array(tie('data'), { maxLength: 3 }),
  ),
}));
const object = fc.dictionary(key, data, { minKeys: 1, maxKeys: 8 }) as fc.Arbitrary<JsonObject>;

/** A value with every such name, at any place, replaced by its plain one. */
function renamed(value: Json): Json {
  if (typeof value === 'string') return names.reduce((text, name) => text.replaceAll(`"${name}"`, `"${plain(name)}"`), plain(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [plain(name), renamed(item)]));
}

const calls = languageFunctions.flatMap(({ name }) => [
  `${name}($context.o)`,
  `${name}($context.list)`,
  `${name}($context.o, $context.key)`,
  `${name}($context.list, 1)`,
  `${name}($context.o, $context.key, $context.p)`,
]);
const operations = [...binaryOperators.keys()].flatMap((symbol) => [
  `$context.o ${symbol} $context.p`,
  `$context.key ${symbol} $context.o`,
  `$context.list ${symbol} [$context.o]`,
  `$context.o ${symbol} $context.list`,
]);
const parts = [
  '$context.o[$context.key]',
  '$context.o.KEY ?? "none"',
  '$context.o.KEY.KEY ?? "none"',
  '$context.o.?KEY.orValue("none")',
  'has($context.o.KEY)',
  '$context.list[0].KEY ?? 0',
  '{"KEY": $context.o, "other": [$context.p]}',
  '{$context.key: 1}[$context.key]',
  '[$context.o, [$context.p]]',
  '$context.none ?? $context.o',
  '$context.o == $context.o ? $context.o : 1',
  '$context.o && true',
  '!$context.o',
  '-$context.o',
  '$context.o.map(k, k)',
  '$context.o.map(k, $context.o[k])',
  '$context.o.exists(k, k == "KEY")',
  '$context.list.map(x, x.KEY ?? 0)',
  '$context.list.filter(x, has(x.KEY))',
  '$context.list.all(x, x == $context.o)',
  'distinct($context.list + [$context.o]).size()',
  'type($context.o) == type({})',
];

/** What an expression comes to, or that it fails. */
function outcome(source: string, root: JsonObject): Json {
  let value: Json = null;
  const failed = reason(() => (value = compileExpression(source)(variables(root))));
  return failed === '' ? { value } : 'failed';
}

describe('names that mean something elsewhere are data', () => {
  it('in every operator and function', () =>
    fc.assert(
      fc.property(
        object,
        object,
        fc.array(data, { maxLength: 3 }),
        key,
        fc.constantFrom(...calls, ...operations, ...parts),
        (o, p, list, key, form) => {
          const root: JsonObject = { $context: { o, p, list: [o, ...list], key } };
          const asPlain = outcome(form.replaceAll('KEY', plain(key)), renamed(root) as JsonObject);
          expect(renamed(outcome(form.replaceAll('KEY', key), root))).toEqual(asPlain);
        },
      ),
      { numRuns: 2_000 },
    ));

  it('in texts and values with expressions in them', () =>
    fc.assert(
      fc.property(object, (o) => {
        const values = variables({ $context: { o } });
        expect(compileText('<{{$context.o}}>')(values)).toBe(`<${JSON.stringify(o)}>`);
        expect(compileJson({ inside: ['{{$context.o}}', '{{[$context.o]}}'] })(values)).toEqual({ inside: [o, [o]] });
      }),
    ));
});

describe('a key that stands twice in an object', () => {
  it.each(['{"a": 1, "a": 2}', '{"a": 1, "b": {"c": 1, "d": 2, "c": 3}}', '{"": 1, "": 1}'])('is refused in %s', (source) => {
    expect(reason(() => compileExpression(source))).toMatch(/the key "[ac]?" stands twice in an object/);
  });

  it.each([
    ['{$context.key: 1, "a": 2}', 'a'],
    ['{"1": 1, 1: 2}', 'a'],
    ['{true: 1, $context.key: 2}', 'true'],
  ])('is an error of %s as well, whatever kind its keys are of', (source, key) => {
    expect(reason(() => compileExpression(source)(variables({ $context: { key } })))).toContain('stands twice in an object');
  });

  it('is none where the keys differ', () => {
    expect(compileExpression('{"a": 1, $context.key: {"a": 2}}')(variables({ $context: { key: 'A' } }))).toEqual({ a: 1, A: { a: 2 } });
  });
});
