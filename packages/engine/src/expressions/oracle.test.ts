import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateByLibrary, type Outcome } from '../../test/cel-oracle.ts';
import { variables } from '../../test/evaluated.ts';
import type { JsonObject } from '../contract/json.ts';
import { compile } from './compile.ts';

import { beginEvaluation, maxWork } from './evaluation.ts';
import { parse } from './parse.ts';
import { toJson } from './to-json.ts';

type Sources = fc.Arbitrary<string>;

/** Puts parts into a form: `form('size(#)', part)`. */
const form = (pattern: string, ...parts: readonly Sources[]): Sources =>
  fc.tuple(...parts).map((sources) => hidden(sources.reduce((text, source) => text.replace('#', () => source), pattern)));

const oneOf = (...sources: readonly string[]): Sources => fc.constantFrom(...sources.map(hidden));

/**
 * Hides static kinds: with them the library refuses more than Hilo does. It also distinguishes integers from other numbers, so that
 * numbers are written with a point and integer results are wrapped in `double`.
 */
const hidden = (source: string): string => `dyn(${source})`;

/** Quarters: their sums and products are exact, and so the same where decimal places are kept. */
const number = fc.integer({ min: -80, max: 80 }).map((n) => n / 4 + 0);
const text = fc.oneof(fc.constantFrom('', 'a', 'light house', 'ñandú 🚀 go', 'ab ba ab'), fc.string({ maxLength: 12 }));
const json = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.record({ k: number }), fc.array(number, { maxLength: 3 }));

const values: fc.Arbitrary<JsonObject> = fc.record({
  $context: fc.record({
    n: number,
    half: fc.constant(0.5),
    s: text,
    empty: fc.constant(''),
    yes: fc.boolean(),
    no: fc.constant(null),
    list: fc.array(number, { minLength: 2, maxLength: 4 }),
    texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    mixed: fc.tuple(json, json, json, fc.record({ k: json })),
    o: fc.record({ k: json, deep: fc.record({ list: fc.array(fc.record({ s: text }), { maxLength: 2 }), text }) }),
  }),
  $item: fc.record({ a: number }),
});

const missing = oneOf(
  '$context.none',
  '$context.o.none.deeper',
  '$context.list[9]',
  '$message.text',
  '$context.s.part',
  '$context.mixed[2].k',
);

/** Texts without surrogate pairs: the library counts positions in UTF-16 units, and `size` in characters. */
const flat = oneOf('"ñandú"', '"o"', '"light house"', '""', '$context.empty', '$context.n', '$context.none');

/** Expressions of each kind, some of which are missing, and some of the wrong kind. */
const expressions = fc.letrec<Record<'number' | 'text' | 'bool' | 'list' | 'object' | 'any', string>>((tie) => {
  const [number, text, bool, list, object, any] = [tie('number'), tie('text'), tie('bool'), tie('list'), tie('object'), tie('any')];
  const item = oneOf('it', 'it.k');
  return {
    number: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      oneOf('0.0', '1.0', '2.0', '7.0', '100.0'),
      oneOf('$context.n', '$context.half', '$context.list[1]', '$item.a', '2.5', '$context.o.k'),
      missing,
      form('(# + #)', number, number),
      form('(# - #)', number, number),
      form('(# * #)', number, number),
      form('(# / dyn(4.0))', number),
      form('(# % dyn(3.0))', number),
      form('(-#)', number),
      form('double(size(#))', fc.oneof(text, list, object)),
      form('double((#).size())', fc.oneof(text, list)),
      form('double((#).indexOf("o"))', flat),
      form('double((#).lastIndexOf("o"))', flat),
      form('(# ?? #)', number, number),
      form('(# ? # : #)', bool, number, number),
      form('double(int(# * dyn(1.0)))', number), // of a text: below
    ),
    text: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      oneOf(
        '"a"',
        '""',
        '"light"',
        '"o"',
        '"ñandú"',
        '"🚀 go"',
        '$context.s',
        '$context.empty',
        '$context.texts[0]',
        '$context.o.deep.text',
      ),
      missing,
      form('(# + #)', text, text),
      form('(#).trim()', text),
      form('(#).split(" ").join("-")', text),
      form('(#).substring(1)', flat),
      form('(#).substring(0, 2)', flat),
      form('(# ?? #)', text, text),
      form('(# ? # : #)', bool, text, text),
      form('string(#)', bool),
    ),
    bool: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      oneOf('true', 'false', '$context.yes'),
      missing,
      form('(# < #)', number, number),
      form('(# <= #)', number, number),
      form('(# > #)', text, text),
      form('(# >= #)', text, text),
      form('(# == #)', any, any),
      form('(# != #)', any, any),
      form('(# && #)', bool, bool),
      form('(# || #)', bool, bool),
      form('(!#)', bool),
      form('(# in #)', any, list),
      form('(# in #)', text, object),
      form('has(#)', any),
      form('(#).contains(#)', text, text),
      form('(#).startsWith(#)', text, text),
      form('(#).endsWith(#)', text, text),
      form('(#).like("^[a-o ]+$")', text),
      form('(#).exists(it, # > dyn(2.0))', list, item),
      form('(#).all(it, # == dyn(1.0))', list, item),
      form('(#).exists_one(it, # != "a")', list, item),
      form('(# ?? #)', bool, bool),
    ),
    list: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      oneOf('$context.list', '$context.texts', '$context.mixed', '[]', '$context.o.deep.list'),
      missing,
      form('[#, #]', any, any),
      form('(#).map(it, [#, it])', list, item),
      form('(#).map(it, it > dyn(1.0), it)', list),
      form('(#).filter(it, it == dyn(1.0) || it == dyn("a"))', list),
      form('(#).split("a")', text),
      form('(#).map(it, it)', object),
      form('(# ?? #)', list, list),
    ),
    object: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      oneOf('$context.o', '$context.o.deep', '{}'),
      missing,
      form('{"once": #, #: dyn(1.0)}', any, text),
      form('(# ?? #)', object, object),
    ),
    any: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'e' },
      number,
      text,
      bool,
      list,
      object,
      // The content of `.?` is compared: the library calls two of them equal only when they are identical.
      oneOf('null', '$context.no', '$context.?none.orValue(1.0)', '$context.o.?k.orValue("a")', '$context.list[?9] ?? "d"'),
    ),
  };
});

/** What the closures come to, with how they fail. */
function evaluate(source: string, root: JsonObject): Outcome {
  const evaluation = beginEvaluation(source, variables(root), maxWork);
  try {
    const value = compile(parse(source)).run(evaluation);
    const json = value === undefined ? undefined : toJson(evaluation, value);
    return json === undefined ? { failure: evaluation.isMissing ? 'missing' : 'wrong' } : { value: json };
  } catch (error) {
    if (error instanceof SyntaxError) return { failure: 'wrong' };
    throw error;
  }
}

/** Keys of maps that the library leaves out, since it makes objects of them that have more than their keys. */
const leftOut = /__proto__|constructor|prototype/;

describe('the closures of an expression', () => {
  it('come to what CEL’s own evaluator comes to, and fail as it fails', () =>
    fc.assert(
      fc.property(expressions.any, values, (source, root) => {
        fc.pre(!leftOut.test(`${source}${JSON.stringify(root)}`));
        expect(evaluate(source, root)).toEqual(evaluateByLibrary(source, root));
      }),
      { numRuns: 2_000 },
    ));

  it('refuse the key __proto__ of a map, which is no data: the library leaves it out', () => {
    expect(evaluate('{"k": 1, $context.s: 2}', { $context: { s: '__proto__' } })).toEqual({ failure: 'wrong' });
  });

  it.each(['constructor', 'prototype'])('keep the key %s of a map: the library leaves it out', (key) => {
    expect(evaluate('{"k": 1, $context.s: 2}', { $context: { s: key } })).toEqual({ value: { k: 1, [key]: 2 } });
  });

  it('refuse a key that stands twice, also where it is computed: the library takes the last', () => {
    expect(evaluate('{"k": 1, "k" + "": 2}', {})).toEqual({ failure: 'wrong' });
  });

  it.each(['int("")', 'int(" ")', 'int("0x10")', 'int("1.5")'])(
    'refuse %s: the library reads blanks and other bases as whole numbers',
    (source) => {
      expect(evaluate(source, {})).toEqual({ failure: 'wrong' });
    },
  );
});
