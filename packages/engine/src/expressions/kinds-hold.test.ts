// What the check infers of an expression holds when it runs: the kind of its value, and that it fails with values of the kinds that are known.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HiloError } from '../contract/errors.ts';
import { type Json, kindOf } from '../contract/json.ts';
import { getPath, type Path } from '../variables/path.ts';
import { compileExpression, type Expression, inferKind } from './expression.ts';
import { languageFunctions } from './functions/index.ts';
import { compileJson, compileText, kindOfTemplate } from './template.ts';

const kinds = { t: 'text', n: 'number', b: 'bool', l: 'list', o: 'object' } as const;
const kindOfVariable = ([scope, name, ...below]: Path) =>
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
);
const number = fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constantFrom(1.5, 0.1, 9_007_199_254_740_991, 1e21, 1e-7));
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const list: fc.Arbitrary<Json> = fc.oneof(fc.array(number, { maxLength: 3 }), fc.array(scalar, { maxLength: 3 }), fc.constant([{ a: 1 }]));
const object = fc.constantFrom<Json>({}, { a: 1 }, { a: 'x', b: null }, { length: 3 });
const variables = fc.record({ t: text, n: number, b: fc.boolean(), l: list, o: object, x: fc.oneof(scalar, list, object) });

const leaf = fc.constantFrom(
  ...'$context.t $context.n $context.b $context.l $context.o $context.x $context.o.a $context.l[0] $now'.split(' '),
  ...'"" "a,b" 0 2 1.5 true null [] [1,2] ["a"] {"a":1} duration("P1D") b"ab"'.split(' '),
);
const called = languageFunctions.filter(({ name }) => name !== 'resumeUrl');
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
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
    { weight: 1, arbitrary: tie('expression').map((inner) => `(${inner}).a`) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `($context.b ? ${one} : ${other})`) },
  ),
}));

const attempt = <Value>(work: () => Value): { readonly value: Value } | undefined => {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof HiloError) return undefined;
    throw error;
  }
};

/** What decides by itself, or compares, may have a part that fails. */
const mayDecide = /[?&|]|[!=]=/;

it('is what the check says of it, alone, in brackets, in JSON and in a text', () => {
  fc.assert(
    fc.property(expression, variables, (source, values) => {
      const compiled = attempt<Expression>(() => compileExpression(source));
      if (compiled === undefined) return;
      const get = (path: Path): Json | undefined => getPath({ $context: values, $user: {}, $company: {} }, path);
      const view = { get, nowMs: 1_930_000_000_000 };
      const answer = attempt(() => compiled.value(view));
      expect(attempt(() => compileExpression(`(${source})`)(view))).toEqual(answer);
      expect(attempt(() => compileJson(`{{${source}}}`)(view))).toEqual(answer);
      const shown = answer && (typeof answer.value === 'string' ? answer.value : answer.value === null ? '' : JSON.stringify(answer.value));
      expect(attempt(() => compileText(`a${`{{${source}}}`}`)(view))?.value).toBe(shown === undefined ? undefined : `a${shown}`);
      const inferred = inferKind(source, kindOfVariable);
      expect(answer === undefined || 'kind' in inferred || mayDecide.test(source)).toBe(true);
      const kind = kindOfTemplate(`{{${source}}}`, kindOfVariable);
      expect(answer === undefined || kind === undefined ? kind : kindOf(answer.value)).toBe(kind);
    }),
    { numRuns: 400 },
  );
});
