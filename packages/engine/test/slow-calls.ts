// Calls of every function of the language with arguments that are slow somewhere.
import type { Evaluation } from '../src/expressions/evaluation.ts';
import { fitValue, getParameter, type LanguageFunction } from '../src/expressions/functions/define.ts';
import { functionByName, languageFunctions } from '../src/expressions/functions/index.ts';
import { maxPatternChars, patternTokens } from '../src/expressions/functions/patterns.ts';
import { binaryOperators, isEqual } from '../src/expressions/operators.ts';
import { toJson } from '../src/expressions/to-json.ts';
import { type Kind, Optional, TimeSpan, Timestamp, TypeName, type Value } from '../src/expressions/value.ts';

const many = 500;
const range = Array.from({ length: many }, (_, index) => index);

/** Number `n` of a value that some cache keeps, such as the name of a time zone: another for each `n`. */
type SlowValue = (n: number) => Value;

/** Values of each kind that are slow somewhere: long, periodic, with many parts, or uncached. */
const valuesOfKind: { readonly [kind in Kind]: readonly SlowValue[] } = {
  null: [() => null],
  bool: [() => true],
  number: [() => 0, () => 1.005, () => -123_456.789, () => 1e300, () => 5e-324, () => 20],
  text: [
    () => '',
    () => 'a'.repeat(8_000),
    () => `${'a'.repeat(4_000)}b`,
    () => `b${'a'.repeat(4_000)}`,
    () => 'ñ🚀ßİ '.repeat(1_000),
    () => `${' '.repeat(4_000)}x`,
    () => 'America/New_York',
    (n) => `Nowhere/Zone${1_000 + n}`,
    () => 'es-PE',
    (n) => `x${String.fromCharCode(97 + (n % 26))}-Latn-${String(100 + (n % 900))}`,
    () => '2026-12-01T15:30:00.000-05:00',
    () => '2026-12-01',
    () => '15:30',
    () => "cccc d LLLL yyyy HH:mm:ss.SSS ZZZZ 'x' ",
    () => 'DDDD TTTT ffff '.repeat(6),
    () => 'year',
    () => 'P1Y2M3DT4H5M6S',
    () => '1h'.repeat(50),
    () => '((a{0,10}){0,10}){0,10}$',
    () => `${'a{900}'.repeat(10)}`,
    () => `{"a": ${'['.repeat(30)}${']'.repeat(30)}, "b": [${'1,'.repeat(5_000)}1]}`,
  ],
  list: [
    () => [],
    () => range.map((index) => many - index),
    () => range.map((index) => `${'a'.repeat(50)}${many - index}`),
    () => range.map((index) => ({ id: index, texts: ['a', 'b'] })),
    () => range.map((index) => new Timestamp((many - index) * 1e9)),
    () => range.map(() => range.slice(0, 10)),
  ],
  object: [
    () => ({}),
    () => Object.fromEntries(range.map((index) => [`key${index}`, index])),
    () => ({ list: range.map((index) => ({ index })) }),
  ],
  timestamp: [
    () => new Timestamp(0),
    (n) => new Timestamp(1.7e12 + (n % 1_000) * 86_400_000),
    () => new Timestamp(-6e13),
    () => new Timestamp(2.5e14),
  ],
  duration: [() => new TimeSpan(90_000), () => new TimeSpan(3e14)],
  bytes: [() => new TextEncoder().encode('ñ"'.repeat(5_000)), () => new TextEncoder().encode(`[${'{"a":1},'.repeat(2_000)}1]`)],
  optional: [() => new Optional(undefined)],
  type: [() => new TypeName('text')],
};

const slowValues: readonly SlowValue[] = Object.values(valuesOfKind).flat();

/** Arguments for each parameter, in every combination for two, and in turn for what comes after them. */
function slowCallsOf(definition: LanguageFunction): readonly (readonly SlowValue[])[] {
  const ofParameter = ({ kinds }: LanguageFunction['parameters'][number]) =>
    kinds === undefined ? slowValues : Object.entries(valuesOfKind).flatMap(([kind, values]) => (kinds.has(kind) ? values : []));
  let calls: (readonly SlowValue[])[] = [[]];
  for (const [index, parameter] of definition.parameters.entries()) {
    const values = ofParameter(parameter);
    const longer = calls
      .filter((call) => call.length === index)
      .flatMap((call, turn) =>
        values
          .filter((_, at) => index < 2 || at === turn % values.length || at === (turn * 7 + 3) % values.length)
          .map((value) => [...call, value]),
      );
    calls = parameter.isOptional || parameter.isRest ? [...calls, ...longer] : longer;
  }
  return calls;
}

/** Something of the language that counts its work, and the arguments for which it may be slow. */
export interface SlowSubject {
  readonly name: string;
  readonly calls: readonly (readonly SlowValue[])[];
  run(evaluation: Evaluation, values: readonly Value[]): unknown;
}

const pairs = slowValues.flatMap((left) => slowValues.map((right) => [left, right]));

/** A pattern of one token as often as it fits: by each of them, in a locale and a zone that no cache has. */
const tokenSubjects = [...patternTokens.keys()].map((token): SlowSubject => {
  const pattern = Array.from({ length: Math.floor(maxPatternChars / (token.length + 1)) }, () => token).join('.');
  const format = functionByName.get('format');
  const zones = ['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'UTC', '+05:30'];
  const locales = ['es-PE', 'ar-EG', 'ja', 'en', 'th'];
  return {
    name: `format by ${token}`,
    calls: [
      [
        (n) => new Timestamp(1.7e12 + (n % 1_000) * 86_400_000),
        () => pattern,
        (n) => zones[n % 5] ?? 'UTC',
        (n) => locales[(n * 7) % 5] ?? 'en',
      ],
    ],
    run: (evaluation, values) => format?.call(evaluation, values),
  };
});

/** Pieces of patterns of RE2, each repeated, on a text that goes on for long. */
const patternSubjects = [
  'a',
  '.',
  '[a-z]',
  '\\d',
  '\\w',
  '\\pL',
  '(a|b)',
  '(?:a)',
  '(?i)a',
  'a*',
  'a+?',
  '(a*)*',
  'a{2,5}',
  '^',
  '$',
  '\\b',
  '[^b]',
  'x?',
].map(
  (piece): SlowSubject => ({
    name: `like by ${piece}`,
    calls: [[() => 'ab'.repeat(1_000), () => piece.repeat(10)]],
    run: (evaluation, [text = '', pattern = '']) => functionByName.get('like')?.call(evaluation, [text, pattern]),
  }),
);

/** All functions and operators, every token of their patterns, and what becomes of a result. */
export const slowSubjects: readonly SlowSubject[] = [
  ...languageFunctions.map(
    (definition): SlowSubject => ({
      name: definition.name,
      calls: slowCallsOf(definition),
      run(evaluation, values) {
        const fitting = values.map((value, index) => fitValue(evaluation, getParameter(definition, index), value));
        if (fitting.every((value) => value !== undefined)) definition.call(evaluation, fitting);
      },
    }),
  ),
  ...[...binaryOperators].map(
    ([symbol, operator]): SlowSubject => ({
      name: symbol,
      calls: pairs,
      run: (evaluation, [left = null, right = null]) => operator.run(evaluation, left, right),
    }),
  ),
  ...tokenSubjects,
  ...patternSubjects,
  { name: 'result as JSON', calls: slowValues.map((value) => [value]), run: (evaluation, [value = null]) => toJson(evaluation, value) },
  {
    name: 'result compared',
    calls: slowValues.map((value) => [value, value]),
    run: (evaluation, [one = null, other = null]) => isEqual(evaluation, one, other),
  },
];
