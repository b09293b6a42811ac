import { endOfText, fits, type Json, limits, parseJsonText, type ValueBounds } from '@hilo/engine/contract';

/** The answer around a body is two levels of the value that is kept. */
const keptDepth = limits.depth - 2;

/**
 * The JSON of a text; `undefined` when it is malformed or exceeds its bounds, by default those of stored values. Brackets, colons and
 * commas are counted first: building half a million levels would block the event loop for a quarter of a second (P20).
 */
export function parseJson(text: string, bounds: ValueBounds = {}): Json | undefined {
  if (!mayFit(text, bounds)) return undefined;
  try {
    const value = parseJsonText(text);
    return fits(value, bounds) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON text is within its bounds, before it is parsed; meaningless for malformed JSON. */
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
    // The innermost level may be empty, and then has no parts.
    if (depth > maxDepth + 1 || keys > maxKeys || opened > maxParts || commas > maxParts) return false;
  }
  return true;
}

const [quote, colon, comma] = [0x22, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
