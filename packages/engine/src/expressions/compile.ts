// Compiles the syntax tree of an expression to closures.
import { limits } from '../contract/limits.ts';
import { isScopeName } from '../contract/variables.ts';
import { forbiddenNames, formatPath, type Path } from '../variables/path.ts';
import { compileCall, type Compiled, compileListOperation } from './compile-call.ts';
import { entryWork, type Evaluation, failedInItem, itemWork, missing, type Run, shallowWork, spend, wrong } from './evaluation.ts';
import type { StaticKind } from './functions/define.ts';
import { findType } from './functions/type-names.ts';
import { binaryOperators, inferKind } from './operators.ts';
import { type Node, scopePrefix } from './parse.ts';
import { listOperations } from './functions/index.ts';
import { describeLogic, describeOverload, describeTruth } from './remedies.ts';
import { listArguments, listChildren, listTexts, readItemNames, readPath, type PathInTree } from './reads.ts';
import { isList, kindOf, Optional, own, Timestamp, type Value } from './value.ts';

/** What surrounds a part of the expression. */
interface Enclosing {
  /** The name of the item in the enclosing list operation. */
  readonly itemName?: string;
  /** The name of its position or key: then the item is a pair. */
  readonly keyName?: string;
  /** The kinds of variables, where they are known: an expression that fails with those is refused. */
  readonly kindOfVariable?: KindOfVariable;
}

/** The kind of a variable, as far as it is known. */
export type KindOfVariable = (path: Path) => StaticKind;

/**
 * Compiles a syntax tree to closures: each part becomes a function of the evaluation, which calls those of its own parts.
 *
 * @throws {SyntaxError} for an expression that fails whatever the variables are
 */
export function compile(node: Node, enclosing: Enclosing = {}): Compiled {
  const path = readPath(node);
  if (path !== undefined) return compilePath(path, enclosing);
  switch (node.op) {
    case 'value':
      return constant(readLiteral(node.args));
    case '.':
    case '.?':
      return compileStep(compile(node.args[0], enclosing), constant(String(node.args[1])), node.op === '.?');
    case '[]':
    case '[?]':
      return compileStep(compile(node.args[0], enclosing), compile(node.args[1], enclosing), node.op === '[?]');
    case 'call':
    case 'rcall':
      return compileCalled(node, enclosing);
    case 'list':
      return compileList(node.args.map((item) => compile(item, enclosing)));
    case 'map':
      refuseRepeatedKeys(node.args.map(([key]) => literalText(key)));
      return compileObject(node.args.map(([key, value]) => [compile(key, enclosing), compile(value, enclosing)] as const));
    case '?:':
      return compileChoice(...compileOperands(node.args, enclosing));
    case '&&':
    case '||':
      return compileLogic(node.op, ...compileOperands(node.args, enclosing));
    case '!_':
    case '-_':
      return compileUnary(node.op === '!_' ? '!' : '-', compile(node.args, enclosing));
    case 'id':
      throw new SyntaxError(`"${node.args}" is not a variable`); // every name is a path
    default:
      return compileBinary(node.op, ...compileOperands(node.args, enclosing));
  }
}

const compileOperands = <Nodes extends readonly Node[]>(nodes: Nodes, enclosing: Enclosing) =>
  nodes.map((node) => compile(node, enclosing)) as { [Index in keyof Nodes]: Compiled };

const constant = (value: Value): Compiled => ({ run: () => value, kind: kindOf(value) });

/** The value of a literal. Whole numbers are bigints in the library, unsigned ones objects: both become numbers, as JSON has no others. */
export const readLiteral = (literal: unknown): string | number | boolean | null | Uint8Array =>
  typeof literal === 'string' || typeof literal === 'boolean' || literal === null || literal instanceof Uint8Array
    ? literal
    : Number(literal);

/** A path into the variables, or into the item of a list operation. */
function compilePath(
  { path: [root = '', ...steps], optionalFrom }: PathInTree,
  { itemName, keyName, kindOfVariable }: Enclosing,
): Compiled {
  const name = String(root);
  if (keyName !== undefined && (name === keyName || name === itemName)) {
    const at = name === keyName ? 0 : 1;
    return compileSteps({ run: ({ item }) => (isList(item) ? item[at] : undefined), kind: 'any' }, steps, optionalFrom - 1);
  }
  if (name === itemName) return compileSteps({ run: ({ item }) => item, kind: 'any' }, steps, optionalFrom - 1);
  const type = findType([root, ...steps]);
  if (type !== undefined) return constant(type);
  const scope = readScope(name);
  if (scope === '$now') return compileSteps({ run: now, kind: 'timestamp' }, steps, optionalFrom - 1);
  const all: Path = [scope, ...steps];
  // One read covers the steps before the first `.?`, and before a key that no path may have (T8), but data may.
  const forbidden = all.findIndex((step) => forbiddenNames.has(String(step)));
  const length = Math.min(optionalFrom, forbidden < 0 ? all.length : forbidden, all.length);
  const path = all.slice(0, length);
  if (kindOfVariable !== undefined) refuseParts(all, optionalFrom, kindOfVariable);
  const reason = { path };
  const isRepeated = itemName !== undefined;
  const run: Run = (evaluation) => {
    const value: Value | undefined = evaluation.variables.get(path);
    if (value === undefined) return missing(evaluation, reason);
    if (isRepeated) spend(evaluation, shallowWork(value));
    return value;
  };
  return compileSteps({ run, kind: kindOfVariable?.(path) ?? 'any' }, all.slice(length), optionalFrom - length);
}

/** Kinds of values that have parts by a name. */
const withNames: ReadonlySet<StaticKind> = new Set(['any', 'object', 'optional', 'null']);

/** No value has more levels, so that nothing is known of a part below them; a path may have as many steps as a text has room for. */
const deepestKnown = limits.request.depth;

/** @throws {SyntaxError} for a part of a variable that has none, such as a field of a text */
export function refuseParts(path: Path, optionalFrom: number, kindOfVariable: KindOfVariable): void {
  for (let length = 2; length < Math.min(path.length, optionalFrom, deepestKnown); length += 1) {
    const [kind, step] = [kindOfVariable(path.slice(0, length)), path[length]];
    if (withNames.has(kind) || (kind === 'list' && typeof step === 'number')) continue;
    throw new SyntaxError(
      `${formatPath(path.slice(0, length))} is of the kind ${kind}, and has no part "${step}"${sayPart(String(step), path, length)}`,
    );
  }
}

/** What other languages read as a part, and this one by a function. */
const partFunctions: { readonly [part: string]: string | undefined } = {
  length: 'size',
  size: 'size',
  count: 'size',
  first: 'first',
  last: 'last',
};

function sayPart(step: string, path: Path, length: number): string {
  const name = Object.hasOwn(partFunctions, step) ? partFunctions[step] : undefined;
  return name === undefined ? '' : `; write ${name}(${formatPath(path.slice(0, length))})`;
}

const readScope = (name: string): string => `$${name.slice(scopePrefix.length)}`;

/** The path of a part that is read from the variables by one `get`; `undefined` for any other part. */
export function findReadPath(node: Node): Path | undefined {
  const { path: [root = '', ...steps] = [], optionalFrom = 0 } = readPath(node) ?? {};
  const path: Path = [readScope(String(root)), ...steps];
  return isScopeName(path[0]) &&
    path[0] !== '$now' &&
    optionalFrom >= path.length &&
    path.every((step) => !forbiddenNames.has(String(step)))
    ? path
    : undefined;
}

/** `$now`: the instant of the event that is being handled. */
function now(evaluation: Evaluation): Value | undefined {
  const { nowMs } = evaluation.variables;
  return nowMs === undefined ? missing(evaluation, 'there is no $now here') : new Timestamp(nowMs);
}

function compileSteps(base: Compiled, steps: Path, optionalFrom: number): Compiled {
  return steps.reduce<Compiled>((inner, step, index) => compileStep(inner, constant(step), index >= optionalFrom), base);
}

/** `base.key` and `base[key]`; with a question mark (`.?`, `[?]`) the result is an optional. */
function compileStep(base: Compiled, key: Compiled, isOptional: boolean): Compiled {
  return {
    kind: isOptional || base.kind === 'optional' ? 'optional' : 'any',
    run(evaluation) {
      const value = base.run(evaluation);
      if (value === undefined) return undefined;
      const step = key.run(evaluation);
      if (step === undefined) return undefined;
      if (value instanceof Optional) return new Optional(value.value === undefined ? undefined : getMember(value.value, step));
      const found = getMember(value, step);
      if (isOptional) return new Optional(found);
      return found === undefined ? missing(evaluation, { of: value, step }) : found;
    },
  };
}

const getMember = (value: Value, key: Value): Value | undefined => {
  if (typeof key === 'string' || typeof key === 'number') return own(value, key);
  return typeof key === 'boolean' ? own(value, String(key)) : undefined;
};

/** A function, a macro, or a method of an optional. */
function compileCalled(node: Node & { readonly op: 'call' | 'rcall' }, enclosing: Enclosing): Compiled {
  const [name] = node.args;
  const args = listArguments(node);
  if (node.op === 'call') {
    if (name === 'isThere') return compileHas(args, enclosing);
    if (name === 'coalesce' && args.length === 2) return compileDefault(...compileOperands([args[0], args[1]] as [Node, Node], enclosing));
    const compiled = args.map((arg) => compile(arg, enclosing));
    return compileCall(name, compiled, args.map(literalText), args.map(listTexts));
  }
  const receiver = compile(node.args[1], enclosing);
  if (listOperations.has(name)) {
    const { itemName, keyName, bodies } = readItemNames(name, args);
    return compileListOperation(name, receiver, {
      bodies: bodies.map((body) => compile(body, { ...enclosing, itemName, ...(keyName !== undefined && { keyName }) })),
      hasKeys: keyName !== undefined,
      operators: bodies.reduce((sum, body) => sum + countNodes(body), 1),
      isOfVariable: isPieceOfVariable(node.args[1]),
    });
  }
  const compiled = args.map((arg) => compile(arg, enclosing));
  return (
    compileOptionalMethod(name, receiver, compiled) ??
    compileCall(name, [receiver, ...compiled], [node.args[1], ...args].map(literalText), [node.args[1], ...args].map(listTexts))
  );
}

const literalText = (node: Node | undefined): string | undefined =>
  node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;

const countNodes = (node: Node): number => listChildren(node).reduce((sum, child) => sum + countNodes(child), 1);

/** Whether the value of a part comes from the variables, or a literal default, unchanged. */
export const isPieceOfVariable = (node: Node): boolean =>
  readPath(node) !== undefined ||
  ((node.op === '[]' || node.op === '.') && isPieceOfVariable(node.args[0])) ||
  (node.op === 'call' && node.args[0] === 'coalesce' && node.args[1].every((arg) => isPieceOfVariable(arg) || arg.op === 'value'));

/** `has(path)`: whether there is a value, which may be null. */
function compileHas(args: readonly Node[], enclosing: Enclosing): Compiled {
  const [arg] = args;
  if (arg === undefined || args.length > 1) throw new SyntaxError('has() takes one place, such as has($context.name)');
  const { run } = compile(arg, enclosing);
  return {
    kind: 'bool',
    run(evaluation) {
      const value = run(evaluation);
      if (value === undefined) return evaluation.isMissing ? false : undefined;
      return !(value instanceof Optional) || value.value !== undefined;
    },
  };
}

/** `left ?? right`: the right side is evaluated only when the left is missing or null. */
function compileDefault(left: Compiled, right: Compiled): Compiled {
  return {
    kind: left.kind === right.kind ? left.kind : 'any',
    run(evaluation) {
      const found = left.run(evaluation);
      if (found === undefined && !evaluation.isMissing) return undefined;
      const value = found instanceof Optional ? found.value : found;
      return value ?? right.run(evaluation);
    },
  };
}

function compileList(items: readonly Compiled[]): Compiled {
  const fromLast = items.map(({ run }) => run).reverse(); // in the order of CEL's library, as for the arguments of calls
  return {
    kind: 'list',
    run(evaluation) {
      spend(evaluation, fromLast.length * itemWork);
      const list: Value[] = [];
      for (const run of fromLast) {
        const value = run(evaluation);
        if (value === undefined) return failedInItem(evaluation);
        list.push(value);
      }
      return list.reverse();
    },
  };
}

/** Which of two values a key was meant to have cannot be known. @throws {SyntaxError} */
function refuseRepeatedKeys(keys: readonly (string | undefined)[]): void {
  const repeated = [...Map.groupBy(keys, (key) => key)].find(([key, same]) => key !== undefined && same.length > 1);
  if (repeated !== undefined) throw new SyntaxError(`the key "${repeated[0]}" stands twice in an object`);
}

function compileObject(entries: readonly (readonly [Compiled, Compiled])[]): Compiled {
  return {
    kind: 'object',
    run(evaluation) {
      spend(evaluation, entries.length * entryWork);
      const members = new Map<string, Value>();
      for (const [keyPart, valuePart] of entries) {
        const key = keyPart.run(evaluation);
        if (key === undefined) return undefined;
        if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean')
          return wrong(evaluation, `the key of an object is a text, not ${kindOf(key)}`);
        if (key === '__proto__') return wrong(evaluation, '"__proto__" cannot be a key');
        if (members.has(String(key))) return wrong(evaluation, `the key "${key}" stands twice in an object`);
        const value = valuePart.run(evaluation);
        if (value === undefined) return undefined;
        members.set(String(key), value);
      }
      return Object.fromEntries(members);
    },
  };
}

function compileChoice(condition: Compiled, yes: Compiled, no: Compiled): Compiled {
  if (!mayBe(condition.kind, 'bool'))
    throw new SyntaxError(`the condition of "? :" must be bool, not ${condition.kind}${describeTruth(condition.kind)}`);
  return {
    kind: yes.kind === no.kind ? yes.kind : 'any',
    run(evaluation) {
      const chosen = condition.run(evaluation);
      if (chosen === true) return yes.run(evaluation);
      if (chosen === false) return no.run(evaluation);
      return chosen === undefined
        ? undefined
        : wrong(evaluation, `the condition of "? :" must be bool, not ${kindOf(chosen)}${describeTruth(kindOf(chosen))}`);
    },
  };
}

/** `&&` and `||`: a side that decides the result does so even when the other one fails, as in CEL. */
function compileLogic(symbol: '&&' | '||', left: Compiled, right: Compiled): Compiled {
  for (const { kind } of [left, right]) if (!mayBe(kind, 'bool')) throw new SyntaxError(describeLogic(symbol, kind));
  const deciding = symbol === '||';
  const truth = (evaluation: Evaluation, value: Value | undefined): boolean | undefined =>
    typeof value === 'boolean' || value === undefined ? value : wrong(evaluation, describeLogic(symbol, kindOf(value)));
  return {
    kind: 'bool',
    run(evaluation) {
      const first = truth(evaluation, left.run(evaluation));
      if (first === deciding) return deciding;
      if (first === undefined) {
        const { reason, isMissing } = evaluation;
        const second = truth(evaluation, right.run(evaluation));
        if (second === undefined || second === deciding) return second; // when both fail, the reason is that of the right side, as in CEL's library
        evaluation.reason = reason;
        evaluation.isMissing = isMissing;
        return undefined;
      }
      return truth(evaluation, right.run(evaluation));
    },
  };
}

/** `!` and `-`. */
function compileUnary(symbol: '!' | '-', operand: Compiled): Compiled {
  const kind = symbol === '!' ? 'bool' : 'number';
  if (!mayBe(operand.kind, kind))
    throw new SyntaxError(`no such overload: ${symbol}${operand.kind}${symbol === '!' ? describeTruth(operand.kind) : ''}`);
  return {
    kind,
    run(evaluation) {
      const value = operand.run(evaluation);
      if (symbol === '!' && typeof value === 'boolean') return !value;
      if (symbol === '-' && typeof value === 'number') return 0 - value;
      return value === undefined
        ? undefined
        : wrong(evaluation, `no such overload: ${symbol}${kindOf(value)}${symbol === '!' ? describeTruth(kindOf(value)) : ''}`);
    },
  };
}

function compileBinary(symbol: string, left: Compiled, right: Compiled): Compiled {
  const operator = binaryOperators.get(symbol);
  const kind = operator === undefined ? undefined : inferKind(operator, left.kind, right.kind);
  if (operator === undefined || kind === undefined) throw new SyntaxError(describeOverload(symbol, left.kind, right.kind));
  return { kind, run: addFastPath(symbol, left.run, right.run, operator.run) };
}

type RunBinary = (evaluation: Evaluation, left: Value, right: Value) => Value | undefined;

/** The closure of an operator; the most frequent operators compare numbers inline, without a further call. */
function addFastPath(symbol: string, left: Run, right: Run, run: RunBinary): Run {
  switch (symbol) {
    case '>':
      return (evaluation) => {
        const first = left(evaluation);
        const second = first === undefined ? undefined : right(evaluation);
        if (first === undefined || second === undefined) return undefined;
        return typeof first === 'number' && typeof second === 'number' ? first > second : run(evaluation, first, second);
      };
    case '<':
      return (evaluation) => {
        const first = left(evaluation);
        const second = first === undefined ? undefined : right(evaluation);
        if (first === undefined || second === undefined) return undefined;
        return typeof first === 'number' && typeof second === 'number' ? first < second : run(evaluation, first, second);
      };
    case '==':
      return (evaluation) => {
        const first = left(evaluation);
        const second = first === undefined ? undefined : right(evaluation);
        if (first === undefined || second === undefined) return undefined;
        return typeof first === 'number' ? first === second : run(evaluation, first, second);
      };
    default:
      return (evaluation) => {
        const first = left(evaluation);
        const second = first === undefined ? undefined : right(evaluation);
        return first === undefined || second === undefined ? undefined : run(evaluation, first, second);
      };
  }
}

/** The methods of what `.?` and `[?]` return; `undefined` for any other method. */
function compileOptionalMethod(name: string, receiver: Compiled, args: readonly Compiled[]): Compiled | undefined {
  if (receiver.kind !== 'optional' && receiver.kind !== 'any') return undefined;
  const [other] = args;
  const isKnown =
    other === undefined ? name === 'hasValue' || name === 'value' : args.length === 1 && (name === 'or' || name === 'orValue');
  if (!isKnown) return undefined;
  return {
    kind: name === 'hasValue' ? 'bool' : name === 'or' ? 'optional' : 'any',
    run(evaluation) {
      const value = receiver.run(evaluation);
      if (value === undefined) return undefined;
      if (!(value instanceof Optional)) return wrong(evaluation, `no such overload: ${kindOf(value)}.${name}(); it follows ".?"`);
      if (name === 'hasValue') return value.value !== undefined;
      if (value.value !== undefined) return name === 'or' ? value : value.value;
      if (other === undefined) return wrong(evaluation, 'Optional value is not present');
      const instead = other.run(evaluation);
      if (instead === undefined || name === 'orValue' || instead instanceof Optional) return instead;
      return wrong(evaluation, `or() takes what ".?" gives, not ${kindOf(instead)}`);
    },
  };
}

const mayBe = (kind: StaticKind, wanted: StaticKind): boolean => kind === 'any' || kind === wanted;
