import type { Json } from '../contract/json.ts';

/** Where the language differs from CEL on purpose: for its documentation, with expressions that a test runs. */
export interface Difference {
  readonly says: string;
  /** An expression and its value here; `null` for one that is refused. */
  readonly examples: readonly (readonly [source: string, value: Json])[];
}

/** Everything in which the language differs from CEL, for its documentation; the examples are run as tests. */
export const celDifferences: readonly Difference[] = [
  {
    says: 'There is one type of number, that of JSON: `int`, `uint` and `double` convert to it, `5 / 2` is 2.5, their names are names of one type, and whole numbers end at 9007199254740991 and not at 2^63.',
    examples: [
      ['1 == 1.0', true],
      ['5 / 2', 2.5],
      ['type(1) == type(1.5)', true],
      ['type(1.5) == int', true],
      ['9007199254740991 + 1', null],
      ['9223372036854775807', null],
    ],
  },
  {
    says: 'Sums, differences and products have the decimal places of their terms.',
    examples: [
      ['0.1 + 0.2 == 0.3', true],
      ['3 * 1.1', 3.3],
    ],
  },
  {
    says: 'No result is infinite or not a number: such a result is an error, as a division by zero is.',
    examples: [
      ['1.0 / 0.0', null],
      ['1e300 * 1e300', null],
    ],
  },
  {
    says: 'A text and a number are added to a text; a timestamp is compared with, and subtracted from, the text as which it was saved.',
    examples: [
      ['"No. " + 12', 'No. 12'],
      ['timestamp("2026-12-01T15:00:00Z") == "2026-12-01T10:00:00-05:00"', true],
    ],
  },
  {
    says: '`%f` of `format` rounds the decimal notation, halves away from zero, as `round` does; with a timestamp before it `format` takes a pattern and a zone instead.',
    examples: [['"%.2f".format([1.005])', '1.01']],
  },
  {
    says: 'Operations on bits are refused where their result is beyond 9007199254740991.',
    examples: [
      ['math.bitShiftRight(-1, 11)', 9007199254740991],
      ['math.bitShiftRight(-1, 10)', null],
    ],
  },
  {
    says: 'Keys of objects are texts: a number or a boolean as a key is the text of it.',
    examples: [['{1: "a"}["1"]', 'a']],
  },
  {
    says: 'A duration may have months and years of the calendar, and such a one has no order.',
    examples: [
      ['timestamp("2026-01-31T00:00:00Z") + duration("P1M")', '2026-02-28T00:00:00.000Z'],
      ['duration("P1M") < duration("P31D")', null],
    ],
  },
  {
    says: 'List operations are not nested, and none goes through more than 1,000 items of a variable.',
    examples: [['[[1]].all(list, list.all(n, n > 0))', null]],
  },
  {
    says: 'There are no messages, no `cel.bind` and no regular expressions beside `matches`.',
    examples: [['cel.bind(x, 1, x)', null]],
  },
  {
    says: '`has` takes a path of any length, with positions and optional steps in it.',
    examples: [['has({"a": [1]}.a[3])', false]],
  },
];
