import { dateWork, entryWork, type Evaluation, itemWork, spend, wrong } from './evaluation.ts';
import { type Examples, readTimestamp, type StaticKind } from './functions/define.ts';
import { productOf, sumOf } from './arithmetic.ts';
import { finite } from './functions/numbers.ts';
import { createDuration, later } from './functions/times.ts';
import { isList, isObject, kindOf, type ObjectValue, Optional, TimeSpan, Timestamp, TypeName, type Value } from './value.ts';
import { describeOverload } from './remedies.ts';
import { parseTimestamp } from './time.ts';

/** The kinds of the sides and of the result in one signature of an operator. */
interface Overload {
  readonly left: StaticKind;
  readonly right: StaticKind;
  readonly gives: StaticKind;
}

/** An operator between two values. */
interface BinaryOperator {
  readonly symbol: string;
  readonly overloads: readonly Overload[];
  readonly says: string;
  readonly examples: Examples;
  run(evaluation: Evaluation, left: Value, right: Value): Value | undefined;
}

/** Signatures with the same kind of result. */
const overloadsOf = (gives: StaticKind, ...pairs: readonly (readonly [StaticKind, StaticKind])[]): readonly Overload[] =>
  pairs.map(([left, right]) => ({ left, right, gives }));

/** Signatures with a timestamp on at least one side; the other may be a text, as which timestamps are saved. */
const instants = (gives: StaticKind): readonly Overload[] =>
  overloadsOf(gives, ['timestamp', 'timestamp'], ['timestamp', 'text'], ['text', 'timestamp']);

const compared: readonly Overload[] = [
  ...overloadsOf('bool', ['number', 'number'], ['text', 'text'], ['bool', 'bool'], ['duration', 'duration'], ['bytes', 'bytes']),
  ...instants('bool'),
];

const operators: readonly BinaryOperator[] = [
  {
    symbol: '+',
    overloads: [
      ...overloadsOf('number', ['number', 'number']),
      ...overloadsOf('text', ['text', 'text'], ['text', 'number'], ['number', 'text']),
      ...overloadsOf('list', ['list', 'list']),
      ...overloadsOf('timestamp', ['timestamp', 'duration'], ['duration', 'timestamp'], ['text', 'duration'], ['duration', 'text']),
      ...overloadsOf('duration', ['duration', 'duration']),
      ...overloadsOf('bytes', ['bytes', 'bytes']),
    ],
    says: 'Adds numbers, with as many decimal places as they have, and a duration to a timestamp (months and years on the calendar of the user’s zone); concatenates texts, lists and bytes, and a number and a text.',
    examples: {
      '1 + 1.5': 2.5,
      '0.1 + 0.2 == 0.3': true,
      '"No. " + 12': 'No. 12',
      '[1] + [2]': [1, 2],
      'timestamp("2026-12-01T10:00:00Z") + duration("1h")': '2026-12-01T11:00:00.000Z',
      'timestamp("2027-01-31T10:00:00Z") + duration("P1M")': '2027-02-28T10:00:00.000Z',
    },
    run: add,
  },
  {
    symbol: '-',
    overloads: [
      ...overloadsOf('number', ['number', 'number']),
      ...overloadsOf('timestamp', ['timestamp', 'duration'], ['text', 'duration']),
      ...instants('duration'),
      ...overloadsOf('duration', ['text', 'text'], ['duration', 'duration']),
    ],
    says: 'Subtracts numbers and durations; for two timestamps, the time from the second to the first.',
    examples: { '1 - 3': -2, 'timestamp("2026-12-01T10:00:00Z") - timestamp("2026-12-01T09:30:00Z")': '1800s' },
    run: subtract,
  },
  arithmetic('*', 'Multiplies, with the decimal places of both sides together.', { '3 * 1.5': 4.5, '3 * 1.1': 3.3 }, productOf),
  arithmetic('/', 'Divides; use `int(a / b)` for an integer.', { '12 / 5': 2.4, 'int(12 / 5)': 2 }, (evaluation, left, right) =>
    right === 0 ? wrong(evaluation, 'division by zero') : finite(evaluation, left / right),
  ),
  arithmetic('%', 'The remainder of a division, with the sign of the left side.', { '7 % 3': 1 }, (evaluation, left, right) =>
    right === 0 ? wrong(evaluation, 'modulo by zero') : left % right,
  ),
  {
    symbol: '==',
    overloads: overloadsOf('bool', ['any', 'any']),
    says: 'Equal as JSON: same type and same value, in any order of keys. A timestamp equals the text that it was saved as. Comparing two types that can never be equal, as in `1 == "1"`, is refused when the canvas is checked.',
    examples: { '12 == 12.0': true, '{"a": 1, "b": 2} == {"b": 2, "a": 1}': true },
    run: isEqual,
  },
  {
    symbol: '!=',
    overloads: overloadsOf('bool', ['any', 'any']),
    says: 'Not equal.',
    examples: { '[1] != [1, 2]': true },
    run: (evaluation, left, right) => !isEqual(evaluation, left, right),
  },
  ordering(
    '<',
    'Less than: compares numbers, texts by character code, bytes, timestamps and durations; false is less than true.',
    { '1 < 1.5': true, '"a" < "b"': true },
    (order) => order < 0,
  ),
  ordering('<=', 'Less than or equal.', { '1 <= 1.0': true }, (order) => order <= 0),
  ordering('>', 'Greater than.', { '2 > 1': true }, (order) => order > 0),
  ordering('>=', 'Greater than or equal.', { '"b" >= "a"': true }, (order) => order >= 0),
  {
    symbol: 'in',
    overloads: [...overloadsOf('bool', ['any', 'list']), ...overloadsOf('bool', ['any', 'object'])],
    says: 'Whether a list contains an equal item, or an object has the key.',
    examples: { '2 in [1, 2]': true, '"a" in {"a": 1}': true },
    run: isIn,
  },
];

/** The operators between two values, by their symbol. */
export const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map(operators.map((operator) => [operator.symbol, operator]));

/** The kind of an operator's result for sides of these kinds; `undefined` when it accepts no such sides. */
export function inferKind({ symbol, overloads }: BinaryOperator, left: StaticKind, right: StaticKind): StaticKind | undefined {
  // Values of two different known kinds are never equal: that is reported as an error at compile time.
  if ((symbol === '==' || symbol === '!=') && !isComparable(left, right)) return undefined;
  const fitting = overloads.filter((overload) => fits(overload.left, left) && fits(overload.right, right)).map(({ gives }) => gives);
  return new Set(fitting).size > 1 ? 'any' : fitting[0];
}

const fits = (wanted: StaticKind, kind: StaticKind): boolean => wanted === 'any' || kind === 'any' || wanted === kind;

const isComparable = (left: StaticKind, right: StaticKind): boolean =>
  fits(left, right) || [left, right].includes('null') || ([left, right].includes('timestamp') && [left, right].includes('text'));

/** Fails because an operator does not take values of these kinds. */
const noOverload = (evaluation: Evaluation, symbol: string, left: Value, right: Value): undefined =>
  wrong(evaluation, describeOverload(symbol, kindOf(left), kindOf(right)));

/** Defines an operator between two numbers. */
function arithmetic(
  symbol: string,
  says: string,
  examples: Examples,
  combine: (evaluation: Evaluation, left: number, right: number) => Value | undefined,
): BinaryOperator {
  const run: BinaryOperator['run'] = (evaluation, left, right) =>
    typeof left === 'number' && typeof right === 'number' ? combine(evaluation, left, right) : noOverload(evaluation, symbol, left, right);
  return { symbol, overloads: overloadsOf('number', ['number', 'number']), says, examples, run };
}

function add(evaluation: Evaluation, left: Value, right: Value): Value | undefined {
  if (typeof left === 'number' && typeof right === 'number') return sumOf(evaluation, left, right, left + right);
  if (typeof left === 'string') {
    if (typeof right === 'string' || typeof right === 'number') return joinTexts(evaluation, left, String(right));
  } else if (typeof left === 'number' && typeof right === 'string') return joinTexts(evaluation, String(left), right);
  if (isList(left) && isList(right)) {
    spend(evaluation, (left.length + right.length) * itemWork);
    return [...left, ...right];
  }
  if (left instanceof TimeSpan && right instanceof TimeSpan)
    return createDuration(evaluation, left.ms + right.ms, left.months + right.months);
  if (left instanceof TimeSpan || right instanceof TimeSpan) {
    const [span, other] = left instanceof TimeSpan ? [left, right] : [right, left];
    const instant = requireTimestamp(evaluation, other);
    if (instant !== undefined && span instanceof TimeSpan) return later(evaluation, instant, span);
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    spend(evaluation, left.length + right.length);
    const both = new Uint8Array(left.length + right.length);
    both.set(left);
    both.set(right, left.length);
    return both;
  }
  return noOverload(evaluation, '+', left, right);
}

function joinTexts(evaluation: Evaluation, left: string, right: string): string {
  spend(evaluation, left.length + right.length);
  return left + right;
}

function subtract(evaluation: Evaluation, left: Value, right: Value): Value | undefined {
  if (typeof left === 'number' && typeof right === 'number') return sumOf(evaluation, left, right, left - right);
  if (left instanceof TimeSpan && right instanceof TimeSpan)
    return createDuration(evaluation, left.ms - right.ms, left.months - right.months);
  const instant = requireTimestamp(evaluation, left);
  if (instant !== undefined && right instanceof TimeSpan) return later(evaluation, instant, new TimeSpan(0 - right.ms, 0 - right.months));
  const earlier = instant === undefined ? undefined : requireTimestamp(evaluation, right);
  if (instant !== undefined && earlier !== undefined) return createDuration(evaluation, instant.ms - earlier.ms);
  return noOverload(evaluation, '-', left, right);
}

/** A timestamp, or the one that was saved as this text; `undefined` for any other value. */
function requireTimestamp(evaluation: Evaluation, value: Value): Timestamp | undefined {
  const found = value instanceof Timestamp ? value : readTimestamp(evaluation, value);
  return found instanceof Timestamp ? found : undefined;
}

/** Defines an operator that compares the order of two values. */
function ordering(symbol: string, says: string, examples: Examples, holds: (order: number) => boolean): BinaryOperator {
  const run: BinaryOperator['run'] = (evaluation, left, right) => {
    if (left instanceof TimeSpan && right instanceof TimeSpan && left.months !== right.months)
      return wrong(
        evaluation,
        'a duration of months or years has no fixed length; compare the instants, as in $now + duration("P1M") > $context.end',
      );
    const order = compare(evaluation, left, right);
    return order === undefined ? noOverload(evaluation, symbol, left, right) : holds(order);
  };
  return { symbol, overloads: compared, says, examples, run };
}

/** Below zero when the left value comes first, above when the right one does; `undefined` for values without an order. */
function compare(evaluation: Evaluation, left: Value, right: Value): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') {
    spend(evaluation, Math.min(left.length, right.length));
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof TimeSpan && right instanceof TimeSpan) return left.ms - right.ms;
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    spend(evaluation, Math.min(left.length, right.length));
    const at = left.findIndex((byte, index) => byte !== right[index]);
    return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
  }
  if (!(left instanceof Timestamp) && !(right instanceof Timestamp)) return undefined;
  const [first, second] = [requireTimestamp(evaluation, left), requireTimestamp(evaluation, right)];
  return first === undefined || second === undefined ? undefined : first.ms - second.ms;
}

function isIn(evaluation: Evaluation, value: Value, within: Value): boolean | undefined {
  if (isList(within)) {
    spend(evaluation, within.length * itemWork);
    return within.some((item) => isEqual(evaluation, value, item));
  }
  if (!isObject(within)) return noOverload(evaluation, 'in', value, within);
  spend(evaluation, entryWork);
  return (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && Object.hasOwn(within, String(value));
}

/** Texts up to this length are compared as fast as numbers, so that their work is not counted. */
const shortText = 64;

/**
 * Whether two values are equal as JSON: same kind, same value, in any order of an object's keys. A timestamp also equals the text as which
 * it is saved.
 */
export function isEqual(evaluation: Evaluation, left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length && left.length > shortText) spend(evaluation, left.length);
    return left === right;
  }
  if (typeof left !== 'object' || left === null) return right instanceof Timestamp ? isEqual(evaluation, right, left) : left === right;
  if (isList(left)) return isList(right) && areListsEqual(evaluation, left, right);
  if (isObject(left)) return isObject(right) && areObjectsEqual(evaluation, left, right);
  if (left instanceof Timestamp) {
    if (right instanceof Timestamp) return left.ms === right.ms;
    if (typeof right === 'string') spend(evaluation, dateWork);
    return parseTimestamp(right)?.ms === left.ms;
  }
  if (left instanceof TimeSpan) return right instanceof TimeSpan && left.ms === right.ms && left.months === right.months;
  if (left instanceof TypeName) return right instanceof TypeName && left.kind === right.kind;
  if (left instanceof Optional) {
    if (!(right instanceof Optional) || left.value === undefined || right.value === undefined)
      return right instanceof Optional && left.value === right.value;
    return isEqual(evaluation, left.value, right.value);
  }
  if (!(left instanceof Uint8Array && right instanceof Uint8Array && left.length === right.length)) return false;
  spend(evaluation, left.length);
  return left.every((byte, index) => byte === right[index]);
}

function areListsEqual(evaluation: Evaluation, left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    spend(evaluation, itemWork);
    if (!isEqual(evaluation, left[index] ?? null, right[index] ?? null)) return false;
  }
  return true;
}

function areObjectsEqual(evaluation: Evaluation, left: ObjectValue, right: ObjectValue): boolean {
  const keys = Object.keys(left);
  spend(evaluation, keys.length * entryWork);
  if (Object.keys(right).length !== keys.length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isEqual(evaluation, left[key] ?? null, right[key] ?? null));
}
