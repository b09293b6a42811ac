import { type AnyNode, parse as parseWithLocations } from '@humanwhocodes/momoa';
import { parseJsonText } from '../contract/exact-json.ts';
import { limits } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import { explainMistake } from './explain-json.ts';
import { utf8Bytes } from '../variables/measure.ts';
import { forbiddenNames } from '../variables/path.ts';
import { maxProblems, problem, shorten, tooLarge } from './problem-codes.ts';

/** A value read as plain JSON, and the problems of its source. */
export interface ReadText {
  /** Left out when the source is no JSON at all. */
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Parses JSON from outside and reports its duplicate keys, of which the last one counts. Size and depth are checked before anything is
 * built, so that no text can exhaust the memory or the stack (P33).
 */
export function readJsonText(text: string): ReadText {
  // A character has at least one byte: a text with too many characters need not be measured.
  if (text.length > limits.bodyBytes || utf8Bytes(text) > limits.bodyBytes) return { problems: [tooLarge()] };
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const { members, tooDeepAt, controlAt } = scan(json);
  if (tooDeepAt !== undefined) {
    const message = `Objects and lists are nested more than ${limits.depth} levels deep at ${locate(json, tooDeepAt)}`;
    return { problems: [problem('TOO_DEEP', [], message)] };
  }
  let value: unknown;
  try {
    value = parseJsonText(json);
  } catch {
    return { problems: [problem('NOT_JSON', [], describeMistake(json, controlAt))] };
  }
  // Of duplicate keys JSON.parse keeps the last: then the value has fewer keys than the text has members.
  return { value, problems: countKeys(value) === members ? [] : findRepeatedKeys(json) };
}

/**
 * Scans the brackets, colons and strings of a text, which need not be valid JSON.
 *
 * @returns `members`: the colons outside of strings, one for each member of an object; `tooDeepAt`: the offset of the first bracket that
 *   is nested too deep; `controlAt`: the offset of the first control character inside a string
 */
function scan(json: string): { readonly members: number; readonly tooDeepAt?: number; readonly controlAt?: number } {
  let depth = 0;
  let members = 0;
  let inString = false;
  let controlAt: number | undefined;
  for (let offset = 0; offset < json.length; offset += 1) {
    const char = json.charCodeAt(offset);
    if (inString) {
      if (char === backslash) offset += 1;
      else if (char === quote) inString = false;
      else if (char < 0x20) controlAt ??= offset;
    } else if (char === quote) inString = true;
    else if (char === openBrace || char === openBracket) {
      depth += 1;
      if (depth > limits.depth) return { members, tooDeepAt: offset };
    } else if (char === closeBrace || char === closeBracket) depth -= 1;
    else if (char === colon) members += 1;
  }
  return controlAt === undefined ? { members } : { members, controlAt };
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The number of keys of all objects in a value, whose depth is bounded. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.reduce<number>((keys, item) => keys + countKeys(item), Array.isArray(value) ? 0 : items.length);
}

/** The places of duplicate keys. */
function findRepeatedKeys(json: string): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: AnyNode, at: readonly (string | number)[]): void => {
    if (node.type === 'Array') node.elements.forEach(({ value }, index) => visit(value, [...at, index]));
    if (node.type !== 'Object') return;
    const seen = new Set<string>();
    for (const { name, value } of node.members) {
      const key = name.type === 'String' ? name.value : name.name;
      if (seen.has(key)) {
        const message = `The key "${shorten(key, 64)}" stands in its object already; it stands there again at ${locate(json, name.loc.start.offset)}`;
        problems.push(problem('REPEATED_KEY', [...at, key], message));
      }
      seen.add(key);
      visit(value, [...at, key]);
    }
  };
  visit(parseWithLocations(json, { mode: 'json' }).body, []);
  return problems;
}

/** Why a text is not JSON. Found by Momoa, since JavaScript engines differ in the words and the position of their errors. */
function describeMistake(json: string, controlAt: number | undefined): string {
  if (json.trim() === '') return 'The text is empty at line 1, column 1';
  const at = findMistake(json);
  // Momoa accepts control characters in strings, JSON does not.
  if (controlAt !== undefined && controlAt <= at)
    return `Unexpected ${showAt(json, controlAt)} inside a text${json[controlAt] === '\n' ? ' (a line break in a text is written "\\n")' : ''} at ${locate(json, controlAt)}`;
  if (at === json.length) return `The text ends too early at ${locate(json, at)}`;
  const why = explainMistake(json, at);
  return `Unexpected ${showAt(json, at)}${why === undefined ? '' : ` (${why})`} at ${locate(json, at)}`;
}

/**
 * The place of the first error in a text that `JSON.parse` refuses. Unlike the messages of parsers it quotes nothing of the text, which may
 * hold a secret.
 *
 * @returns such as `line 2, column 21`, both counted from 1
 */
export function locateJsonFault(text: string): string {
  const json = text.trimEnd();
  const { controlAt = json.length } = scan(json);
  return locate(json, Math.min(controlAt, findMistake(json)));
}

/** The offset at which Momoa stops reading; the end of a text that ends too early. */
function findMistake(json: string): number {
  const refused = tryParse(json);
  // For a missing end Momoa names the start of the open part, or the last token. With more text behind, it stops at that text.
  if (refused === undefined || /end of input|\uffff/.test(refused.message)) return json.length;
  return Math.min(tryParse(`${json}\n@`)?.offset ?? refused.offset, json.length);
}

function tryParse(json: string): { readonly message: string; readonly offset: number } | undefined {
  try {
    parseWithLocations(json, { mode: 'json' });
    return undefined;
  } catch (error) {
    return error as Error & { readonly offset: number };
  }
}

/** The character at an offset, by its code when it is invisible. */
function showAt(json: string, offset: number): string {
  const code = json.codePointAt(offset) ?? 0;
  const char = String.fromCodePoint(code);
  return /[\p{C}\p{Z}]/u.test(char) ? `character U+${code.toString(16).toUpperCase().padStart(4, '0')}` : `"${char}"`;
}

/** The line and column of an offset, counted as editors do: from 1; a line ends with \n, \r\n or \r. */
function locate(json: string, offset: number): string {
  const lines = json.slice(0, offset).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** An object or list that is being copied, and the one around it. */
interface Part {
  readonly source: object;
  readonly copy: { [key: string]: unknown } | unknown[];
  readonly parent: Part | undefined;
  readonly key: string | number;
  readonly depth: number;
}

/**
 * Copies a value from outside as plain JSON, and reports what is not: forbidden keys, which are dropped, excess levels or keys, cycles,
 * class instances. Iterative and bounded, so that it ends for any value.
 *
 * @param forbidden - keys that are reported and dropped; by default those that no canvas may have
 */
export function plainJson(input: unknown, forbidden: ReadonlySet<string> = forbiddenNames): ReadText {
  const problems: Problem[] = [];
  const waiting: Part[] = [];
  let bytes = 0; // of its JSON, at least: escapes and further digits are not counted
  const isOver = () => bytes > limits.bodyBytes || problems.length > maxProblems;

  const copyValue = (value: unknown, parent: Part | undefined, key: string | number): unknown => {
    const report = (code: 'INVALID_CANVAS' | 'TOO_DEEP', message: string) =>
      void problems.push(problem(code, listSteps(parent, key), message));
    switch (typeof value) {
      case 'string':
        bytes += Math.max(value.length, utf8Bytes(value.slice(0, limits.bodyBytes))) + 2;
        return value;
      case 'boolean':
        bytes += 4;
        return value;
      case 'number':
        bytes += 1;
        if (!Number.isFinite(value)) report('INVALID_CANVAS', `${value} is no JSON value`);
        return value;
      case 'object': {
        if (value === null) return value;
        const depth = (parent?.depth ?? 0) + 1;
        if (isAncestor(parent, value)) report('INVALID_CANVAS', 'The value contains itself here, which JSON cannot express');
        else if (!isPlain(value)) report('INVALID_CANVAS', 'Only plain objects and lists are JSON values');
        else if (depth > limits.depth) report('TOO_DEEP', `Objects and lists are nested more than ${limits.depth} levels deep`);
        else {
          const part: Part = { source: value, copy: Array.isArray(value) ? [] : {}, parent, key, depth };
          waiting.push(part);
          return part.copy;
        }
        return undefined;
      }
      default:
        report('INVALID_CANVAS', `${value === undefined ? 'Nothing' : `A ${typeof value}`} is no JSON value`);
        return undefined;
    }
  };

  const value = copyValue(input, undefined, '');
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { source, copy } = part;
    if (Array.isArray(source) && Array.isArray(copy)) {
      bytes += source.length; // before the loop: a sparse list can be of any length
      for (let index = 0; index < source.length && !isOver(); index += 1) copy.push(copyValue(source[index], part, index));
    } else if (!Array.isArray(copy)) {
      const entries = Object.entries(source).filter(([, item]) => item !== undefined);
      if (entries.length > limits.keys) {
        const message = `The object has ${entries.length} keys; at most ${limits.keys} are read`;
        problems.push(problem('TOO_MANY_KEYS', listSteps(part.parent, part.key), message));
        continue;
      }
      for (const [key, item] of entries) {
        bytes += utf8Bytes(key) + 3;
        if (forbidden.has(key)) problems.push(problem('FORBIDDEN_KEY', listSteps(part, key), `The key "${key}" is refused`));
        else copy[key] = copyValue(item, part, key);
      }
    }
    if (isOver()) break;
  }
  if (bytes > limits.bodyBytes) problems.unshift(tooLarge());
  return { value, problems };
}

/** Whether a value is a list or a plain object, of this or another realm: its prototype is the last of the chain. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

/** Whether a value is among its own ancestors. */
function isAncestor(parent: Part | undefined, value: object): boolean {
  for (let part = parent; part !== undefined; part = part.parent) if (part.source === value) return true;
  return false;
}

/** The steps from the root to a key of a part; the root itself has none. */
function listSteps(parent: Part | undefined, key: string | number): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let last = key;
  for (let part = parent; part !== undefined; part = part.parent) {
    steps.unshift(last);
    last = part.key;
  }
  return steps;
}
