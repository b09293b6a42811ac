// Every function of the language, and what is said of one that it does not have.
import { findOtherName, findRemedy } from '../foreign-notations.ts';
import { findNearestName, suggest } from '../nearest-name.ts';
import { callName, scopePrefix } from '../parse.ts';
import { bytesFunctions, conversionFunctions } from './conversions.ts';
import type { LanguageFunction } from './define.ts';
import { listFunctions, objectFunctions, optionalFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { textFunctions } from './texts.ts';
import { timeFunctions } from './times.ts';

/** Every function of the language, in the order of its documentation. */
export const languageFunctions: readonly LanguageFunction[] = [
  ...textFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...objectFunctions,
  ...optionalFunctions,
  ...timeFunctions,
  ...conversionFunctions,
  ...bytesFunctions,
];

/** Every function by its name. */
export const functionByName: ReadonlyMap<string, LanguageFunction> = new Map(
  languageFunctions.map((definition) => [callName(definition.name), definition]),
);

/** Macros of CEL that evaluate a part for each item of a list, or for the value of an optional. */
export const listOperations: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'transformList',
  'transformMap',
  'sortBy',
  'optMap',
  'optFlatMap',
]);

/** Those that name a key or position and a value; the others but `map`, `filter`, `optMap` and `optFlatMap` may. */
export const pairOperations: ReadonlySet<string> = new Set(['transformList', 'transformMap']);
export const eitherOperations: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne']);

/** How a list operation is written, for messages. */
export function showListOperation(name: string): string {
  const isOfPart = name === 'map' || name === 'sortBy' || pairOperations.has(name);
  return `list.${name}(${pairOperations.has(name) ? 'index, ' : ''}item, ${isOfPart ? 'item.name' : 'item > 0'})`;
}

/** Calls that are no functions: macros that inspect an argument before its evaluation, and methods of optionals. */
const macros: ReadonlySet<string> = new Set(['isThere', 'coalesce', 'or', 'orValue', 'hasValue', 'value']);

/** Whether an expression may call this name. */
export const isCallable = (name: string): boolean => functionByName.has(name) || listOperations.has(name) || macros.has(name);

/** Why a call of an unknown function is refused, with the name that was likely meant. */
export function describeUnknown(name: string): string {
  if (name.startsWith(scopePrefix)) {
    const called = name.slice(scopePrefix.length);
    if (called === '') return 'a variable is named behind its "$", as in $context.name';
    if (!isCallable(called) && findRemedy(called) === undefined) return `"$${called}" is a variable and takes no brackets behind it`;
    return called === 'now'
      ? '"$now" is a variable and takes no brackets behind it'
      : `a function has no "$" before it: ${findRemedy(called) ?? `${called}(…)`}`;
  }
  const remedy = findRemedy(name);
  if (remedy !== undefined) return `there is no function "${name}": ${remedy}`;
  const known = () => [...languageFunctions.map((definition) => definition.name), ...listOperations, 'has'];
  const other = findOtherName(name) ?? findNearestName(name, known());
  return `there is no function "${name.replace('__', '.').slice(0, 60)}"; ${suggest(other) ?? 'the page on expressions lists those that there are'}`;
}
