import type { ASTNode } from '@marcbachmann/cel-js';
import type { Json } from '../contract/json.ts';
import type { Variables } from '../contract/variables.ts';
import { argumentsOf, childrenOf, listOperations, pathOf } from './reads.ts';
import { scopePrefix } from './source.ts';

/** How big a value is. */
interface Size {
  readonly chars: number;
  /** The items in it at every level; one of an object counts more. */
  readonly parts: number;
  /** Those of the first level alone. */
  readonly items: number;
}

/** Where a node stands. */
interface Around {
  /** How often it is met: once, or for each item of a list. */
  readonly times: number;
  /** What a list operation around it calls its items, and how big they are together. */
  readonly item?: { readonly name: string; readonly size: Size };
}

/** What one operator costs beside what it works on: the unit is about what a character of a text costs, some 5 ns. */
const nodeWork = 30;
const partWork = 5;
/** What an item of an object costs, with its key. */
const keyParts = 12;
/** A number as a text. */
const numberChars = 25;

const nothing: Size = { chars: 0, parts: 0, items: 0 };

/**
 * How much work an expression can be over these values, at most, in characters or their like (P20). Its tree is walked once, and
 * all that is made on the way is added up: what an item of a list becomes, and what `join`, `split` and the like make of a text,
 * can be many times as big as what they are given, and the next operation meets all of it.
 */
export function expressionWork(ast: ASTNode, variables: Variables): number {
  let work = 0;
  const known = new Map<string, Size>();

  const variable = (path: readonly (string | number)[]): Size => {
    const name = JSON.stringify(path);
    const size = known.get(name) ?? sizeOfJson(variables.get([`$${String(path[0]).slice(scopePrefix.length)}`, ...path.slice(1)]));
    known.set(name, size);
    return size;
  };

  /** @returns how big all is that the node comes to, each time it is met */
  const sizeOf = (node: ASTNode, around: Around): Size => {
    const size = bySort(node, around);
    work += around.times * nodeWork + size.chars + size.parts * partWork;
    return size;
  };

  const bySort = (node: ASTNode, around: Around): Size => {
    const { times, item } = around;
    const path = pathOf(node)?.path;
    if (path !== undefined && item !== undefined && path[0] === item.name) return withinAny(item.size);
    if (path !== undefined) return scaled(variable(path), times);
    if (node.op === 'value') return { ...nothing, chars: typeof node.args === 'string' ? times * node.args.length : 0 };
    if (node.op === 'rcall') return byMethod(node.args[0], node.args[1], argumentsOf(node), around);
    const inside = sumOf(childrenOf(node), around);
    if (scalar.has(node.op === 'call' ? node.args[0] : node.op)) return nothing;
    if (node.op === 'call' && node.args[0] === 'string') return plus(inside, { ...nothing, chars: times * numberChars });
    if (node.op === 'list' || node.op === 'map') {
      const items = times * node.args.length;
      return { ...inside, parts: inside.parts + items, items };
    }
    return steps.has(node.op) ? withinAny(inside) : inside;
  };

  const byMethod = (name: string, receiver: ASTNode, args: readonly ASTNode[], around: Around): Size => {
    const given = sizeOf(receiver, around);
    if (listOperations.has(name)) {
      const [item, ...bodies] = args;
      const inside: Around = { times: given.items, item: { name: item?.op === 'id' ? item.args : '', size: given } };
      const made = sumOf(bodies, inside);
      if (scalar.has(name)) return nothing;
      return name === 'map' ? { chars: made.chars, parts: made.parts + given.items, items: given.items } : given;
    }
    if (name === 'join') {
      const separator = sumOf(args, { ...around, times: 1 });
      return { ...nothing, chars: given.chars + given.parts * separator.chars };
    }
    const all = plus(given, sumOf(args, around));
    if (scalar.has(name)) return nothing;
    if (name === 'split') return { chars: all.chars, parts: all.chars + around.times, items: all.chars + around.times };
    if (name === 'json') return { chars: all.chars, parts: all.chars, items: all.chars };
    return name === 'hex' || name === 'base64' ? scaled(all, 2) : all;
  };

  const sumOf = (nodes: readonly ASTNode[], around: Around): Size => nodes.reduce((sum, node) => plus(sum, sizeOf(node, around)), nothing);

  sizeOf(ast, { times: 1 });
  return work;
}

const scalarOperators = ['==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||', '!_', '-', '*', '/', '%', '-_'];
const searches = ['startsWith', 'endsWith', 'contains', 'indexOf', 'lastIndexOf', 'like'];
const scalarFunctions = ['isThere', 'size', 'all', 'exists', 'exists_one', 'int', 'double', 'bool', ...searches];

/** What comes to a number or a truth, however much it looks at. */
const scalar: ReadonlySet<string> = new Set([...scalarOperators, ...scalarFunctions]);

const steps: ReadonlySet<string> = new Set(['.', '.?', '[]', '[?]']);

const plus = (a: Size, b: Size): Size => ({ chars: a.chars + b.chars, parts: a.parts + b.parts, items: a.items + b.items });
const scaled = (size: Size, times: number): Size => ({ chars: size.chars * times, parts: size.parts * times, items: size.items * times });
/** What any place within is at most. */
const withinAny = (size: Size): Size => ({ ...size, items: size.parts });

function sizeOfJson(value: Json | undefined): Size {
  if (typeof value === 'string') return { ...nothing, chars: value.length };
  if (typeof value !== 'object' || value === null) return nothing;
  const items = Object.values<Json>(value);
  const inside = items.reduce<Size>((sum, item) => plus(sum, sizeOfJson(item)), nothing);
  return { ...inside, parts: inside.parts + items.length * (Array.isArray(value) ? 1 : keyParts), items: items.length };
}

/** What it costs to look once at each of these values. */
export const lookingWork = (values: readonly (Json | undefined)[]): number =>
  values.reduce<number>((sum, value) => {
    const { chars, parts } = sizeOfJson(value);
    return sum + chars + parts * partWork;
  }, 0);
