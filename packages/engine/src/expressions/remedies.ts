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
  const has = (...wanted: readonly AnyKind[]): boolean => wanted.every((kind) => kinds.includes(kind));
  if (has('null')) return byDefault;
  if (symbol === '%' && left === 'text') return 'values are put into a text by "%s".format([$context.name])';
  if (left === 'bool' && /[<>]/.test(symbol)) return 'two bounds are two comparisons, as in $context.n >= 1 && $context.n <= 9';
  if (has('optional')) return 'what ".?" gives is read by .orValue(…)';
  if (symbol === 'in')
    return right === 'text' ? 'a list is in brackets, as in $context.n in ["a", "b"], and contains(…) looks into a text' : undefined;
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
  if (kinds[0] === 'list' && (name === 'contains' || name === 'indexOf')) return 'whether a list has an item is "a" in $context.list';
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

/** How to make a value of one of the wanted kinds of one of another kind. */
function findConversion(kind: AnyKind, wanted: ReadonlySet<string>): string | undefined {
  if (kind === 'text') {
    if (wanted.has('timestamp')) return asInstant;
    if (wanted.has('number')) return asNumber;
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
