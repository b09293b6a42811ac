import { isScopeName } from '../contract/variables.ts';
import { forbiddenNames, formatPath, type Path } from '../variables/path.ts';
import { compileCall, type Compiled, compileListOperation } from './compile-call.ts';
import { entryWork, type Evaluation, itemWork, missing, type Run, shallowWork, spend, wrong } from './evaluation.ts';
import type { StaticKind } from './functions/define.ts';
import { binaryOperators, inferKind, describeOverload } from './operators.ts';
import { type Node, scopePrefix } from './parse.ts';
import { listOperations } from './functions/index.ts';
import { listArguments, listChildren, readPath, type PathInTree } from './reads.ts';
import { kindOf, Optional, own, Timestamp, type Value } from './value.ts';

/** Where a part is in the expression. */
export interface Place {
  /** What a list operation around it calls its item. */
  readonly itemName?: string;
}

/**
 * Compiles a syntax tree to closures: each part becomes a function of the evaluation, which calls those of its own parts.
 *
 * @throws {SyntaxError} for an expression that fails with any variables
 */
export function compile(node: Node, place: Place = {}): Compiled {
  const path = readPath(node);
  if (path !== undefined) return compilePath(path, place);
  switch (node.op) {
    case 'value':
      return constant(readLiteral(node.args));
    case '.':
    case '.?':
      return compileStep(compile(node.args[0], place), constant(String(node.args[1])), node.op === '.?');
    case '[]':
    case '[?]':
      return compileStep(compile(node.args[0], place), compile(node.args[1], place), node.op === '[?]');
    case 'call':
    case 'rcall':
      return compileCalled(node, place);
    case 'list':
      return compileList(node.args.map((item) => compile(item, place)));
    case 'map':
      return compileObject(node.args.map(([key, value]) => [compile(key, place), compile(value, place)] as const));
    case '?:':
      return compileChoice(...compileOperands(node.args, place));
    case '&&':
    case '||':
      return compileLogic(node.op, ...compileOperands(node.args, place));
    case '!_':
    case '-_':
      return compileUnary(node.op === '!_' ? '!' : '-', compile(node.args, place));
    case 'id':
      throw new SyntaxError(`"${node.args}" is not a variable`); // every name is a path
    default:
      return compileBinary(node.op, ...compileOperands(node.args, place));
  }
}

const compileOperands = <Nodes extends readonly Node[]>(nodes: Nodes, place: Place) =>
  nodes.map((node) => compile(node, place)) as { [Index in keyof Nodes]: Compiled };

const constant = (value: Value): Compiled => ({ run: () => value, kind: kindOf(value) });

/** A literal. CEL distinguishes whole numbers from others, JSON does not; its unsigned ones are objects. */
export const readLiteral = (literal: unknown): string | number | boolean | null | Uint8Array =>
  typeof literal === 'string' || typeof literal === 'boolean' || literal === null || literal instanceof Uint8Array
    ? literal
    : Number(literal);

/** A place in the variables, or in the item of a list operation. */
function compilePath({ path: [root = '', ...steps], optionalFrom }: PathInTree, { itemName }: Place): Compiled {
  const name = String(root);
  if (name === itemName) return compileSteps({ run: ({ item }) => item, kind: 'any' }, steps, optionalFrom - 1);
  const scope = readScope(name);
  if (scope === '$now') return compileSteps({ run: now, kind: 'timestamp' }, steps, optionalFrom - 1);
  const all: Path = [scope, ...steps];
  // One read covers the steps before the first `.?`, and before a key that no path may have (T8) and data may.
  const forbidden = all.findIndex((step) => forbiddenNames.has(String(step)));
  const length = Math.min(optionalFrom, forbidden < 0 ? all.length : forbidden, all.length);
  const path = all.slice(0, length);
  const reason = describeMissing(path);
  const isRepeated = itemName !== undefined;
  const run: Run = (evaluation) => {
    const value: Value | undefined = evaluation.variables.get(path);
    if (value === undefined) return missing(evaluation, reason);
    if (isRepeated) spend(evaluation, shallowWork(value));
    return value;
  };
  return compileSteps({ run, kind: 'any' }, all.slice(length), optionalFrom - length);
}

const readScope = (name: string): string => `$${name.slice(scopePrefix.length)}`;

/** The place in the variables that a part names and that one look reads; `undefined` for any other part. */
export function findPlace(node: Node): Path | undefined {
  const { path: [root = '', ...steps] = [], optionalFrom = 0 } = readPath(node) ?? {};
  const path: Path = [readScope(String(root)), ...steps];
  return isScopeName(path[0]) &&
    path[0] !== '$now' &&
    optionalFrom >= path.length &&
    path.every((step) => !forbiddenNames.has(String(step)))
    ? path
    : undefined;
}

/** The error for a path that is missing. */
export const describeMissing = (path: Path): string => `${formatPath(path)} is missing; give a default with "??" if it may be`;

/** `$now`: the instant of the event that is being handled. */
function now(evaluation: Evaluation): Value | undefined {
  const { nowMs } = evaluation.variables;
  return nowMs === undefined ? missing(evaluation, 'there is no $now here') : new Timestamp(nowMs);
}

function compileSteps(base: Compiled, steps: Path, optionalFrom: number): Compiled {
  return steps.reduce<Compiled>((inner, step, index) => compileStep(inner, constant(step), index >= optionalFrom), base);
}

/** `base.key`, `base[key]`, and with a question mark what may be nothing. */
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
      return found === undefined ? missing(evaluation, `No such key: ${formatKey(step)}`) : found;
    },
  };
}

const getMember = (value: Value, key: Value): Value | undefined =>
  typeof key === 'string' || typeof key === 'number' ? own(value, key) : undefined;

const formatKey = (key: Value): string => (typeof key === 'string' || typeof key === 'number' ? String(key).slice(0, 60) : kindOf(key));

function compileCalled(node: Node & { readonly op: 'call' | 'rcall' }, place: Place): Compiled {
  const [name] = node.args;
  const args = listArguments(node);
  if (node.op === 'call') {
    if (name === 'isThere') return compileHas(args, place);
    if (name === 'coalesce' && args.length === 2) return compileDefault(...compileOperands([args[0], args[1]] as [Node, Node], place));
    return compileCall(
      name,
      args.map((arg) => compile(arg, place)),
      args.map(literalText),
    );
  }
  const receiver = compile(node.args[1], place);
  if (listOperations.has(name)) {
    const [item, ...bodies] = args;
    const itemName = item?.op === 'id' ? item.args : '';
    return compileListOperation(name, receiver, {
      bodies: bodies.map((body) => compile(body, { itemName })),
      operators: bodies.reduce((sum, body) => sum + countNodes(body), 1),
      isOfVariable: isPieceOfVariable(node.args[1]),
    });
  }
  const compiled = args.map((arg) => compile(arg, place));
  return (
    compileOptionalMethod(name, receiver, compiled) ?? compileCall(name, [receiver, ...compiled], [node.args[1], ...args].map(literalText))
  );
}

const literalText = (node: Node | undefined): string | undefined =>
  node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;

const countNodes = (node: Node): number => listChildren(node).reduce((sum, child) => sum + countNodes(child), 1);

/** Whether a part takes its value from the variables unchanged, and computes none. */
export const isPieceOfVariable = (node: Node): boolean =>
  readPath(node) !== undefined ||
  ((node.op === '[]' || node.op === '.') && isPieceOfVariable(node.args[0])) ||
  (node.op === 'call' && node.args[0] === 'coalesce' && node.args[1].every((arg) => isPieceOfVariable(arg) || arg.op === 'value'));

/** `has(place)`: whether a value is there, be it null. */
function compileHas(args: readonly Node[], place: Place): Compiled {
  const [arg] = args;
  if (arg === undefined || args.length > 1) throw new SyntaxError('has() takes one place, such as has($context.name)');
  const { run } = compile(arg, place);
  return {
    kind: 'bool',
    run(evaluation) {
      const value = run(evaluation);
      if (value === undefined) return evaluation.isMissing ? false : undefined;
      return !(value instanceof Optional) || value.value !== undefined;
    },
  };
}

/** `left ?? right`: the right side is looked at only when the left is missing or null. */
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
  const fromLast = items.map(({ run }) => run).reverse(); // as the arguments of calls
  return {
    kind: 'list',
    run(evaluation) {
      spend(evaluation, fromLast.length * itemWork);
      const list: Value[] = [];
      for (const run of fromLast) {
        const value = run(evaluation);
        if (value === undefined) return undefined;
        list.push(value);
      }
      return list.reverse();
    },
  };
}

function compileObject(entries: readonly (readonly [Compiled, Compiled])[]): Compiled {
  return {
    kind: 'object',
    run(evaluation) {
      spend(evaluation, entries.length * entryWork);
      const made: [string, Value][] = [];
      for (const [keyPart, valuePart] of entries) {
        const key = keyPart.run(evaluation);
        if (key === undefined) return undefined;
        if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean')
          return wrong(evaluation, `the key of an object is a text, not ${kindOf(key)}`);
        if (key === '__proto__') return wrong(evaluation, '"__proto__" cannot be a key');
        const value = valuePart.run(evaluation);
        if (value === undefined) return undefined;
        made.push([String(key), value]);
      }
      return Object.fromEntries(made); // defines its keys, including `__proto__`
    },
  };
}

function compileChoice(condition: Compiled, yes: Compiled, no: Compiled): Compiled {
  if (!mayBe(condition.kind, 'bool')) throw new SyntaxError(`the condition of "? :" must be bool, not ${condition.kind}`);
  return {
    kind: yes.kind === no.kind ? yes.kind : 'any',
    run(evaluation) {
      const chosen = condition.run(evaluation);
      if (chosen === true) return yes.run(evaluation);
      if (chosen === false) return no.run(evaluation);
      return chosen === undefined ? undefined : wrong(evaluation, `the condition of "? :" must be bool, not ${kindOf(chosen)}`);
    },
  };
}

/** `&&` and `||`: a side that decides does so though the other one fails, as in CEL. */
function compileLogic(symbol: '&&' | '||', left: Compiled, right: Compiled): Compiled {
  for (const { kind } of [left, right])
    if (!mayBe(kind, 'bool')) throw new SyntaxError(`"${symbol}" takes true and false on both sides, not ${kind}`);
  const deciding = symbol === '||';
  const truth = (evaluation: Evaluation, value: Value | undefined): boolean | undefined =>
    typeof value === 'boolean' || value === undefined
      ? value
      : wrong(evaluation, `"${symbol}" takes true and false on both sides, not ${kindOf(value)}`);
  return {
    kind: 'bool',
    run(evaluation) {
      const first = truth(evaluation, left.run(evaluation));
      if (first === deciding) return deciding;
      if (first === undefined) {
        const { reason, isMissing } = evaluation;
        const second = truth(evaluation, right.run(evaluation));
        if (second === undefined || second === deciding) return second; // of two that fail, the right one gives the reason, as in CEL's library
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
  if (!mayBe(operand.kind, kind)) throw new SyntaxError(`no such overload: ${symbol}${operand.kind}`);
  return {
    kind,
    run(evaluation) {
      const value = operand.run(evaluation);
      if (symbol === '!' && typeof value === 'boolean') return !value;
      if (symbol === '-' && typeof value === 'number') return 0 - value;
      return value === undefined ? undefined : wrong(evaluation, `no such overload: ${symbol}${kindOf(value)}`);
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

/** The closure of an operator; the most frequent ones handle numbers and short texts inline. */
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

/** What may be done with `.?` and `[?]`; `undefined` for any other method. */
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
