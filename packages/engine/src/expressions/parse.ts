import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';

export type Node = ASTNode;

/** Levels of brackets and operators in one expression. */
const mostDepth = 40;
/** Why an expression with too many levels is refused. */
const tooDeep = `it is more than ${mostDepth} levels deep; keep parts of it in variables, or use a code node`;

/** Replaces `$` inside CEL. */
export const scopePrefix = 'hilo_';

/**
 * CEL's grammar, from its library, of which only the parser is used: its types distinguish integers from other numbers, and its
 * evaluator classifies objects by their key `constructor` and throws for missing keys; so kinds are checked and closures made here.
 */
let grammar: Environment | undefined;

/** How long an expression may be: what one variable may hold. Everything up to its tree takes time in proportion. */
const mostChars = 64 * 1024;

/**
 * Parses an expression into CEL's syntax tree.
 *
 * @throws {SyntaxError} for what cannot be parsed, with the reason in words
 */
export function parse(source: string): Node {
  if (source.length > mostChars) throw new SyntaxError(`it has more than ${mostChars} characters; keep long texts in variables`);
  // Made when first needed: the grammar is the same for everyone and keeps nothing between expressions.
  grammar ??= new Environment({
    enableOptionalTypes: true,
    limits: { maxAstNodes: 500, maxDepth: mostDepth, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 },
  });
  try {
    return grammar.parse(translateToCel(source)).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new SyntaxError(describeParseError(error), { cause: error });
  }
}

/** What people write who know another language, by what stands where CEL's parser stops; what is to be written instead. */
const habits: readonly (readonly [found: RegExp, remedy: string])[] = [
  [/^=>/, 'a list operation names its item, as in list.map(item, item.name)'],
  [/^=/, 'values are compared by "==" and "!="; an expression assigns nothing'],
  [/^and\b/i, '"and" is written "&&"'],
  [/^or\b/i, '"or" is written "||"'],
  [/^\|/, 'a text is changed by a function, as in upper($context.name)'],
  [/^[“”„‘’«»`]/, 'a text needs straight quotes, " or \''],
  [/^\\/, 'a quote in an expression has no backslash before it'],
];

/** What the limits of the grammar say to authors. */
const limitReasons: { readonly [limit: string]: string | undefined } = {
  maxDepth: tooDeep,
  maxAstNodes: 'it has more than 500 names, values and operators; keep parts of it in variables, or use a code node',
  maxListElements: 'a list in it has more than 200 items',
  maxMapEntries: 'an object in it has more than 200 entries',
  maxCallArguments: 'a call in it has more than 16 arguments',
};

const signs: { readonly [token: string]: string | undefined } = {
  RPAREN: '")"',
  RBRACKET: '"]"',
  RBRACE: '"}"',
  COLON: '":"',
  COMMA: '","',
};

/** Why CEL's parser stopped, and at what. */
function describeParseError({ summary, code, node, range }: ParseError): string {
  const limit = limitReasons[/^Exceeded (\w+)/.exec(summary)?.[1] ?? ''];
  if (limit !== undefined) return limit;
  const input = (node?.input ?? '').replaceAll(scopePrefix, ' '.repeat(scopePrefix.length - 1) + '$').replaceAll('isThere', '    has');
  const [before, rest] = [input.slice(0, range?.start ?? 0).trimEnd(), input.slice(range?.start ?? 0).trim()];
  const place = rest === '' ? 'at its end' : `at ${JSON.stringify(rest.slice(0, 60).replaceAll(/\s+/g, ' ').slice(0, 30))}`;
  const remedy = habits.find(([found]) => found.test(rest))?.[1];
  if (remedy !== undefined) return `${remedy} (${place})`;
  switch (code) {
    case 'expected_token':
      return `${signs[/^Expected (\w+)/.exec(summary)?.[1] ?? ''] ?? 'a name'} is missing ${place}`;
    case 'unexpected_token':
      return before.endsWith('?') && rest.startsWith('.') ? `"?." is written ".?" (${place})` : `a value is missing ${place}`;
    case 'unexpected_character':
      if (/(?:^|\W)not$/.test(before)) return `"not" is written "!" (${place})`;
      return /[\w)\]}"']$/.test(before) ? `an operator or a bracket is missing ${place}` : `a value cannot begin ${place}`;
    default:
      return `${summary} (${place})`;
  }
}

/**
 * Turns Hilo's expression source into CEL's: `$name` becomes `hilo_name` (CEL has no `$` in names), and `left ?? right`
 * becomes `coalesce(left, right)`. `??` binds weakest of all operators but `? :`, and chains to the right.
 * A step called like one of CEL's keywords (`$webhook.in`), with a `$` (`$context.schema.$ref`) or with letters beyond ASCII
 * (`$context.año`) is read by its name. Text inside quotes is left as it is.
 *
 * @throws {SyntaxError} for a `??` with nothing on one of its sides, for a name that begins as a scope's does in CEL, and for too many brackets
 */
export function translateToCel(source: string): string {
  return rewrite(tokenize(source)).text;
}

type Token = string;

/** Quoted texts, names with `$`, `??`, brackets, separators; everything else character by character. */
const tokenPattern =
  /[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\$[A-Za-z_]\w*|\?\?|\.\?|\[\?|[\p{L}\p{M}\p{N}_]+|[\s\S]/gu;

const tokenize = (source: string): readonly Token[] => source.match(tokenPattern) ?? [];

const closers: ReadonlySet<string> = new Set([')', ']', '}']);
const openers: ReadonlySet<string> = new Set(['(', '[', '[?', '{']);
const separators: ReadonlySet<string> = new Set([',', '?', ':']);

/** Words that CEL reserves even after a dot. */
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Whether a step is no name in CEL: a keyword, or a key with a `$`, such as `$ref`, or with letters beyond ASCII. */
const isQuotedStep = (step: string): boolean =>
  keywords.has(step) || step.startsWith('$') || /^(?!\d)(?=.*[^\w])[\p{L}\p{M}\p{N}_]+$/u.test(step);

/** Rewrites from a position up to the bracket that closes it. */
function rewrite(all: readonly Token[], from = 0, depth = 0): { readonly text: string; readonly end: number } {
  if (depth > mostDepth) throw new SyntaxError(tooDeep);
  const done: string[] = []; // finished segments with their separators
  let operands: string[] = ['']; // the operands of `??` in the segment at hand
  const flush = (separator: string) => {
    done.push(coalesceAll(operands), separator);
    operands = [''];
  };
  let before = ''; // the last token that is no blank
  let index = from;
  for (; index < all.length; index += 1) {
    const token = all[index] ?? '';
    if (closers.has(token)) break;
    if (token === '??') operands.push('');
    else if (separators.has(token)) flush(token);
    else if (openers.has(token)) {
      const inner = rewrite(all, index + 1, depth + 1);
      operands.push(`${operands.pop() ?? ''}${token}${inner.text}${all[inner.end] ?? ''}`);
      index = inner.end;
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

/** A name as CEL needs it. `has` is replaced by Hilo's own, which accepts any missing step. */
function renameToken(token: Token, isStep: boolean): string {
  if (token.startsWith('$')) return scopePrefix + token.slice(1);
  if (token.startsWith(scopePrefix) && !isStep) throw new SyntaxError('variables are written with "$"');
  return token === 'has' && !isStep ? 'isThere' : token;
}

/** `a ?? b ?? c` as nested calls. */
function coalesceAll(operands: readonly string[]): string {
  if (operands.length < 2) return operands[0] ?? '';
  if (operands.some((operand) => operand.trim() === '')) throw new SyntaxError('"??" needs a value on its left and one on its right');
  return operands.reduceRight((right, left) => `coalesce(${left}, ${right})`);
}
