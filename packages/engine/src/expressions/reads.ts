// What an expression reads, and what Hilo refuses of it though CEL would take it: found in its syntax tree, without evaluating it.
import type { Json } from '../contract/json.ts';
import { isScopeName, scopeNames } from '../contract/variables.ts';
import { forbiddenNames, type Path } from '../variables/path.ts';
import {
  describeUnknown,
  eitherOperations,
  functionByName,
  isCallable,
  listOperations,
  pairOperations,
  showListOperation,
} from './functions/index.ts';
import { describeName, findRemedy, findScope, units } from './foreign-notations.ts';
import { findType } from './functions/type-names.ts';
import { findNearestName, suggest } from './nearest-name.ts';
import { type Node, scopePrefix } from './parse.ts';

/** A variable that an expression reads. */
export interface VariableRead {
  readonly path: Path;
  /** Whether the expression handles a missing value (`??`, `has`, `.?`). */
  readonly isOptional: boolean;
  /** The place of the expression inside the compiled value; left out at its root. */
  readonly at?: readonly (string | number)[];
}

/** A literal pattern of `like` in an expression. */
export interface PatternUse {
  readonly pattern: string;
  /** The place of the expression inside the compiled value; left out at its root. */
  readonly at?: readonly (string | number)[];
}

/** A call of `resumeUrl`: a text that has the address of a wait. */
export interface CallbackUse {
  /** The node that it names; the only one that waits for a call, when left out. */
  readonly nodeId?: string;
  /** The place of the expression inside the compiled value; left out at its root. */
  readonly at?: readonly (string | number)[];
}

/** A call of `raw` in an address: what it reads is inserted as it is. */
export interface RawUse {
  readonly reads: readonly VariableRead[];
  /** The place of the address inside the compiled value; left out at its root. */
  readonly at?: readonly (string | number)[];
}

/** The static analysis of an expression. */
export interface Inspection {
  readonly reads: readonly VariableRead[];
  readonly patterns: readonly PatternUse[];
  readonly callbacks: readonly CallbackUse[];
  /** Whether it reads `$now`. */
  readonly isTimed: boolean;
  /** Why the expression is refused; empty for a valid one. */
  readonly refusals: readonly string[];
}

/** What surrounds a part of an expression. */
interface Enclosing {
  /** Whether a missing value in the part is handled. */
  readonly isOptional: boolean;
  /** Names of items in the outer list operations. */
  readonly itemNames: readonly string[];
  /** Places that a `has` around has found: `has(a) ? a : 0`, `has(a) && a > 0`. */
  readonly found: readonly Path[];
}

/** An inspection that is being made. */
interface Findings {
  readonly reads: VariableRead[];
  readonly patterns: PatternUse[];
  readonly callbacks: CallbackUse[];
  readonly refusals: string[];
  isTimed: boolean;
}

/** Walks a syntax tree for its reads and patterns, and for what Hilo refuses though CEL accepts it. */
export function inspect(ast: Node): Inspection {
  const findings: Findings = { reads: [], patterns: [], callbacks: [], refusals: [], isTimed: false };
  walk(findings, ast, { isOptional: false, itemNames: [], found: [] });
  return { ...findings, refusals: [...new Set(findings.refusals)] };
}

function walk(findings: Findings, node: Node, outer: Enclosing): void {
  const chain = readPath(node);
  if (chain !== undefined) return walkPath(findings, chain, outer);
  const walkFound = (child: Node, found: readonly Path[]) => walk(findings, child, { ...outer, found: [...outer.found, ...found] });
  switch (node.op) {
    case 'call':
    case 'rcall':
      return walkCall(findings, node, outer);
    case '?:': {
      const [condition, yes, no] = node.args;
      walk(findings, condition, outer);
      walkFound(yes, findPlaces(condition, true));
      return walkFound(no, findPlaces(condition, false));
    }
    case '&&':
    case '||': {
      // Either side decides even where the other one fails, so that what one asks for is found wherever the other is of use.
      const [left, right] = node.args;
      walkFound(left, findPlaces(right, node.op === '&&'));
      return walkFound(right, findPlaces(left, node.op === '&&'));
    }
    case 'map':
      for (const [key, value] of node.args) {
        const bare = readBareKey(key, outer.itemNames);
        if (bare === undefined) walk(findings, key, outer);
        else findings.refusals.push(`the key of an object is in quotes, as in {"${bare}": $context.name}`);
        walk(findings, value, outer);
      }
      return;
    case '-':
      if (isHyphenated(node.args, outer.itemNames)) return void findings.refusals.push(hyphenated);
      return node.args.forEach((side) => walk(findings, side, outer));
    default:
      for (const child of listChildren(node)) walk(findings, child, outer);
  }
}

/** `{ name: … }` of JavaScript, whose key would be read as a variable. */
const readBareKey = (key: Node, itemNames: readonly string[]): string | undefined =>
  key.op === 'id' && !key.args.startsWith(scopePrefix) && !itemNames.includes(key.args) && !units.has(key.args) ? key.args : undefined;

const hyphenated = 'a key with "-" is in brackets, as in $context["first-name"]';

/** Whether a difference was meant as a key with a hyphen: a path without a name that could be a variable on its right. */
function isHyphenated([left, right]: readonly [Node, Node], itemNames: readonly string[]): boolean {
  const isPath = left.op !== 'id' && String(readPath(left)?.path[0]).startsWith(scopePrefix);
  return isPath && right.op === 'id' && !right.args.startsWith(scopePrefix) && !itemNames.includes(right.args);
}

/** A variable, or a name that is none. */
function walkPath(findings: Findings, { path, optionalFrom }: PathInTree, outer: Enclosing): void {
  const { reads, refusals } = findings;
  const [root, ...steps] = path;
  const name = String(root);
  const scope = `$${name.slice(scopePrefix.length)}`;
  if (outer.itemNames.includes(name) || findType(path) !== undefined) return;
  if (!name.startsWith(scopePrefix)) refusals.push(describeName(name === 'isThere' ? 'has' : name, scopeNames));
  else if (scope === '$now') {
    findings.isTimed = true;
    if (steps.length > 0) refusals.push('"$now" is an instant and has no parts; use date($now), time($now) and their like');
  } else if (scope.startsWith(`$${scopePrefix}`)) refusals.push('a variable has one "$" before it, as in $context.name');
  else if (!isScopeName(scope))
    refusals.push(
      `there is no scope "${scope}"; ${suggest(findScope(scope.slice(1)) ?? findNearestName(scope, scopeNames)) ?? `there are ${scopeNames.join(', ')}`}`,
    );
  else {
    const isOptional = outer.isOptional || Number.isFinite(optionalFrom);
    const forbidden = isOptional ? undefined : steps.find((step) => forbiddenNames.has(String(step)));
    if (forbidden !== undefined)
      refusals.push(`no path leads to "${forbidden}"; a key of that name is read by get(object, "${forbidden}")`);
    const isFound = outer.found.some((place) => place.every((step, index) => step === (path[index] ?? step)));
    reads.push({ path: [scope, ...steps], isOptional: isOptional || isFound });
    // What stands before the first ".?" must be there.
    if (optionalFrom > 1 && Number.isFinite(optionalFrom) && !outer.isOptional && !isFound)
      reads.push({ path: [scope, ...steps.slice(0, optionalFrom - 1)], isOptional: false });
  }
}

/** A function, a macro or a method. */
function walkCall(findings: Findings, node: Node & { readonly op: 'call' | 'rcall' }, outer: Enclosing): void {
  const { reads, patterns, refusals } = findings;
  const name = node.args[0];
  const args = listArguments(node);
  // The arguments of an unknown function may be names of items, which are no variables.
  if (!isCallable(name)) return void refusals.push(describeUnknown(name));
  const last = args.at(-1);
  if (name === 'like' || name === 'matches') for (const pattern of listTexts(last)) patterns.push({ pattern });
  if (name === 'resumeUrl') {
    const named = node.op === 'rcall' ? node.args[1] : args[0];
    const nodeId = named?.op === 'value' && typeof named.args === 'string' ? named.args : undefined;
    if (named !== undefined && nodeId === undefined) refusals.push('resumeUrl() takes the id of a node as a text in quotes');
    findings.callbacks.push(nodeId === undefined ? {} : { nodeId });
  }
  for (const path of functionByName.get(name)?.reads ?? []) reads.push({ path, isOptional: true });
  if (node.op === 'call' && name === 'isThere' && !args.every((arg) => isPlace(arg, outer.itemNames))) return void refusals.push(noPlace);
  if (node.op === 'call' && name !== 'isThere' && name !== 'coalesce' && !functionByName.has(name))
    return void refusals.push(
      listOperations.has(name)
        ? `${name}() follows its list, as in ${showListOperation(name)}`
        : args.length > 1
          ? (findRemedy(name) ?? `${name}() follows ".?"`)
          : `${name}() follows ".?"`,
    );
  if (node.op === 'call' && (name === 'isThere' || name === 'coalesce')) {
    for (const [index, arg] of args.entries())
      walk(findings, arg, { ...outer, isOptional: outer.isOptional || name === 'isThere' || index === 0 });
    return;
  }
  if (node.op === 'rcall') walk(findings, node.args[1], outer);
  if (node.op === 'rcall' && listOperations.has(name)) {
    if (outer.itemNames.length > 0) refusals.push(`"${name}" stands inside another list operation; use a code node for nested loops`);
    const { itemName, keyName, bodies } = readItemNames(name, args);
    const names = keyName === undefined ? [itemName] : [keyName, itemName];
    if (pairOperations.has(name) && keyName === undefined)
      refusals.push(`${name}() takes two names, as in list.${name}(index, item, item)`);
    if (keyName === itemName) refusals.push(`${name}() takes two names that differ`);
    if (names.some((one) => one.startsWith(scopePrefix)))
      refusals.push(`${name}() takes a name for its item that has no "$", as in list.${name}(item, item > 0)`);
    for (const body of bodies) walk(findings, body, { ...outer, itemNames: [...outer.itemNames, ...names] });
  } else if (node.op === 'rcall' && args.length > 1 && isUnknownName(args[0], outer.itemNames))
    refusals.push(
      `${name}() takes no name for an item: ${name === 'sort' ? 'list.sortBy(item, item.price) sorts by a part' : `what it takes of each goes before it, as in list.map(item, item.price).${name}()`}`,
    );
  else for (const arg of args) walk(findings, arg, outer);
}

/** `list.sum(item, item.price)`: a name where a list operation would have one. */
const isUnknownName = (node: Node | undefined, itemNames: readonly string[]): boolean =>
  node?.op === 'id' && !node.args.startsWith(scopePrefix) && !itemNames.includes(node.args);

const noPlace = 'has() takes a place that may be missing, such as has($context.name); a comparison or another result is always there';

/** Whether `has` may ask for a part: a path, or a step into what a call, a list or an object gives. What a `has` always finds is refused. */
function isPlace(node: Node, itemNames: readonly string[]): boolean {
  if (node.op === 'id') return !itemNames.includes(node.args) && node.args !== `${scopePrefix}now` && findType([node.args]) === undefined;
  const base = isStep(node) ? findBase(node) : undefined;
  return base?.op === 'id' || base?.op === 'call' || base?.op === 'rcall' || base?.op === 'list' || base?.op === 'map';
}

/** What the first step of a chain starts from. */
const findBase = (node: Node): Node => (isStep(node) ? findBase(node.args[0]) : node);

const isStep = (node: Node): node is Extract<Node, { readonly op: '.' | '.?' | '[]' | '[?]' }> =>
  node.op === '.' || node.op === '.?' || node.op === '[]' || node.op === '[?]';

/** What an expression tells of places that may be missing, beside its value. */
export interface Asked {
  /** The places that have a value where the expression is true. */
  readonly ifTrue: readonly Path[];
  /** Those that have one where it is false. */
  readonly ifFalse: readonly Path[];
  /** What it comes to where the only place that it reads, which it gives a default, is missing. */
  readonly without?: { readonly value: Json; readonly path: Path };
}

/** What the expression of a tree asks for; `undefined` for nothing. */
export function findAsked(tree: Node): Asked | undefined {
  const [ifTrue, ifFalse] = [true, false].map((isTrue) => findPlaces(tree, isTrue).flatMap(ofVariables)) as [Path[], Path[]];
  const { value, path } = readWithout(tree) ?? {};
  const place = path === undefined ? [] : ofVariables(path);
  const without = value !== undefined && place[0] !== undefined ? { value, path: place[0] } : undefined;
  return ifTrue.length + ifFalse.length === 0 && without === undefined ? undefined : { ifTrue, ifFalse, ...(without && { without }) };
}

/** A path of the variables as authors write it; none for one into an item. */
const ofVariables = ([root, ...steps]: Path): readonly Path[] =>
  typeof root === 'string' && root.startsWith(scopePrefix) ? [[`$${root.slice(scopePrefix.length)}`, ...steps]] : [];

/** The places that have a value where a condition is true, or false: those that it asks for by `has`. */
function findPlaces(condition: Node, isTrue: boolean): readonly Path[] {
  switch (condition.op) {
    case '!_':
      return findPlaces(condition.args, !isTrue);
    case '&&':
    case '||':
      return (condition.op === '&&') === isTrue ? condition.args.flatMap((side) => findPlaces(side, isTrue)) : [];
    case 'call': {
      const [name, [place]] = condition.args;
      const path = name === 'isThere' && isTrue && place !== undefined ? readPath(place)?.path : undefined;
      return path === undefined ? [] : [path];
    }
    default: {
      // `($context.name ?? "") != ""`: the condition would be the other one if the place were missing.
      const without = readWithout(condition);
      return without?.path === undefined || typeof without.value !== 'boolean' || without.value === isTrue ? [] : [without.path];
    }
  }
}

/** What a part comes to without the one place that it gives a default. */
interface Without {
  readonly value: Json;
  readonly path?: Path | undefined;
}

/** Reads what a part of literals is where its place is missing; `undefined` for any other part. */
function readWithout(node: Node | undefined): Without | undefined {
  switch (node?.op) {
    case 'value':
      return readLiteralValue(node.args);
    case 'list':
      return node.args.length === 0 ? { value: emptyList } : undefined;
    case 'call':
    case 'rcall': {
      const [name] = node.args;
      const args = node.op === 'rcall' ? [node.args[1], ...listArguments(node)] : listArguments(node);
      const inner = readWithout(name === 'coalesce' ? args[1] : args[0]);
      if (inner === undefined) return undefined;
      if (name === 'coalesce' && args[0] !== undefined) return { ...inner, path: readPath(args[0])?.path };
      return args.length > 1 ? undefined : callOfLiteral(name, inner);
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const [left, right] = [readWithout(node.args[0]), readWithout(node.args[1])];
      if (left === undefined || right === undefined || (left.path === undefined) === (right.path === undefined)) return undefined;
      const holds = compareLiterals(node.op, left.value, right.value);
      return holds === undefined ? undefined : { value: holds, path: left.path ?? right.path };
    }
    default:
      return undefined;
  }
}

const emptyList: readonly Json[] = [];

const readLiteralValue = (value: unknown): Without | undefined => {
  if (typeof value === 'bigint') return { value: Number(value) };
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null ? { value } : undefined;
};

/** `size` and `trim`, of which conditions are made that ask whether a text or a list is empty. */
function callOfLiteral(name: string, { value, path }: Without): Without | undefined {
  if (name === 'size' && value === emptyList) return { value: 0, path };
  if (typeof value !== 'string' || (name !== 'size' && name !== 'trim')) return undefined;
  return { value: name === 'size' ? Array.from(value).length : value.trim(), path };
}

/** A comparison of literals; `undefined` where it has no answer. */
function compareLiterals(symbol: '==' | '!=' | '<' | '<=' | '>' | '>=', left: unknown, right: unknown): boolean | undefined {
  if (symbol === '==' || symbol === '!=') return (left === right) === (symbol === '==');
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const [first, second] = symbol === '<' || symbol === '<=' ? [left, right] : [right, left];
  return first < second || (first === second && symbol.endsWith('='));
}

/** A chain of member accesses in a syntax tree. */
export interface PathInTree {
  /** The CEL name of the root, then the keys and indexes. */
  readonly path: Path;
  /** The index of the first optional step (`.?`); infinite when there is none. */
  readonly optionalFrom: number;
}

/** The steps of `a.b[0]["c"]`; `undefined` for anything that is not such a chain. */
export function readPath(node: Node): PathInTree | undefined {
  if (node.op === 'id') return { path: [node.args], optionalFrom: Number.POSITIVE_INFINITY };
  if (node.op !== '.' && node.op !== '.?' && node.op !== '[]' && node.op !== '[?]') return undefined;
  const inner = readPath(node.args[0]);
  const step = node.op === '.' || node.op === '.?' ? node.args[1] : literalStep(node.args[1]);
  if (inner === undefined || step === undefined) return undefined;
  const isOptional = node.op === '.?' || node.op === '[?]';
  return { path: [...inner.path, step], optionalFrom: isOptional ? Math.min(inner.optionalFrom, inner.path.length) : inner.optionalFrom };
}

const literalStep = (node: Node): string | number | undefined => {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' && node.args >= 0n ? Number(node.args) : undefined;
};

/** The arguments of a call, without its receiver. */
export const listArguments = (call: Node & { readonly op: 'call' | 'rcall' }): readonly Node[] =>
  call.op === 'call' ? call.args[1] : call.args[2];

/** The names in a list operation: of the item, and before it of its position or key where there are two. */
export function readItemNames(
  name: string,
  args: readonly Node[],
): { readonly itemName: string; readonly keyName: string | undefined; readonly bodies: readonly Node[] } {
  const [first, second, ...rest] = args;
  const nameOf = (node: Node | undefined): string => (node?.op === 'id' ? node.args : '');
  const hasTwo = second?.op === 'id' && rest.length > 0 && (pairOperations.has(name) || (eitherOperations.has(name) && rest.length === 1));
  return hasTwo
    ? { keyName: nameOf(first), itemName: nameOf(second), bodies: rest }
    : { keyName: undefined, itemName: nameOf(first), bodies: args.slice(1) };
}

/** The literal texts that a part may come to: one itself, or those of a choice or a default. */
export function listTexts(node: Node | undefined): readonly string[] {
  if (node?.op === 'value') return typeof node.args === 'string' ? [node.args] : [];
  if (node?.op === '?:') return node.args.slice(1).flatMap((part) => listTexts(part));
  return node?.op === 'call' && node.args[0] === 'coalesce' ? node.args[1].flatMap((part) => listTexts(part)) : [];
}

/** The parts of a node of any other kind; the entries of a map are pairs. */
export const listChildren = (node: Node): readonly Node[] => {
  const args: unknown = node.args;
  return (Array.isArray(args) ? args.flat(1) : [args]).filter(isNode);
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
