// The functions of expressions over texts.
import { foldText } from '../../contract/folded-text.ts';
import { type Evaluation, itemWork, missing, spend, wrong } from '../evaluation.ts';
import { like } from '../like.ts';
import { containsText, findLastText, findText, splitText } from '../text-search.ts';
import { isList, type ListValue, type Value } from '../value.ts';
import { createDefiner, type LanguageFunction, wholeNumber } from './define.ts';

const text = createDefiner('texts');
const upper = (evaluation: Evaluation, value: string): string => countCase(evaluation, value).toUpperCase();
const lower = (evaluation: Evaluation, value: string): string => countCase(evaluation, value).toLowerCase();

export const textFunctions: readonly LanguageFunction[] = [
  text('upper(text): text', 'Converts to upper case.', { 'upper("Ana")': 'ANA' }, upper),
  text(
    'resumeUrl(text?): text',
    'The address by which another system resumes the node with this id, a wait-external or a webhook in the middle, without a key; of the only such node, when none is named.',
    { 'resumeUrl("paid") ?? "no execution here"': 'no execution here' },
    (evaluation, nodeId) => {
      spend(evaluation, addressWork);
      const named = evaluation.variables.resumeUrl?.(nodeId);
      if (named === undefined) return missing(evaluation, 'there is no execution here that resumeUrl() could resume');
      return typeof named === 'string' ? named : wrong(evaluation, `resumeUrl(): ${named.refused}`);
    },
  ),
  text('lower(text): text', 'Converts to lower case.', { 'lower("Ana")': 'ana' }, lower),
  text(
    'fold(text): text',
    'What keywords are compared by: the text in small letters, without accents, and without blanks, punctuation, emoji and bold marks at its ends.',
    { 'fold(" ¡Cancélalo! 🙏")': 'cancelalo', 'fold("Change.") == "change"': true },
    (evaluation, value) => {
      spend(evaluation, value.length * itemWork);
      spend(evaluation, value.normalize('NFKD').length * foldWork); // one character may be a whole phrase
      return foldText(value);
    },
  ),
  text(
    'title(text): text',
    'Converts the first letter of each word to upper case, the others to lower case.',
    { 'title("ANA MARÍA")': 'Ana María' },
    (evaluation, value) => {
      spend(evaluation, value.length * titleWork);
      return value.replace(
        /([\p{L}\p{N}])([\p{L}\p{M}\p{N}'’]*)/gu,
        (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
      );
    },
  ),
  text('trim(text): text', 'Removes the white space of Unicode at both ends.', { 'trim("  yes ")': 'yes' }, (evaluation, value) =>
    trim(countCharacters(evaluation, value)),
  ),
  text(
    'split(text, text, number?): list',
    'Splits at a separator; with a number, into at most that many parts, the last of which has the rest.',
    { 'split("a,b,c", ",")': ['a', 'b', 'c'], 'split("a,b,c", ",", 2)': ['a', 'b,c'] },
    split,
  ),
  text(
    'join(list, text?, text?): text',
    'Joins the texts and numbers of a list, with a separator between them, and another one before the last.',
    { 'join(["a", "b", 3], ", ")': 'a, b, 3', 'join(["a", "b", "c"], ", ", " and ")': 'a, b and c' },
    join,
  ),
  text(
    'replace(text, text, text, number?): text',
    'Replaces every occurrence of a part; with a number, only that many of them from the start.',
    { 'replace("1.200.500", ".", "")': '1200500', 'replace("1.200.500", ".", "", 1)': '1200.500' },
    (evaluation, value, part, by, most = -1) => {
      if (part === '') return wrong(evaluation, 'the part that replace() looks for is empty');
      if (wholeNumber(evaluation, most, 'the number of occurrences') === undefined) return undefined;
      spend(evaluation, value.length + part.length);
      const pieces = splitText(value, part);
      spend(evaluation, value.length + pieces.length * (by.length + itemWork));
      if (most < 0 || most >= pieces.length) return pieces.join(by);
      return [pieces.slice(0, most + 1).join(by), ...pieces.slice(most + 1)].join(part);
    },
  ),
  text(
    'contains(text, text): bool',
    'Whether the text contains a part.',
    { 'contains("lighthouse", "house")': true },
    (evaluation, value, part) => countSearch(evaluation, value, part) && containsText(value, part),
  ),
  text(
    'startsWith(text, text): bool',
    'Whether the text starts with a part.',
    { 'startsWith("lighthouse", "light")': true },
    (evaluation, value, part) => value.startsWith(countCharacters(evaluation, part)),
  ),
  text(
    'endsWith(text, text): bool',
    'Whether the text ends with a part.',
    { 'endsWith("photo.jpg", ".jpg")': true },
    (evaluation, value, part) => value.endsWith(countCharacters(evaluation, part)),
  ),
  text(
    'like(text, text): bool',
    'Whether an RE2 pattern is found in the text, in time linear in its length.',
    { 'like("A-17", "^[A-Z]-[0-9]+$")': true, 'like("URGENT", "(?i)urgent|now")': true },
    (evaluation, value, pattern) => like(evaluation, value, pattern),
  ),
  text('matches(text, text): bool', 'CEL’s name for `like`.', { '"A-17".matches("^[A-Z]-[0-9]+$")': true }, (evaluation, value, pattern) =>
    like(evaluation, value, pattern),
  ),
  text(
    'charAt(text, number): text',
    'The character at a position, from 0; at the end of the text it is empty.',
    { 'charAt("👍 yes", 2)': 'y', 'charAt("a", 1)': '' },
    (evaluation, value, position) => {
      spend(evaluation, value.length);
      const unit = unitAt(value, position);
      return unit === undefined
        ? wrong(evaluation, `charAt(): the position ${position} lies outside the text`)
        : value.slice(unit, unit + (isPair(value, unit) ? 2 : 1));
    },
  ),
  text(
    'reverse(text|list): any',
    'The characters of a text, or the items of a list, from the last to the first.',
    { 'reverse("año")': 'oña', 'reverse([1, 2])': [2, 1] },
    (evaluation, value) => {
      spend(evaluation, value.length * itemWork * 2);
      return typeof value === 'string' ? Array.from(value).reverse().join('') : value.toReversed();
    },
  ),
  text(
    'slice(text|list, number, number?): any',
    'The characters of a text, or items of a list, from a start to an end position, which is not included; negative positions count from the end.',
    { 'slice("lighthouse", 5)': 'house', 'slice("lighthouse", 0, 5)': 'light', 'slice([1, 2, 3, 4], -2)': [3, 4] },
    slice,
  ),
  text(
    'size(text|list|object|bytes): number',
    'The number of characters, items, entries or bytes.',
    { 'size("año")': 3, 'size([1, 2])': 2, 'size({"a": 1})': 1 },
    size,
  ),
  text(
    'indexOf(text, text, number?): number',
    'The position of the first occurrence of a part, searching from a position on; -1 if there is none.',
    { 'indexOf("a-b-c", "-")': 1, 'indexOf("👍 yes", "yes")': 2 },
    indexBy(findText),
  ),
  text(
    'lastIndexOf(text, text, number?): number',
    'The position of the last occurrence of a part, searching backwards from a position; -1 if there is none.',
    { 'lastIndexOf("a-b-c", "-")': 3 },
    indexBy(findLastText),
  ),
  text(
    'substring(text, number, number?): text',
    'The characters from a start to an end position, which is not included; both must be within the text.',
    { 'substring("a-b-c", 2, 3)': 'b', 'substring("👍 yes", 2)': 'yes' },
    (evaluation, value, start, end) => {
      spend(evaluation, value.length);
      const [first, last] = [unitAt(value, start), end === undefined ? value.length : unitAt(value, end)];
      if (first !== undefined && last !== undefined && first <= last) return value.slice(first, last);
      return wrong(evaluation, `substring(): ${start} to ${end ?? 'its end'} lies outside the text`);
    },
  ),
  text(
    'encodeURIComponent(text): text',
    'Percent-encodes a text as one value of an address: a segment of its path, or a name or value of its query. Half a surrogate pair is an error.',
    { 'encodeURIComponent("Ana & Cía")': 'Ana%20%26%20C%C3%ADa', 'encodeURIComponent("../a?b#c")': '..%2Fa%3Fb%23c' },
    (evaluation, value) => {
      spend(evaluation, value.length * percentWork);
      return value.isWellFormed()
        ? encodeURIComponent(value)
        : wrong(evaluation, 'encodeURIComponent(): the text has half a surrogate pair');
    },
  ),
  text(
    'raw(any): any',
    'The value itself. In an address it is inserted as it is, not percent-encoded: only for what no user writes.',
    { 'raw("orders/2031")': 'orders/2031' },
    (_evaluation, value) => value,
  ),
  text(
    'strings.quote(text): text',
    'The text in quotes, with a backslash before quotes, backslashes and control characters, as it is written in an expression.',
    { 'strings.quote("He said \\"hi\\"")': '"He said \\"hi\\""' },
    (evaluation, value) => {
      spend(evaluation, value.length * letterWork);
      return `"${value.toWellFormed().replace(/[\p{Cc}"\\]/gu, (found) => escapes[found] ?? found)}"`;
    },
  ),
  text(
    'upperAscii(text): text',
    'Converts the letters a to z to upper case, and no others.',
    { 'upperAscii("añb")': 'AñB' },
    (evaluation, value) => countLetters(evaluation, value).replace(/[a-z]+/g, (found) => found.toUpperCase()),
  ),
  text(
    'lowerAscii(text): text',
    'Converts the letters A to Z to lower case, and no others.',
    { 'lowerAscii("AÑB")': 'aÑb' },
    (evaluation, value) => countLetters(evaluation, value).replace(/[A-Z]+/g, (found) => found.toLowerCase()),
  ),
];

/** The escapes of CEL's texts. */
const escapes: { readonly [character: string]: string | undefined } = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/** The work for one character of a regular expression that finds letters. */
const letterWork = 10;

/** The work of percent-encoding one character. */
const percentWork = 20;

/** The work for one character of a regular expression that finds words. */
const titleWork = 60;
/** The work of folding one character: it is normalised twice, and may be a sign that is not meant. */
const foldWork = 200;

/** What a character of another case takes in a text beyond Latin-1, where it has a long way: İ, ß and ﬁ become two, Σ looks around. */
const caseWork = 6;

/** Counts the characters of a text whose case is changed. */
function countCase(evaluation: Evaluation, value: string): string {
  spend(evaluation, value.length * (/[^\0-\xff]/.test(value) ? caseWork : 1));
  return value;
}

/** Counts the work of one pass over a text, which it returns. */
function countCharacters(evaluation: Evaluation, value: string): string {
  spend(evaluation, value.length);
  return value;
}

/** Counts the work of one pass of a regular expression over a text, which it returns. */
function countLetters(evaluation: Evaluation, value: string): string {
  spend(evaluation, value.length * letterWork);
  return value;
}

/** Without white space at both ends, read from each end once. A mark of byte order is none, and NEL is, as in CEL. */
function trim(value: string): string {
  let [first, end] = [0, value.length];
  while (first < end && isWhiteSpace(value.charCodeAt(first))) first += 1;
  while (end > first && isWhiteSpace(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(first, end);
}

/** The property White_Space of Unicode. */
const isWhiteSpace = (code: number): boolean =>
  code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x85 && whiteSpace.has(code)) || (code >= 0x2000 && code <= 0x200a);
const whiteSpace: ReadonlySet<number> = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);

/** Counts the work of a search; always true, to be followed by `&&`. */
function countSearch(evaluation: Evaluation, value: string, part: string): true {
  spend(evaluation, value.length + part.length);
  return true;
}

/** Defines a search from a position; the end of a text is one, too. */
function indexBy(find: typeof findText) {
  return (evaluation: Evaluation, value: string, part: string, from?: number): number | undefined => {
    countSearch(evaluation, value, part);
    const unit = from === undefined ? undefined : unitAt(value, from);
    if (from !== undefined && unit === undefined) return wrong(evaluation, `the position ${from} lies outside the text`);
    return positionOf(value, find(value, part, unit));
  };
}

function split(evaluation: Evaluation, value: string, separator: string, most?: number): Value | undefined {
  // One pass for the search, and the largest possible number of pieces.
  spend(evaluation, value.length + separator.length + Math.ceil(value.length / Math.max(1, separator.length)) * itemWork);
  const pieces = separator === '' ? Array.from(value) : splitText(value, separator);
  if (most === undefined || most < 0 || pieces.length <= most) return pieces;
  if (wholeNumber(evaluation, most, 'the number of pieces') === undefined) return undefined;
  return most === 0 ? [] : [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)];
}

function join(evaluation: Evaluation, list: ListValue, separator = '', before = separator): string | undefined {
  spend(evaluation, list.length * (itemWork + separator.length) + before.length);
  const texts: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string' && typeof item !== 'number') return wrong(evaluation, 'join() takes a list of texts and numbers');
    const part = String(item);
    spend(evaluation, part.length);
    texts.push(part);
  }
  const last = texts.pop();
  return last === undefined || texts.length === 0 ? (last ?? '') : texts.join(separator) + before + last;
}

function slice(evaluation: Evaluation, value: string | ListValue, from: number, to?: number): Value | undefined {
  if (wholeNumber(evaluation, from, 'a position') === undefined) return undefined;
  if (to !== undefined && wholeNumber(evaluation, to, 'a position') === undefined) return undefined;
  spend(evaluation, value.length * itemWork);
  return isList(value) ? value.slice(from, to) : Array.from(value).slice(from, to).join('');
}

function size(evaluation: Evaluation, value: string | ListValue | Uint8Array | { readonly [key: string]: Value }): number {
  if (typeof value === 'string') {
    spend(evaluation, value.length);
    return positionOf(value, value.length);
  }
  if (isList(value) || value instanceof Uint8Array) return value.length;
  const keys = Object.keys(value);
  spend(evaluation, keys.length * itemWork);
  return keys.length;
}

/** The position, in characters, of a UTF-16 unit of a text; -1 stays -1. */
function positionOf(text: string, unit: number): number {
  let characters = unit;
  for (let index = 0; index < unit - 1; index += 1) if (isPair(text, index)) characters -= 1;
  return characters;
}

/** The UTF-16 unit at which the character of a position begins, or the text ends; `undefined` when there is no such position. */
function unitAt(text: string, position: number): number | undefined {
  if (!Number.isSafeInteger(position) || position < 0 || position > text.length) return undefined;
  let unit = 0;
  for (let characters = 0; characters < position; characters += 1) {
    if (unit >= text.length) return undefined;
    unit += isPair(text, unit) ? 2 : 1;
  }
  return unit;
}

/** Whether the unit at an index and the next one are a surrogate pair. */
const isPair = (text: string, index: number): boolean =>
  (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;

/** The work of sealing one address. */
const addressWork = 2_000;
