import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { toCel } from './source.ts';

export type Node = ASTNode;

/**
 * CEL's grammar, from its library, of which only the parser is used: its types distinguish integers from other numbers, and its
 * evaluator classifies objects by their key `constructor` and throws for missing keys; so kinds are checked and closures made here.
 */
let grammar: Environment | undefined;

/**
 * Parses an expression into CEL's syntax tree.
 *
 * @throws {Error} for a malformed expression; the first line of its message gives the reason
 */
export function parse(source: string): Node {
  // Made when first needed: the grammar is the same for everyone and keeps nothing between expressions.
  grammar ??= new Environment({
    enableOptionalTypes: true,
    limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 },
  });
  return grammar.parse(toCel(source)).ast;
}
