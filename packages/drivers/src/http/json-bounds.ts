import { fits, type Json, limits, type ValueBounds } from '@hilo/engine/contract';

/** The answer around a body is two levels of the value that is kept. */
const keptDepth = limits.depth - 2;

/**
 * The JSON of a text; `undefined` where it is none, or has more than its bounds, those of values that are kept where nothing
 * else is said. Brackets, colons and commas are counted first: to build half a million levels would take a quarter of a second,
 * that blocks the event loop (P20).
 */
export function parseJson(text: string, bounds: ValueBounds = {}): Json | undefined {
  if (!mayFit(text, bounds)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return fits(value, bounds) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JSON, before it is parsed, can have no more than its bounds; for what is no JSON, the answer means nothing. */
export function mayFit(
  text: string,
  { depth: maxDepth = keptDepth, keys: maxKeys = limits.keys, parts: maxParts = Infinity }: ValueBounds = {},
): boolean {
  let [depth, opened, commas, keys] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        opened += 1;
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
        break;
      default:
        continue;
    }
    // The innermost level may be empty, and then holds no part of its own.
    if (depth > maxDepth + 1 || keys > maxKeys || opened > maxParts || commas > maxParts) return false;
  }
  return true;
}

/** Where the text that begins here ends: at the next quote that no odd number of backslashes stands before. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
