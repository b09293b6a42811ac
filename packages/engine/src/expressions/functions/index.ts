import { meant, findNearestName } from '../nearest-name.ts';
import { scopePrefix } from '../parse.ts';
import { bytesFunctions, conversionFunctions } from './conversions.ts';
import type { LanguageFunction } from './define.ts';
import { listFunctions, objectFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { textFunctions } from './texts.ts';
import { timeFunctions } from './times.ts';

/** Every function of the language, in the order of its documentation. */
export const languageFunctions: readonly LanguageFunction[] = [
  ...textFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...objectFunctions,
  ...timeFunctions,
  ...conversionFunctions,
  ...bytesFunctions,
];

/** The same by name. */
export const functionByName: ReadonlyMap<string, LanguageFunction> = new Map(
  languageFunctions.map((definition) => [definition.name, definition]),
);

/** What is done with each item of a list. */
export const listOperations: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

/** What is called and is no function: it looks at a part before that is evaluated, or at what `.?` gives. */
const forms: ReadonlySet<string> = new Set(['isThere', 'coalesce', 'or', 'orValue', 'hasValue', 'value']);

export const isCallable = (name: string): boolean => functionByName.has(name) || listOperations.has(name) || forms.has(name);

/** What JavaScript calls functions that the language has by another name. */
const otherNames: { readonly [name: string]: string | undefined } = {
  toUpperCase: 'upper',
  toLowerCase: 'lower',
  includes: 'contains',
  length: 'size',
  count: 'size',
  len: 'size',
  substr: 'slice',
  concat: '+',
  toString: 'string',
  toFixed: 'round',
  parseInt: 'int',
  parseFloat: 'number',
};

/** Why a call of what is no function is refused, with what was likely meant. */
export function describeUnknown(name: string): string {
  if (name.startsWith(scopePrefix)) return `"$${name.slice(scopePrefix.length)}" is a variable and takes no brackets behind it`;
  const other = Object.hasOwn(otherNames, name)
    ? otherNames[name]
    : findNearestName(name, [...functionByName.keys(), ...listOperations, 'has']);
  return `there is no function "${name.slice(0, 60)}"; ${meant(other) ?? 'the page on expressions lists those that there are'}`;
}
