// Compiles calls of functions and list operations to closures.
import { entryWork, type Evaluation, failedInItem, operatorWork, type Reason, type Run, shallowWork, spend, wrong } from './evaluation.ts';
import { explainFailure } from './explain-missing.ts';
import { fitValue, type LanguageFunction, getParameter, type StaticKind, takesKinds } from './functions/define.ts';
import { describeUnknown, functionByName, showListOperation } from './functions/index.ts';
import { sortByKeys } from './functions/lists.ts';
import { compilePattern, like, type Pattern } from './like.ts';
import { describeCall } from './remedies.ts';
import { parseTimestamp } from './time.ts';
import { isList, isObject, kindOf, type ListValue, Optional, type Value } from './value.ts';
import { limits } from '../contract/limits.ts';

/** A compiled part of an expression: its closure, and the kind of its value as far as it is known. */
export interface Compiled {
  readonly run: Run;
  readonly kind: StaticKind;
}

/**
 * Compiles a call of a function; the receiver of a method call is its first argument.
 *
 * @param literals - the texts of arguments that are literal texts, `undefined` for the others
 * @param alternatives - the texts that each argument may be, as in `x ? "a" : "b"`
 */
export function compileCall(
  name: string,
  args: readonly Compiled[],
  literals: readonly (string | undefined)[],
  alternatives: readonly (readonly string[])[] = [],
): Compiled {
  const definition = functionByName.get(name);
  if (definition === undefined) throw new SyntaxError(describeUnknown(name));
  const kinds = args.map(({ kind }) => kind);
  if (!takesKinds(definition, kinds)) throw new SyntaxError(describeCall(definition, kinds));
  const refusal =
    refuseTimestamps(definition, literals) ?? definition.refuses?.(literals) ?? refuseAlternatives(definition, literals, alternatives);
  if (refusal !== undefined) throw new SyntaxError(refusal);
  const kind = definition.gives;
  const [, literal] = literals;
  if ((name === 'like' || name === 'matches') && literal !== undefined && args[0] !== undefined)
    return compileLike(definition, args[0], literal);
  // Evaluated from the last to the first, as in CEL's library: when two fail, `??` sees the failure of the last.
  const fromLast = args.map(({ run }) => run).reverse();
  const parameters = args.map((_, index) => getParameter(definition, index));
  const reducesList = numberReducers.has(name);
  return {
    kind,
    run(evaluation) {
      const values: Value[] = [];
      for (const run of fromLast) {
        const value = run(evaluation);
        if (value === undefined)
          return reducesList && evaluation.isMissing && evaluation.isInItem
            ? wrong(
                evaluation,
                `${name}() of a list in which a number is missing: ${explainFailure(evaluation).replace('; give a default with "??" if it may be', '')}; give that number its default with "??"`,
              )
            : undefined;
        values.push(value);
      }
      values.reverse();
      for (const [index, parameter] of parameters.entries()) {
        const value = values[index];
        const fitting = value === undefined ? undefined : fitValue(evaluation, parameter, value);
        if (fitting === undefined) return wrong(evaluation, describeCall(definition, values.map(kindOf)));
        values[index] = fitting;
      }
      return definition.call(evaluation, values);
    },
  };
}

/** Functions that make one number of a list: of a list with a missing number `??` would make a default in silence. */
const numberReducers: ReadonlySet<string> = new Set(['sum', 'min', 'max']);

/** Refuses a literal that an argument may be: where it is chosen, the call fails. */
const refuseAlternatives = (
  definition: LanguageFunction,
  literals: readonly (string | undefined)[],
  alternatives: readonly (readonly string[])[],
): string | undefined =>
  alternatives
    .flatMap((texts, index) => texts.map((text) => definition.refuses?.(literals.with(index, text))))
    .find((refusal) => refusal !== undefined);

/** Refuses a literal text for a timestamp parameter when it is no timestamp: the expression would always fail. */
function refuseTimestamps(definition: LanguageFunction, literals: readonly (string | undefined)[]): string | undefined {
  const wrongOne = literals.find((literal, index) => {
    const kinds = getParameter(definition, index)?.kinds;
    return literal !== undefined && kinds?.has('timestamp') === true && !kinds.has('text') && parseTimestamp(literal) === undefined;
  });
  if (wrongOne === undefined) return undefined;
  const remedy = /^\d{4}-\d\d-\d\d$/.test(wrongOne) ? `: a day becomes one by instant("${wrongOne}", "00:00")` : '';
  return `${definition.name}() takes an instant in ISO 8601 with a zone, such as 2026-12-01T15:00:00Z, not "${wrongOne.slice(0, 40)}"${remedy}`;
}

/** `like` with a literal pattern, which is compiled once, at first use, since that may take 20 ms. */
function compileLike(definition: LanguageFunction, text: Compiled, literal: string): Compiled {
  let pattern: Pattern | string | undefined;
  return {
    kind: 'bool',
    run(evaluation) {
      const value = text.run(evaluation);
      if (value === undefined) return undefined;
      if (typeof value !== 'string') return wrong(evaluation, describeCall(definition, [kindOf(value), 'text']));
      pattern ??= compilePattern(literal);
      return typeof pattern === 'string' ? wrong(evaluation, pattern) : like(evaluation, value, pattern);
    },
  };
}

/** The body of a list operation. */
interface ForEachItem {
  /** The parts that are evaluated for each item: a condition, or for `map` a value with a condition before it or not. */
  readonly bodies: readonly Compiled[];
  /** The number of operators and operands in the bodies. */
  readonly operators: number;
  /** Whether each item is a pair: the position or key, and the value. */
  readonly hasKeys: boolean;
  /** Whether the list comes from the variables unchanged: then it is bounded by {@link limits}. */
  readonly isOfVariable: boolean;
}

type Loop = (evaluation: Evaluation, items: ListValue, bodies: readonly Run[], itemWork: number) => Value | undefined;

/** `list.map(item, …)` and similar operations. An object is iterated by its keys. */
export function compileListOperation(
  name: string,
  receiver: Compiled,
  { bodies, operators, isOfVariable, hasKeys }: ForEachItem,
): Compiled {
  if (name === 'optMap' || name === 'optFlatMap') return compileOptionalMap(name, receiver, bodies);
  if (receiver.kind !== 'any' && receiver.kind !== 'list' && receiver.kind !== 'object')
    throw new SyntaxError(`no such overload: ${name}() goes through a list, not ${receiver.kind}`);
  const isMap = transforming.has(name);
  const isSort = name === 'sortBy';
  const conditions = isMap ? bodies.slice(0, -1) : isSort ? [] : bodies;
  const wrongKind = conditions.find(({ kind }) => kind !== 'any' && kind !== 'bool')?.kind;
  if (bodies.length === 0 || bodies.length > (isMap ? 2 : 1))
    throw new SyntaxError(`${name}() takes a name for its item, and what to do with it, as in ${showListOperation(name)}`);
  if (wrongKind !== undefined) throw new SyntaxError(`the condition of ${name}() must be bool, not ${wrongKind}`);
  const loop = loops[name];
  if (loop === undefined) throw new SyntaxError(`there is no function "${name}"`);
  const runs = bodies.map(({ run }) => run);
  const work = operators * operatorWork;
  return {
    kind: name === 'transformMap' ? 'object' : isMap || isSort || name === 'filter' ? 'list' : 'bool',
    run(evaluation) {
      const value = receiver.run(evaluation);
      if (value === undefined) return undefined;
      const items = hasKeys ? listPairs(value) : isList(value) ? value : isObject(value) ? Object.keys(value) : undefined;
      if (items === undefined) return wrong(evaluation, `no such overload: ${name}() goes through a list, not ${kindOf(value)}`);
      if (isOfVariable && items.length > limits.comprehensionItems)
        return wrong(evaluation, `list operations take at most ${limits.comprehensionItems} items, and this list has ${items.length}`);
      spend(evaluation, hasKeys ? items.length * entryWork : items.length);
      const result = loop(evaluation, items, runs, work);
      evaluation.item = null;
      return result;
    },
  };
}

/** Operations that give another value for each item, with a condition before it or not. */
const transforming: ReadonlySet<string> = new Set(['map', 'transformList', 'transformMap']);

/** The positions of a list, or the keys of an object, with their values. */
function listPairs(value: Value): ListValue | undefined {
  if (isList(value)) return value.map((item, index) => [index, item]);
  return isObject(value) ? Object.entries(value) : undefined;
}

/** `optional.optMap(x, …)`: an expression of the value, where there is one; `optFlatMap` of one that gives an optional itself. */
function compileOptionalMap(name: string, receiver: Compiled, [body, ...more]: readonly Compiled[]): Compiled {
  if (receiver.kind !== 'any' && receiver.kind !== 'optional')
    throw new SyntaxError(`no such overload: ${name}() takes what ".?" gives, not ${receiver.kind}`);
  if (body === undefined || more.length > 0) throw new SyntaxError(`${name}() takes a name for the value, and what to do with it`);
  return {
    kind: 'optional',
    run(evaluation) {
      const value = receiver.run(evaluation);
      if (value === undefined) return undefined;
      if (!(value instanceof Optional)) return wrong(evaluation, `no such overload: ${name}() takes what ".?" gives, not ${kindOf(value)}`);
      if (value.value === undefined) return value;
      const outer = evaluation.item;
      evaluation.item = value.value;
      const result = body.run(evaluation);
      evaluation.item = outer;
      if (result === undefined || name === 'optMap') return result === undefined ? undefined : new Optional(result);
      return result instanceof Optional ? result : wrong(evaluation, `optFlatMap() takes an optional, not ${kindOf(result)}`);
    },
  };
}

/** Evaluates a condition for an item; `undefined` when it fails or is no boolean. */
function test(evaluation: Evaluation, condition: Run | undefined, item: Value, work: number): boolean | undefined {
  spend(evaluation, work);
  evaluation.item = item;
  const value = condition?.(evaluation);
  if (typeof value === 'boolean' || value === undefined) return value;
  return wrong(evaluation, `the condition of a list operation must be bool, not ${kindOf(value)}`);
}

/** `all` and `exists`: an item that decides the result does so even when others fail, as in CEL. */
const quantifier =
  (deciding: boolean): Loop =>
  (evaluation, items, [condition], work) => {
    let failure: { readonly reason: Reason; readonly isMissing: boolean } | undefined;
    for (const item of items) {
      const value = test(evaluation, condition, item, work);
      if (value === deciding) return deciding;
      if (value === undefined) failure ??= { reason: evaluation.reason, isMissing: evaluation.isMissing };
    }
    if (failure === undefined) return !deciding;
    Object.assign(evaluation, failure);
    return undefined;
  };

function filter(evaluation: Evaluation, items: ListValue, [condition]: readonly Run[], work: number): ListValue | undefined {
  const kept: Value[] = [];
  for (const item of items) {
    const value = test(evaluation, condition, item, work);
    if (value === undefined) return failedInItem(evaluation);
    if (value) kept.push(item);
  }
  return kept;
}

const loops: { readonly [name: string]: Loop | undefined } = {
  all: quantifier(false),
  exists: quantifier(true),
  exists_one(evaluation, items, bodies, work) {
    const kept = filter(evaluation, items, bodies, work);
    return kept === undefined ? undefined : kept.length === 1;
  },
  existsOne: (evaluation, items, bodies, work) => loops['exists_one']?.(evaluation, items, bodies, work),
  filter,
  sortBy(evaluation, items, bodies, work) {
    const keys = loops['map']?.(evaluation, items, bodies, work);
    return isList(keys) ? sortByKeys(evaluation, items, keys, 'sortBy') : undefined;
  },
  transformList: (evaluation, items, bodies, work) => loops['map']?.(evaluation, items, bodies, work),
  transformMap(evaluation, items, bodies, work) {
    const entries: [string, Value][] = [];
    for (const item of items) {
      const made = loops['map']?.(evaluation, [item], bodies, work);
      if (made === undefined) return undefined;
      const [key, value] = [isList(item) ? item[0] : undefined, isList(made) ? made[0] : undefined];
      if (value !== undefined) entries.push([typeof key === 'string' ? key : String(Number(key)), value]);
    }
    return Object.fromEntries(entries);
  },
  map(evaluation, items, bodies, work) {
    const body = bodies.at(-1);
    const condition = bodies.length > 1 ? bodies[0] : undefined;
    const values: Value[] = [];
    for (const item of items) {
      const isChosen = condition === undefined || test(evaluation, condition, item, work);
      if (isChosen === undefined) return failedInItem(evaluation);
      if (!isChosen) continue;
      spend(evaluation, work);
      evaluation.item = item;
      const value = body?.(evaluation);
      if (value === undefined) return failedInItem(evaluation);
      spend(evaluation, shallowWork(value)); // the next operation reads it again
      values.push(value);
    }
    return values;
  },
};
