import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { mostDepth, scopePrefix, toCel, tooDeep } from './source.ts';

export type Node = ASTNode;

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
    return grammar.parse(toCel(source)).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new SyntaxError(reasonOf(error), { cause: error });
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
function reasonOf({ summary, code, node, range }: ParseError): string {
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
