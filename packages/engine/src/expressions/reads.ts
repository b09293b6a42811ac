import type { ASTNode } from '@marcbachmann/cel-js';
import { isScopeName } from '../contract/variables.ts';
import { forbiddenNames, type Path } from '../variables/path.ts';
import { scopePrefix } from './source.ts';

/** A place that an expression looks at. */
export interface VariableRead {
  readonly path: Path;
  /** Whether the expression copes with the place being missing (`??`, `has`, `.?`). */
  readonly isOptional: boolean;
  /** Where the expression stands inside the value that was compiled; left out at its root. */
  readonly at?: readonly (string | number)[];
}

/** What an expression does, as far as can be seen without running it. */
export interface Inspection {
  readonly reads: readonly VariableRead[];
  /** Whether it can make much more of its values than they are, or go through them again and again. */
  readonly isHeavy: boolean;
  /** The patterns of `like` that stand in it. */
  readonly patterns: readonly string[];
  /** Why the expression is refused; empty when it is not. */
  readonly refusals: readonly string[];
}

/** What is done with each item of a list. */
export const listOperations: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

/** Methods whose results can be bigger than what they are given. */
const growing: ReadonlySet<string> = new Set(['join', 'split', 'hex', 'base64', 'json']);

interface Surroundings {
  readonly isOptional: boolean;
  /** Names that a comprehension around this place gives to its items. */
  readonly itemNames: readonly string[];
}

/** Walks an expression's tree for its reads, and for what Hilo refuses though CEL would take it. */
export function inspect(ast: ASTNode): Inspection {
  const reads: VariableRead[] = [];
  const refusals: string[] = [];
  const patterns: string[] = [];
  let isHeavy = false;

  const walk = (node: ASTNode, around: Surroundings): void => {
    const chain = pathOf(node);
    if (chain !== undefined) {
      const [root, ...steps] = chain.path;
      const scope = `$${String(root).slice(scopePrefix.length)}`;
      if (around.itemNames.includes(String(root))) return;
      if (!String(root).startsWith(scopePrefix))
        refusals.push(`"${root === 'isThere' ? 'has' : root}" is not a variable; variables start with "$", texts stand in quotes`);
      else if (!isScopeName(scope)) refusals.push(`there is no scope "${scope}"`);
      else {
        const read = { path: [scope, ...steps], isOptional: around.isOptional || chain.isOptional };
        const forbidden = read.isOptional ? undefined : steps.find((step) => forbiddenNames.has(String(step)));
        if (forbidden !== undefined) refusals.push(`nothing is ever called "${forbidden}"`);
        reads.push(read);
      }
      return;
    }
    if (node.op === 'call' || node.op === 'rcall') {
      const name = node.args[0];
      const args = argumentsOf(node);
      isHeavy ||= node.op === 'rcall' && (listOperations.has(name) || growing.has(name));
      if (name === 'matches') refusals.push('"matches" can take for ever on hostile text; use like(text, pattern)');
      const last = args.at(-1);
      if (name === 'like' && last?.op === 'value' && typeof last.args === 'string') patterns.push(last.args);
      if (name === 'isThere' || (node.op === 'call' && name === 'coalesce')) {
        for (const [index, arg] of args.entries())
          walk(arg, { ...around, isOptional: around.isOptional || name === 'isThere' || index === 0 });
        return;
      }
      if (node.op === 'rcall' && listOperations.has(name)) {
        if (around.itemNames.length > 0) refusals.push(`"${name}" stands inside another list operation; use a code node for nested loops`);
        walk(node.args[1], around);
        const [item, ...bodies] = args;
        const itemName = item?.op === 'id' ? item.args : '';
        for (const body of bodies) walk(body, { ...around, itemNames: [...around.itemNames, itemName] });
        return;
      }
      if (node.op === 'rcall') walk(node.args[1], around);
      for (const arg of args) walk(arg, around);
      return;
    }
    for (const child of childrenOf(node)) walk(child, around);
  };

  walk(ast, { isOptional: false, itemNames: [] });
  return { reads, isHeavy, patterns, refusals };
}

/** The steps of `a.b[0]["c"]`, the root's CEL name first; `undefined` for anything that is not such a chain. */
export function pathOf(node: ASTNode): { readonly path: Path; readonly isOptional: boolean } | undefined {
  if (node.op === 'id') return { path: [node.args], isOptional: false };
  if (node.op !== '.' && node.op !== '.?' && node.op !== '[]' && node.op !== '[?]') return undefined;
  const inner = pathOf(node.args[0]);
  const step = node.op === '.' || node.op === '.?' ? node.args[1] : literalStep(node.args[1]);
  if (inner === undefined || step === undefined) return undefined;
  return { path: [...inner.path, step], isOptional: inner.isOptional || node.op === '.?' || node.op === '[?]' };
}

const literalStep = (node: ASTNode): string | number | undefined => {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' && node.args >= 0n ? Number(node.args) : undefined;
};

/** What a function or a method is called with. */
export const argumentsOf = (call: ASTNode & { readonly op: 'call' | 'rcall' }): readonly ASTNode[] =>
  call.op === 'call' ? call.args[1] : call.args[2];

/** The operands of any other operator; a map's entries are pairs. */
export const childrenOf = (node: ASTNode): readonly ASTNode[] => {
  const args: unknown = node.args;
  return (Array.isArray(args) ? args.flat(1) : [args]).filter(isNode);
};

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
