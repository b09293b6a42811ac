import type { Json } from './json.ts';

/**
 * Parses JSON from outside: the one door for bodies, answers, deliveries, files and results. A number beyond 2^53 whose digits a number
 * of JavaScript does not keep, such as the id 1152921506151679042, becomes the text of its digits: as a number it would be another id.
 * It is not refused, since a delivery must not be lost for an id that nobody reads. All else is as `JSON.parse` has it, malformed JSON and
 * numbers that are not finite too.
 *
 * @throws {SyntaxError} for malformed JSON
 */
export const parseJsonText = (text: string): Json => JSON.parse(mayLoseDigits.test(text) ? quoteLongNumbers(text) : text) as Json;

/**
 * Parses JSON in a text that somebody else wrote, such as the answers of a form or what a model says. Bounds are looked at before anything
 * is built: what walks a value of thousands of levels has no stack left (T7), and a wide one holds up everybody (P20).
 *
 * @returns `undefined` for malformed JSON, and for JSON over a bound
 */
export function parseForeignJson(text: string, bounds: JsonTextBounds): Json | undefined {
  if (findExcess(text, bounds) !== undefined) return undefined;
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** The digits that a number must at least have to lose some. A linear search that most bodies end with. */
const mayLoseDigits = /[\d.]{16}/;

/** Whether a number in decimal notation is beyond 2^53, finite, and printed with other digits than it is written with. */
export function losesDigits(source: string): boolean {
  const value = Number(source);
  return (
    Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER && significantDigits(source) !== significantDigits(String(value))
  );
}

/** The digits of a number without its sign, point, exponent, and the zeros at both ends. */
function significantDigits(source: string): string {
  const [mantissa = ''] = source.split(/[eE]/, 1);
  const digits = mantissa.replaceAll(/\D/g, '');
  let [first, end] = [0, digits.length];
  while (digits[first] === '0') first += 1;
  while (end > first && digits[end - 1] === '0') end -= 1;
  return digits.slice(first, end);
}

/** Puts the numbers that lose digits into quotes, outside of texts and where a value stands. Reads each character once. */
function quoteLongNumbers(json: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const found of findNumbers(json)) {
    pieces.push(json.slice(from, found.at), `"${found.source}"`);
    from = found.at + found.source.length;
  }
  pieces.push(json.slice(from));
  return pieces.join('');
}

function* findNumbers(json: string): Generator<{ readonly at: number; readonly source: string }> {
  const stops = /"|[-+.\deE]{16,}/g;
  for (let stop = stops.exec(json); stop !== null; stop = stops.exec(json)) {
    const [source] = stop;
    if (source === '"') {
      stops.lastIndex = endOfText(json, stop.index) + 1;
    } else if (isJsonNumber.test(source) && isValueAt(json, stop.index, stops.lastIndex) && losesDigits(source)) {
      yield { at: stop.index, source };
    }
  }
}

const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a value stands between two offsets: a key in quotes would make malformed JSON valid. */
function isValueAt(json: string, begin: number, end: number): boolean {
  const after = /[^ \t\n\r]/g;
  after.lastIndex = end;
  const next = after.exec(json)?.[0] ?? '';
  return (begin === 0 || ' \t\n\r:,['.includes(json[begin - 1] ?? '')) && ['', ',', ']', '}'].includes(next);
}

/** What a JSON text may have, as far as it shows before anything is built of it. */
export interface JsonTextBounds {
  /** Brackets in brackets. */
  readonly depth: number;
  readonly keys: number;
  /** Values: one, one more for each comma, and one for each opening bracket, also of a list or object with nothing in it. */
  readonly values?: number;
  /** Opening brackets, and commas: each of them, where a list or object with nothing in it has no value. */
  readonly openings?: number;
  readonly commas?: number;
}

/**
 * What a JSON text has more of than it may have: its brackets, colons and commas outside of texts are counted. Meaningless for malformed
 * JSON, which is left to the parser. Building half a million levels would block the event loop for a quarter of a second (P20).
 */
export function findExcess(
  json: string,
  { depth: maxDepth, keys: maxKeys, values = Infinity, openings: maxOpenings = Infinity, commas: maxCommas = Infinity }: JsonTextBounds,
): 'depth' | 'keys' | 'values' | undefined {
  let [depth, openings, commas, keys] = [0, 0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfText(json, at);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        openings += 1;
        if (depth > maxDepth) return 'depth';
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case comma:
        commas += 1;
        break;
      case colon:
        keys += 1;
        if (keys > maxKeys) return 'keys';
        break;
      default:
        continue;
    }
    if (1 + openings + commas > values || openings > maxOpenings || commas > maxCommas) return 'values';
  }
  return undefined;
}

const [quote, colon, comma] = [0x22, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The end of the string that begins here: the next quote after an even number of backslashes. */
function endOfText(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
