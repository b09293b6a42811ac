import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { losesDigits } from '../contract/exact-json.ts';
import { findNotation, findRemedy } from './foreign-notations.ts';

/** A node of CEL's syntax tree. */
export type Node = ASTNode;

/** The levels of brackets and operators in one expression. */
const maxDepth = 40;
const tooDeep = `it is more than ${maxDepth} levels deep; keep parts of it in variables, or use a code node`;

/** Replaces the `$` of variables in CEL, whose names have none. */
export const scopePrefix = 'hilo_';

/**
 * The parser of CEL's library. Types and evaluation are Hilo's own: the library's types distinguish integers from other numbers, and its
 * evaluator classifies objects by their key `constructor` and throws for missing keys.
 */
let grammar: Environment | undefined;

/** The length of an expression, which is parsed in linear time: as much as one variable may hold. */
const maxChars = 64 * 1024;

/**
 * Parses an expression into CEL's syntax tree.
 *
 * @throws {SyntaxError} for what cannot be parsed, with the reason in words
 */
export function parse(source: string): Node {
  if (source.length > maxChars) throw new SyntaxError(`it has more than ${maxChars} characters; keep long texts in variables`);
  // Created at first use, and shared: it keeps nothing between expressions.
  grammar ??= new Environment({
    enableOptionalTypes: true,
    limits: { maxAstNodes: 500, maxDepth: maxDepth, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 },
  });
  try {
    return grammar.parse(translateToCel(source)).ast;
  } catch (error) {
    // The library's parser recurses, and has its own count of levels for most forms alone.
    if (error instanceof RangeError) throw new SyntaxError(tooDeep, { cause: error });
    if (!(error instanceof ParseError)) throw error;
    throw new SyntaxError(describeParseError(error), { cause: error });
  }
}

/** The messages for the limits of the parser, by their names in the library. */
const limitReasons: { readonly [limit: string]: string | undefined } = {
  maxDepth: tooDeep,
  maxAstNodes: 'it has more than 500 names, values and operators; keep parts of it in variables, or use a code node',
  maxListElements: 'a list in it has more than 200 items',
  maxMapEntries: 'an object in it has more than 200 entries',
  maxCallArguments: 'a call in it has more than 16 arguments',
};

/** The tokens that may be missing, as an author writes them. */
const signs: { readonly [token: string]: string | undefined } = {
  RPAREN: '")"',
  RBRACKET: '"]"',
  RBRACE: '"}"',
  COLON: '":"',
  COMMA: '","',
};

/** Why CEL's parser stopped, and where. */
function describeParseError({ summary, code, node, range }: ParseError): string {
  const limit = limitReasons[/^Exceeded (\w+)/.exec(summary)?.[1] ?? ''];
  if (limit !== undefined) return limit;
  const input = (node?.input ?? '').replaceAll(scopePrefix, ' '.repeat(scopePrefix.length - 1) + '$').replaceAll('isThere', '    has');
  const [before, rest] = [asWritten(input.slice(0, range?.start ?? 0)).trimEnd(), asWritten(input.slice(range?.start ?? 0)).trim()];
  const place = rest === '' ? 'at its end' : `at ${JSON.stringify(rest.slice(0, 60).replaceAll(/\s+/g, ' ').slice(0, 30))}`;
  const remedy = findNotation(before, rest) ?? findRemedy(/^Reserved identifier: (\w+)/.exec(summary)?.[1] ?? '');
  if (remedy !== undefined) return `${remedy} (${place})`;
  switch (code) {
    case 'expected_token':
      return `${signs[/^Expected (\w+)/.exec(summary)?.[1] ?? ''] ?? 'a name'} is missing ${place}`;
    case 'unexpected_token':
      return `a value is missing ${place}`;
    case 'unexpected_character':
      if (!/[\w)\]}"']$/.test(before)) return `a value cannot begin ${place}`;
      return `an operator or a bracket is missing ${place}${describeBlank(before, rest)}`;
    default:
      return `${summary} (${place})`;
  }
}

/** A part of what the parser got, as its author wrote it: with `??` in place of the call that it becomes. */
const asWritten = (part: string): string => part.replaceAll('coalesce(\r', '').replaceAll('\r, ', ' ?? ').replaceAll('\r)', '');

/** A key with a blank, which a path cannot have, as it is written. */
function describeBlank(before: string, rest: string): string {
  const path = /(\$\w[\w.]{0,60})\.(\w{1,30})$/.exec(before);
  const word = /^\w{1,30}/.exec(rest)?.[0];
  return path === null || word === undefined ? '' : `; a key with a blank is in brackets, as in ${path[1]}["${path[2]} ${word}"]`;
}

/**
 * Turns Hilo's expression source into CEL's: `$name` becomes `hilo_name` (CEL has no `$` in names), and `left ?? right`
 * becomes `coalesce(left, right)`. `??` binds weakest of all operators but `? :`, and chains to the right.
 * A key that is one of CEL's keywords (`$webhook.in`), or has a `$` (`$context.schema.$ref`) or letters beyond ASCII
 * (`$context.año`), is quoted: `["in"]`. Quoted texts are unchanged.
 *
 * @throws {SyntaxError} for a `??` with nothing on one of its sides, for a name that begins with {@link scopePrefix}, and for too many brackets
 */
export function translateToCel(source: string): string {
  return rewrite(tokenize(source)).text;
}

type Token = string;

/** A text in quotes. */
const quotedPattern = String.raw`[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;

/** Quoted texts, names, `??`, `.?`, `[?`, and numbers that begin with a point; everything else character by character. */
const tokenPattern = new RegExp(
  String.raw`${quotedPattern}|\$[A-Za-z_]\w*|\?\?|\.\?|\[\?|(?=\.\d)(?<![\p{L}\p{M}\p{N}_.)\]}"']\s*)\.\d+|[\p{L}\p{M}\p{N}_]+|[\s\S]`,
  'gu',
);

/** Quoted texts, and comments up to the end of their line. */
const commentPattern = new RegExp(String.raw`${quotedPattern}|//[^\n]*`, 'gu');

/** A blank in place of each comment: the brackets, names and `??` in it count for nothing, and no bracket that is added behind it is lost. */
const dropComments = (source: string): string =>
  source.includes('//') ? source.replace(commentPattern, (found) => (found.startsWith('//') ? ' ' : found)) : source;

const tokenize = (source: string): readonly Token[] =>
  (dropComments(source).match(tokenPattern) ?? []).map((token, index, all) => {
    if (/^br$/i.test(token) && /^["']/.test(all[index + 1] ?? '')) return 'b'; // the library has no raw bytes
    const before = all[index - 1] ?? '';
    return /^br$/i.test(before) ? encodeRawBytes(token) : /^b$/i.test(before) ? encodeBytes(token) : token;
  });

/** Characters of a bytes literal as their bytes in UTF-8: the library keeps one byte of each. */
const encodeBytes = (literal: Token): Token => literal.replace(/\P{ASCII}+/gu, escapeBytes);

/** The literal of raw bytes, such as br"\d", as one with every byte escaped. */
function encodeRawBytes(literal: Token): Token {
  const quotes = /^(?:"""|'''|["'])/.exec(literal)?.[0] ?? '';
  return quotes === '' ? literal : `${quotes}${escapeBytes(literal.slice(quotes.length, -quotes.length))}${quotes}`;
}

const escapeBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

const closers: ReadonlySet<string> = new Set([')', ']', '}']);
const openers: ReadonlySet<string> = new Set(['(', '[', '[?', '{']);
const separators: ReadonlySet<string> = new Set([',', '?', ':']);

/** Functions whose names have a point, which the parser would take for a method. */
const namespaced: ReadonlySet<string> = new Set([
  ...['greatest', 'least', 'ceil', 'floor', 'round', 'trunc', 'abs', 'sign', 'sqrt'].map((name) => `math.${name}`),
  ...['isNaN', 'isInf', 'isFinite', 'bitAnd', 'bitOr', 'bitXor', 'bitNot', 'bitShiftLeft', 'bitShiftRight'].map((name) => `math.${name}`),
  'strings.quote',
  ...['of', 'ofNonZeroValue', 'none'].map((name) => `optional.${name}`),
]);

/** The name of a function in the syntax tree. */
export const callName = (name: string): string => name.replace('.', '__');

/** Words that CEL reserves even after a dot. */
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Whether a point joins texts, as in PHP: there is a blank on both sides of it, and a text or a variable behind it. */
const isJoin = (all: readonly Token[], index: number): boolean =>
  [all[index - 1], all[index + 1]].every((beside) => beside === ' ') && /^["'$]/.test(all[index + 2] ?? '');

/** Whether a key is no name in CEL, so that it must be quoted: a keyword, or one with a `$` or with letters beyond ASCII. */
const isQuotedStep = (step: string): boolean =>
  keywords.has(step) || step.startsWith('$') || /^(?!\d)(?=.*[^\w])[\p{L}\p{M}\p{N}_]+$/u.test(step);

/** Rewrites the tokens from an index up to the bracket that closes it, whose index is `end`. */
function rewrite(all: readonly Token[], from = 0, depth = 0): { readonly text: string; readonly end: number } {
  if (depth > maxDepth) throw new SyntaxError(tooDeep);
  const done: string[] = []; // the finished segments and their separators
  let operands: string[] = ['']; // the operands of `??` in the current segment
  const flush = (separator: string) => {
    done.push(coalesceAll(operands), separator);
    operands = [''];
  };
  let before = ''; // the last token that is not blank
  let signs = 0; // the "!" and "-" in a row
  let index = from;
  for (; index < all.length; index += 1) {
    const token = all[index] ?? '';
    if (closers.has(token)) break;
    if (token === '!' || token === '-') signs += 1;
    else if (token.trim() !== '') signs = 0;
    if (signs > maxDepth) throw new SyntaxError(tooDeep);
    if (token === '??') operands.push('');
    else if (separators.has(token)) flush(token);
    else if (openers.has(token)) {
      const inner = rewrite(all, index + 1, depth + 1);
      operands.push(`${operands.pop() ?? ''}${token}${inner.text}${all[inner.end] ?? ''}`);
      index = inner.end;
    } else if (before !== '.' && before !== '.?' && namespaced.has(all.slice(index, index + 3).join(''))) {
      operands.push(`${operands.pop() ?? ''}${callName(all.slice(index, index + 3).join(''))}`);
      index += 2;
    } else if (token === '.' && isJoin(all, index)) {
      throw new SyntaxError('texts are joined by "+", not by "."');
    } else if ((token === '.' || token === '.?') && isQuotedStep(all[index + 1] ?? '')) {
      operands.push(`${operands.pop() ?? ''}[${token === '.?' ? '?' : ''}"${all[index + 1]}"]`);
      index += 1;
    } else operands.push(`${operands.pop() ?? ''}${renameToken(token, before === '.' || before === '.?')}`);
    if (token.trim() !== '') before = token;
  }
  flush('');
  // A closer without an opener is kept, so that CEL's own parser names the mistake.
  if (from === 0 && index < all.length) return { text: done.join('') + all.slice(index).join(''), end: all.length };
  return { text: done.join(''), end: index };
}

/** A name or number as CEL's library has it. `has` becomes `isThere`, Hilo's own macro, which accepts a missing value at any step. */
function renameToken(token: Token, isStep: boolean): string {
  if (/^\.\d/.test(token)) return `0${token}`;
  if (!isStep && isTooLong(token))
    throw new SyntaxError(`the number ${token.slice(0, 40)} has more digits than a number holds; write it as a text, in quotes`);
  if (token.startsWith('$')) return scopePrefix + token.slice(1);
  if (token.startsWith(scopePrefix) && !isStep) throw new SyntaxError('variables are written with "$"');
  if (!isStep && (token === 'isThere' || token === 'coalesce'))
    throw new SyntaxError(`there is no "${token}"; write ${token === 'coalesce' ? '"??"' : 'has()'}`);
  return token === 'has' && !isStep ? 'isThere' : token;
}

/** Whether a number in the source would become another one. The fraction of a number is a step of its own. */
const isTooLong = (token: Token): boolean =>
  /^\d/.test(token) &&
  (/^0x/i.test(token) ? !Number.isSafeInteger(Number(token.replace(/u$/i, ''))) : losesDigits(token.replace(/u$/i, '')));

/** `a ?? b ?? c` as nested calls. */
function coalesceAll(operands: readonly string[]): string {
  if (operands.length < 2) return operands[0] ?? '';
  if (operands.some((operand) => operand.trim() === '')) throw new SyntaxError('"??" needs a value on its left and one on its right');
  return operands.reduceRight((right, left) => `coalesce(\r${left}\r, ${right}\r)`); // the carriage returns are taken out where a place is told
}
