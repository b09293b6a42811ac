import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { toCel } from './source.ts';

export type Node = ASTNode;

/**
 * CEL's grammar, from its library: only its parser is used. Its own types distinguish whole numbers from others, its evaluator tells
 * objects by their key `constructor` and throws for what is missing; so kinds are checked and closures made here.
 */
let grammar: Environment | undefined;

/**
 * Parses an expression into CEL's syntax tree.
 *
 * @throws {Error} for what cannot be parsed; the first line of its message says why
 */
export function parse(source: string): Node {
  // Made when first needed: the grammar is the same for everyone and keeps nothing between expressions.
  grammar ??= new Environment({
    enableOptionalTypes: true,
    limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 },
  });
  return grammar.parse(toCel(source)).ast;
}
