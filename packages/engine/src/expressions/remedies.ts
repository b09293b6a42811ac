// What to write where values of some kinds do not fit: "no such overload" alone helps nobody who does not know CEL.
import { getParameter, type LanguageFunction, type StaticKind } from './functions/define.ts';
import type { Kind } from './value.ts';

type AnyKind = StaticKind | Kind;

const asNumber = 'number(…) makes a number of a text';
const asText = 'string(…) makes a text of it';
const asInstant = 'a text is an instant with its zone only: instant($context.date, "09:00") makes one of a day';
const asDuration = 'a duration is duration("PT1H"), and getMinutes(…) gives its minutes as a number';
const byDefault = 'a value that may be null gets a default with "??"';

/** What to write in place of an operator between sides of these kinds; `undefined` where nothing is known. */
function findRemedy(symbol: string, left: AnyKind, right: AnyKind): string | undefined {
  const kinds: readonly AnyKind[] = [left, right];
  if (kinds.includes('type')) return 'the name of a type has no quotes, as in type($context.name) == string';
  const has = (...wanted: readonly AnyKind[]): boolean => wanted.every((kind) => kinds.includes(kind));
  if (has('null')) return byDefault;
  if (symbol === '%' && left === 'text') return 'values are put into a text by "%s".format([$context.name])';
  if (left === 'bool' && /[<>]/.test(symbol)) return 'two bounds are two comparisons, as in $context.n >= 1 && $context.n <= 9';
  if (has('optional')) return 'what ".?" gives is read by .orValue(…)';
  if (symbol === 'in')
    return right === 'text' ? 'a list is in brackets, as in $context.n in ["a", "b"], and contains(…) looks into a text' : undefined;
  if (left === 'text' && right === 'list' && symbol === '+') return 'join($context.list, ", ") makes a text of a list';
  if (has('text', 'number') && symbol === '*') return `${asNumber}; "*" multiplies numbers, and repeats no text`;
  if (symbol === '-' && right === 'list') return 'a list without some items is list.filter(item, !(item in ["a", "b"]))';
  if (symbol === '/' && left === 'duration')
    return 'getHours(…), getMinutes(…) and getSeconds(…) are the whole hours, minutes and seconds of a duration';
  if (has('object') && symbol === '+')
    return 'an object is written with its keys, as in {"name": $context.name}; two are joined by a code node';
  if (has('list') && symbol === '+') return 'what is added to a list is in brackets, as in $context.list + [7]';
  if (has('timestamp') && (symbol === '+' || has('number'))) return 'to an instant a duration is added, as in $now + duration("PT1H")';
  if (has('timestamp', 'text')) return `${asInstant}, and date($now) is the day of one`;
  if (has('duration', 'text')) return symbol === '+' || symbol === '-' ? asInstant : 'duration(…) makes a duration of a text';
  if (has('duration')) return asDuration;
  if (has('bool', 'text')) return symbol === '+' ? asText : 'bool(…) makes true or false of a text';
  if (has('text', 'number')) return asNumber;
  if (left === 'text' && right === 'text') return symbol === '-' ? `${asNumber}; ${asInstant}` : asNumber;
  return has('object') ? 'name a part of the object' : undefined;
}

/** How a condition is made of a value of another kind, which is true or false elsewhere. */
export function describeTruth(kind: AnyKind): string {
  if (kind === 'text') return '; whether a text is there is $context.name != ""';
  if (kind === 'number') return '; whether a number is there is $context.n != 0';
  if (kind === 'list' || kind === 'object') return '; whether something is in it is size($context.list) > 0';
  return kind === 'null' ? `; ${byDefault}` : '';
}

/** The message for a side of `&&` or `||` that is neither true nor false. */
export const describeLogic = (symbol: '&&' | '||', kind: AnyKind): string =>
  `"${symbol}" takes true and false on both sides, not ${kind}${
    symbol === '||' ? '; a default is given with "??", and one of several is $context.n in [1, 2]' : describeTruth(kind)
  }`;

/** The message for sides of kinds that an operator does not take. */
export const describeOverload = (symbol: string, left: AnyKind, right: AnyKind): string =>
  joinRemedy(`no such overload: ${left} ${symbol} ${right}`, findRemedy(symbol, left, right));

/** The message for arguments of kinds that a function does not take. */
export const describeCall = (definition: LanguageFunction, kinds: readonly AnyKind[]): string =>
  joinRemedy(`no such overload: ${definition.name}(${kinds.join(', ')}); it takes ${definition.form}`, findCallRemedy(definition, kinds));

const joinRemedy = (message: string, remedy: string | undefined): string => (remedy === undefined ? message : `${message}; ${remedy}`);

function findCallRemedy(definition: LanguageFunction, kinds: readonly AnyKind[]): string | undefined {
  const { name } = definition;
  if (kinds.includes('null')) return byDefault;
  if (isSearch(name) && (kinds[0] === 'list' || (kinds[1] !== undefined && kinds[1] !== 'text' && kinds[1] !== 'any')))
    return 'whether a list has an item is "a" in $context.list, or 7 in $context.list';
  if (kinds[1] === 'timestamp' && kinds[0] !== 'timestamp') return `the instant comes first, as in ${name}($now, …)`;
  if (name === 'formatNumber' && kinds[1] === 'text')
    return 'the decimal places stand before the locale, as in formatNumber($context.n, 2, "es-PE")';
  if (kinds[1] === 'text' && name === 'sum') return 'a sum of parts is sum($context.items.map(item, item.price))';
  if (kinds[1] === 'text' && name === 'sort')
    return 'objects are sorted by a part with list.sortBy(item, item.price), and reverse(…) gives the other order';
  if (name === 'format' && kinds[0] === 'any' && kinds[1] === 'number') return 'formatNumber($context.n, 2) formats a number';
  if (name === 'duration' && kinds[0] === 'number')
    return 'seconds become a duration by duration($context.n + "s"), minutes by "m", hours by "h"';
  if (name === 'split' && kinds.length === 1) return 'the separator is the second text, as in split($context.name, " ")';
  if (name === 'instant' && kinds.length === 1) return 'the day and the time are two texts, as in instant("2031-04-03", "09:00")';
  if (kinds[0] === 'duration' && name === 'format') return 'getHours(…) and getMinutes(…) are the whole hours and minutes of a duration';
  if (name === 'join' && kinds[0] === 'text') return 'the list comes first, as in join($context.list, ", ")';
  if (name === 'at' && kinds[0] === 'list') return 'an item is $context.list[0], the last one last($context.list)';
  if (name === 'json' && kinds[0] === 'text') return 'a text is read by json(bytes($context.text))';
  if (name === 'format' && kinds[0] === 'text') return 'values for a text are in brackets, as in "%.2f".format([$context.n])';
  if (name === 'format' && kinds[0] === 'number') return 'formatNumber($context.n, 2) formats a number';
  for (const [index, kind] of kinds.entries()) {
    const wanted = getParameter(definition, index)?.kinds;
    if (wanted === undefined || wanted.has(kind) || kind === 'any') continue;
    const remedy = findConversion(kind, wanted);
    if (remedy !== undefined) return remedy;
  }
  return undefined;
}

const isSearch = (name: string): boolean => name === 'contains' || name === 'indexOf';

/** How to make a value of one of the wanted kinds of one of another kind. */
function findConversion(kind: AnyKind, wanted: ReadonlySet<string>): string | undefined {
  if (kind === 'text') {
    if (wanted.has('timestamp')) return asInstant;
    if (wanted.has('number')) return asNumber;
    if (wanted.has('bytes') && !wanted.has('text')) return 'bytes($context.text) gives the bytes of a text';
    return wanted.has('list') ? 'split($context.text, ",") makes a list of a text' : undefined;
  }
  if (kind === 'number' && wanted.has('duration')) return asDuration;
  if (kind === 'number' && wanted.has('timestamp')) return 'timestamp(…) makes an instant of the seconds since 1970';
  if (kind === 'object' && wanted.has('list')) return 'keys(…) and values(…) make lists of an object';
  if (!wanted.has('text')) return undefined;
  if (kind === 'list') return 'join($context.list, ", ") makes a text of a list';
  if (kind === 'object') return 'name a part of the object; a text with {{…}} among other characters has it as JSON';
  return kind === 'number' || kind === 'bool' ? asText : undefined;
}
