import type { Json } from '../contract/json.ts';
import type { Examples } from './functions/define.ts';
import { languageFunctions } from './functions/index.ts';
import { binaryOperators } from './operators.ts';

/** An operator, macro or function of the expression language, for its documentation. */
export interface LanguagePart {
  readonly group: LanguageGroup;
  /** Its notation, with the kinds of its arguments. */
  readonly forms: readonly string[];
  /** The kind of its value. */
  readonly gives: string;
  /** Its description, in a sentence or two. */
  readonly says: string;
  /** Expressions without variables, with their values. */
  readonly examples: readonly (readonly [source: string, value: Json])[];
}

/** A part as it is written in the source. */
type Described = Omit<LanguagePart, 'examples'> & { readonly examples: Examples };

/** A section of the documentation of the language. */
export type LanguageGroup = 'operators' | 'texts' | 'numbers' | 'lists' | 'objects' | 'time' | 'conversions' | 'bytes';

/** The operators and macros that evaluate only some of their parts, or one for each item. */
const macros: readonly Described[] = [
  {
    group: 'operators',
    forms: ['any ?? any'],
    gives: 'any',
    says: 'The left side, or the right side if the left is missing or null.',
    examples: { 'null ?? "none"': 'none', '{"a": 1}.b ?? 0': 0 },
  },
  {
    group: 'operators',
    forms: ['bool ? any : any'],
    gives: 'any',
    says: 'One of two values, depending on a condition.',
    examples: { '2 > 1 ? "more" : "less"': 'more' },
  },
  {
    group: 'operators',
    forms: ['bool && bool', 'bool || bool', '!bool'],
    gives: 'bool',
    says: 'And, or, not. If one side decides the result, an error of the other side is ignored.',
    examples: { 'true && !false': true, 'true || {}.a': true },
  },
  { group: 'operators', forms: ['-number'], gives: 'number', says: 'Changes the sign.', examples: { '-(1 + 2)': -3 } },
  {
    group: 'operators',
    forms: ['object.key', 'object["key"]', 'list[number]'],
    gives: 'any',
    says: 'The value at a key or an index; missing if there is none.',
    examples: { '{"a": {"b": 1}}.a.b': 1, '["x", "y"][1]': 'y' },
  },
  {
    group: 'operators',
    forms: ['object.?key', 'list[?number]'],
    gives: 'optional',
    says: 'The same as an optional, which is empty if there is no value; read it with `.orValue(other)`, `.or(optional)`, `.hasValue()` or `.value()`.',
    examples: { '{"a": 1}.?b.orValue(0)': 0, '[1][?3].hasValue()': false },
  },
  {
    group: 'objects',
    forms: ['has(place)'],
    gives: 'bool',
    says: 'Whether there is a value at the path; null counts as a value. It takes a path, or a step into a result: what is always there, such as a comparison, is refused.',
    examples: { 'has({"a": null}.a)': true, 'has({"a": null}.b.c)': false },
  },
  {
    group: 'lists',
    forms: ['list.map(item, any)', 'list.map(item, bool, any)'],
    gives: 'list',
    says: 'Evaluates an expression for each item; with a condition, only for the items that meet it.',
    examples: { '[1, 2].map(n, n * 2)': [2, 4], '[1, 2, 3].map(n, n > 1, n * 2)': [4, 6] },
  },
  {
    group: 'lists',
    forms: ['list.filter(item, bool)'],
    gives: 'list',
    says: 'The items that meet a condition.',
    examples: { '[1, 2, 3].filter(n, n > 1)': [2, 3] },
  },
  {
    group: 'lists',
    forms: ['list.exists(item, bool)', 'list.all(item, bool)', 'list.exists_one(item, bool)', 'list.exists(index, item, bool)'],
    gives: 'bool',
    says: 'Whether at least one item, every item, or exactly one item meets a condition. With two names, the first is the position in the list or the key in the object; `existsOne` is another name of the last.',
    examples: { '[1, 2].exists(n, n > 1)': true, '[1, 2].all(n, n > 1)': false, '["a", "b"].exists(i, item, i == 1 && item == "b")': true },
  },
  {
    group: 'lists',
    forms: ['list.transformList(index, item, any)', 'list.transformList(index, item, bool, any)'],
    gives: 'list',
    says: 'As `map`, with the position in the list or the key in the object before the item.',
    examples: { '["a", "b"].transformList(i, item, string(i) + item)': ['0a', '1b'] },
  },
  {
    group: 'lists',
    forms: ['list.sortBy(item, any)'],
    gives: 'list',
    says: 'The items in ascending order of a part of each, which is a number, a text or a timestamp; `reverse` gives the other order.',
    examples: {
      '[{"n": 2}, {"n": 1}].sortBy(item, item.n)': [{ n: 1 }, { n: 2 }],
      '["bbb", "a", "cc"].sortBy(text, size(text)).reverse()': ['bbb', 'cc', 'a'],
    },
  },
  {
    group: 'objects',
    forms: ['object.transformMap(key, value, any)', 'object.transformMap(key, value, bool, any)'],
    gives: 'object',
    says: 'The object with another value for each key; with a condition, only the entries that meet it.',
    examples: { '{"a": 1, "b": 2}.transformMap(key, value, key != "b", value + 1)': { a: 2 } },
  },
  {
    group: 'objects',
    forms: ['optional.optMap(name, any)', 'optional.optFlatMap(name, optional)'],
    gives: 'optional',
    says: 'An expression of the value of an optional, where there is one.',
    examples: { '{"a": 1}.?a.optMap(n, n + 1).orValue(0)': 2, '{}.?a.optMap(n, n + 1).hasValue()': false },
  },
];

/** The whole language: the operators and functions from the tables that evaluate them. */
export const expressionLanguage: readonly LanguagePart[] = [
  ...macros,
  ...[...binaryOperators.values()].map(
    ({ symbol, overloads, says, examples }): Described => ({
      group: 'operators',
      forms: overloads.map(({ left, right }) => `${left} ${symbol} ${right}`),
      gives: [...new Set(overloads.map(({ gives }) => gives))].join(', '),
      says,
      examples,
    }),
  ),
  ...languageFunctions.map(({ group, form, gives, says, examples }): Described => ({ group, forms: [form], gives, says, examples })),
].map((part) => ({ ...part, examples: Object.entries(part.examples) }));
