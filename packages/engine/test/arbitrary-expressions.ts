// Expressions as nobody would write them, over variables of each kind: what is true of all expressions is asked of these.
import fc from 'fast-check';
import type { Json } from '../src/contract/json.ts';
import { languageFunctions } from '../src/expressions/functions/index.ts';
import type { Path } from '../src/variables/path.ts';

/** The variables of `$context` in these expressions that the check knows the kind of; `x` may be anything. */
export const kinds = { t: 'text', n: 'number', b: 'bool', l: 'list', o: 'object' } as const;
export const kindOfVariable = ([scope, name, ...below]: Path) =>
  scope === '$context' && below.length === 0 && typeof name === 'string' && Object.hasOwn(kinds, name)
    ? kinds[name as keyof typeof kinds]
    : 'any';

const text = fc.constantFrom(
  '',
  'Ana',
  'año 👍',
  '2031-03-03T10:00:00Z',
  '2031-03-03',
  'PT1H',
  '12',
  'true',
  'America/Lima',
  'HH:mm',
  '{"a":1}',
  '9007199254740993',
  '٣ — ñandú "x" \\n',
);
const number = fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constantFrom(1.5, 0.1, 9_007_199_254_740_991, 1e21, 1e-7));
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const list: fc.Arbitrary<Json> = fc.oneof(fc.array(number, { maxLength: 3 }), fc.array(scalar, { maxLength: 3 }), fc.constant([{ a: 1 }]));
const object = fc.constantFrom<Json>({}, { a: 1 }, { a: 'x', b: null }, { length: 3 });
export const variables = fc.record({ t: text, n: number, b: fc.boolean(), l: list, o: object, x: fc.oneof(scalar, list, object) });

const leaf = fc.constantFrom(
  ...'$context.t $context.n $context.b $context.l $context.o $context.x $context.o.a $context.l[0] $now'.split(' '),
  ...'has($context.none) ($context.none??"-") $context.o.?a $context.?none $user.timeZone "America/Lima" "es"'.split(' '),
  ...'"" "a,b" 0 2 1.5 true null [] [1,2] ["a"] {"a":1} duration("P1D") b"ab"'.split(' '),
);
const operations = [
  'map(i, i)',
  'map(i, i != null, [i])',
  'filter(i, i != $context.n)',
  'exists(i, i == 2)',
  'all(i, i.a == 1)',
  'exists_one(i, i == "a")',
  'sortBy(i, i)',
  'sortBy(i, i.a).map(i, i.a)',
  'transformList(k, i, k)',
  'transformMap(k, i, [i])',
  'optMap(i, [i])',
  'orValue("or")',
  'hasValue()',
];
const called = languageFunctions.filter(({ name }) => name !== 'resumeUrl');
export const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: leaf },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          tie('expression'),
          fc.constantFrom('+', '-', '*', '/', '%', '<', '>=', '==', '!=', 'in', '??', '&&', '||'),
          tie('expression'),
        )
        .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...called).chain(({ name, parameters }) =>
        fc
          .array(tie('expression'), {
            minLength: parameters.filter(({ isOptional, isRest }) => !isOptional && !isRest).length,
            maxLength: parameters.length,
          })
          .map((values) => `${name}(${values.join(', ')})`),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('expression'), fc.constantFrom(...operations)).map(([inner, operation]) => `(${inner}).${operation}`),
    },
    { weight: 1, arbitrary: tie('expression').map((inner) => `(${inner}).a`) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `($context.b ? ${one} : ${other})`) },
  ),
}));
