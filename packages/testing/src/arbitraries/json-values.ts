import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { codePoint, grapheme } from './code-point.ts';

/** Names that no path and no key of a variable may have. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** Texts of every script, with NUL and with half surrogate pairs, and texts that other languages would run. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: grapheme, maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 10 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      '{{$context.executionId}}',
      '{{',
      '}}',
      '${1+1}',
      '__proto__',
      '1e999',
      '-0',
      '<b>',
      "' OR 1=1",
    ),
  },
);

/** Finite numbers but for minus zero, which JSON does not keep. */
export const anyNumber: fc.Arbitrary<number> = fc
  .oneof(fc.integer({ min: -100, max: 100 }), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((number) => number + 0);

const key = fc
  .oneof(fc.constantFrom('a', 'b', 'id', '', '0', 'length', 'toString', 'hasOwnProperty', 'a.b', 'a[0]'), anyText)
  .filter((name) => !forbidden.has(name));

const { json, object } = fc.letrec<{ json: Json; leaf: Json; list: readonly Json[]; object: JsonObject }>((tie) => ({
  json: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(fc.constant(null), fc.boolean(), anyNumber, anyText),
  list: fc.array(tie('json'), { maxLength: 5 }),
  object: fc.dictionary(key, tie('json'), { maxKeys: 5, noNullPrototype: true }),
}));

/** Any JSON value that variables may hold: one that survives a round trip through JSON text. */
export const jsonValue: fc.Arbitrary<Json> = json;

/** The same, always an object. */
export const jsonObject: fc.Arbitrary<JsonObject> = object;

/** The name of a variable. */
export const variableName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', 'b', 'answer', 'toString', '_'),
  fc
    .stringMatching(/^[a-z_][a-z0-9_]{0,9}$/)
    .filter(
      (name) =>
        !/^(as|break|const|continue|else|false|for|function|if|import|in|let|loop|namespace|null|package|return|true|var|void|while|constructor|prototype|__proto__)$/.test(
          name,
        ),
    ),
);

/** Places where a canvas may write, as text: `$context.a.b[0]`. */
export const writablePath: fc.Arbitrary<string> = fc
  .tuple(
    variableName,
    fc.array(
      fc.oneof(
        variableName.map((name) => `.${name}`),
        fc.nat({ max: 3 }).map((position) => `[${position}]`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([name, steps]) => `$context.${name}${steps.join('')}`);

/** Places to read, as text, in any scope that is always there or may be. */
export const readablePath: fc.Arbitrary<string> = fc.oneof(
  writablePath,
  fc
    .tuple(fc.constantFrom('$memory', '$user', '$message', '$webhook', '$item', '$error', '$input'), variableName)
    .map((steps) => steps.join('.')),
);

/** Variables as an execution has them: scopes as keys. */
export const variables: fc.Arbitrary<JsonObject> = fc.record({
  $context: fc
    .dictionary(variableName, jsonValue, { maxKeys: 4, noNullPrototype: true })
    .map((values) => ({ ...values, executionId: 'an-execution' })),
  $memory: fc.dictionary(
    variableName,
    fc.oneof(
      anyText.filter((text) => text.length <= 255),
      fc.integer(),
      fc.boolean(),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
  $user: fc.record({
    id: fc.constant('5215512345678'),
    names: fc.option(anyText, { nil: null }),
    phone: fc.constant('5215512345678'),
    phoneNumber: fc.constant('5215512345678'),
  }),
  $error: fc.constant({ cause: null, message: null, nodeId: null, attempt: null }),
});
