import { describe, expect, it } from 'vitest';
import { binaryOperators, isEqual } from './operators.ts';
import { beginEvaluation, type Evaluation } from './evaluation.ts';
import { fitValue, type LanguageFunction, getParameter } from './functions/define.ts';
import { languageFunctions } from './functions/index.ts';
import { toJson } from './to-json.ts';
import { type Kind, kindOf, Optional, TimeSpan, Timestamp, TypeName, type Value } from './value.ts';

/*
 * Every function and operator is counted in units of work, so that an evaluation ends before it takes long (P20). What is counted
 * must follow what it takes: so each is run on inputs that take long, and its time for each unit is compared with that of a loop
 * over characters in the same process. A function that is new, or counted too low, is found here.
 */

const many = 500;
const range = Array.from({ length: many }, (_, index) => index);
let fresh = 0;

/** Inputs of each kind that are slow somewhere: long, periodic, with many parts, or uncached. */
const worst: { readonly [kind in Kind]: readonly (() => Value)[] } = {
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
    () => `Nowhere/Zone${(fresh += 1)}`,
    () => 'es-PE',
    () => `x${String.fromCharCode(97 + ((fresh += 1) % 26))}-Latn-${String(100 + (fresh % 900))}`,
    () => '2026-12-01T15:30:00.000-05:00',
    () => '2026-12-01',
    () => '15:30',
    () => "cccc d LLLL yyyy HH:mm:ss.SSS ZZZZ 'x' ",
    () => 'DDDDTTTTffff'.repeat(8),
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
    () => new Timestamp(1.7e12 + ((fresh += 1) % 1_000) * 86_400_000),
    () => new Timestamp(-6e13),
    () => new Timestamp(2.5e14),
  ],
  duration: [() => new TimeSpan(90_000), () => new TimeSpan(3e14)],
  bytes: [() => new TextEncoder().encode('ñ"'.repeat(5_000)), () => new TextEncoder().encode(`[${'{"a":1},'.repeat(2_000)}1]`)],
  optional: [() => new Optional(undefined)],
  type: [() => new TypeName('text')],
};

const all = Object.values(worst).flat();

/** Inputs for each parameter, in every combination for two, and in turn for what comes after them. */
function callsOf(definition: LanguageFunction): readonly (readonly (() => Value)[])[] {
  const ofParameter = ({ kinds }: LanguageFunction['parameters'][number]) =>
    kinds === undefined ? all : [...kinds].flatMap((kind) => worst[kind as Kind]);
  let calls: (readonly (() => Value)[])[] = [[]];
  for (const [index, parameter] of definition.parameters.entries()) {
    const inputs = ofParameter(parameter);
    const longer = calls
      .filter((call) => call.length === index)
      .flatMap((call, turn) =>
        (index < 2 ? inputs : [inputs[turn % inputs.length]!, inputs[(turn * 7 + 3) % inputs.length]!]).map((input) => [...call, input]),
      );
    calls = parameter.isOptional || parameter.isRest ? [...calls, ...longer] : longer;
  }
  return calls;
}

const unlimited = () => beginEvaluation('', { get: () => undefined }, 1e9);

/** Nanoseconds per character in a loop over a text, in this process. */
const characterNs = (() => {
  const text = 'ab'.repeat(500_000);
  const loop = () => {
    let sum = 0;
    for (let index = 0; index < text.length; index += 1) sum = (sum * 31 + text.charCodeAt(index)) | 0;
    return sum;
  };
  return (leastMs(loop, 5) / text.length) * 1e6;
})();

function leastMs(run: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    run();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

/** What a call costs beside what it counts: the limits count operators on their own. */
const callWork = 100;

/** Most loop characters per unit of work; 5 ns per unit are 5 to 10 of them. */
const maxCharacters = 40;

/** The time per unit of work, in loop characters; an excess is measured again before it is reported. */
function charactersForUnit(inputs: readonly (() => Value)[], run: (evaluation: Evaluation, values: readonly Value[]) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 100 && !(least < maxCharacters); attempt += 1) {
    const evaluation = unlimited();
    const values = inputs.map((input) => input()); // new values, so that no cache helps
    const ms = leastMs(() => run(evaluation, values), 1);
    least = Math.min(least, (ms * 1e6) / (evaluation.work + callWork) / characterNs);
  }
  return least;
}

describe('the work of an expression follows its time (P20)', () => {
  it.each(languageFunctions.map((definition) => [definition.name, definition] as const))('%s', (_, definition) => {
    for (const call of callsOf(definition)) {
      const characters = charactersForUnit(call, (evaluation, values) => {
        const fitting = values.map((value, index) => fitValue(evaluation, getParameter(definition, index), value));
        if (fitting.every((value) => value !== undefined)) definition.call(evaluation, fitting);
      });
      const values = call.map((input) => input());
      expect(characters, `${definition.name}(${values.map(described).join(', ')})`).toBeLessThan(maxCharacters);
    }
  });

  it.each([...binaryOperators.keys()])('%s', (symbol) => {
    const operator = binaryOperators.get(symbol)!;
    for (const left of all) {
      for (const right of all) {
        const characters = charactersForUnit([left, right], (evaluation, [first = null, second = null]) =>
          operator.run(evaluation, first, second),
        );
        expect(characters, `${described(left())} ${symbol} ${described(right())}`).toBeLessThan(maxCharacters);
      }
    }
  });

  it.each(all.map((input) => [described(input()), input] as const))('the result as JSON, and as it is compared: %s', (_, input) => {
    expect(charactersForUnit([input], (evaluation, [value = null]) => toJson(evaluation, value))).toBeLessThan(maxCharacters);
    expect(charactersForUnit([input, input], (evaluation, [value = null, other = null]) => isEqual(evaluation, value, other))).toBeLessThan(
      maxCharacters,
    );
  });

  it('is refused at its bound, and does nothing after it', () => {
    const evaluation = beginEvaluation('', { get: () => undefined }, 1_000);
    expect(() => toJson(evaluation, range)).toThrow('it looks at too much data');
  });
});

const described = (value: Value): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : typeof value === 'number' ? String(value) : kindOf(value);
