import { type Evaluation, failedInItem, operatorWork, type Run, shallowWork, spend, wrong } from './evaluation.ts';
import { fitValue, type LanguageFunction, getParameter, type StaticKind, takesKinds } from './functions/define.ts';
import { functionByName, describeUnknown } from './functions/index.ts';
import { compilePattern, like, type Pattern } from './like.ts';
import { parseTimestamp } from './time.ts';
import { isList, isObject, kindOf, type ListValue, type Value } from './value.ts';
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
 */
export function compileCall(name: string, args: readonly Compiled[], literals: readonly (string | undefined)[]): Compiled {
  const definition = functionByName.get(name);
  if (definition === undefined) throw new SyntaxError(describeUnknown(name));
  const kinds = args.map(({ kind }) => kind);
  if (!takesKinds(definition, kinds)) throw new SyntaxError(`${noOverload(name, kinds)}; it takes ${definition.form}`);
  const refusal = refuseTimestamps(definition, literals) ?? definition.refuses?.(literals);
  if (refusal !== undefined) throw new SyntaxError(refusal);
  const kind = definition.gives;
  const [, literal] = literals;
  if (name === 'like' && literal !== undefined && args[0] !== undefined) return compileLike(args[0], literal);
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
                `${name}() of a list in which a number is missing: ${evaluation.reason.replace('; give a default with "??" if it may be', '')}; give that number its default with "??"`,
              )
            : undefined;
        values.push(value);
      }
      values.reverse();
      for (const [index, parameter] of parameters.entries()) {
        const value = values[index];
        const fitting = value === undefined ? undefined : fitValue(evaluation, parameter, value);
        if (fitting === undefined) return wrong(evaluation, `${noOverload(name, values.map(kindOf))}; it takes ${definition.form}`);
        values[index] = fitting;
      }
      return definition.call(evaluation, values);
    },
  };
}

/** Functions that make one number of a list: of a list with a missing number `??` would make a default in silence. */
const numberReducers: ReadonlySet<string> = new Set(['sum', 'min', 'max']);

/** Refuses a literal text for a timestamp parameter when it is no timestamp: the expression would always fail. */
function refuseTimestamps(definition: LanguageFunction, literals: readonly (string | undefined)[]): string | undefined {
  const wrongOne = literals.find((literal, index) => {
    const kinds = getParameter(definition, index)?.kinds;
    return literal !== undefined && kinds?.has('timestamp') === true && !kinds.has('text') && parseTimestamp(literal) === undefined;
  });
  if (wrongOne === undefined) return undefined;
  return `${definition.name}() takes an instant in ISO 8601 with a zone, such as 2026-12-01T15:00:00Z, not "${wrongOne.slice(0, 40)}"`;
}

/** `like` with a literal pattern, which is compiled once, at first use, since that may take 20 ms. */
function compileLike(text: Compiled, literal: string): Compiled {
  let pattern: Pattern | string | undefined;
  return {
    kind: 'bool',
    run(evaluation) {
      const value = text.run(evaluation);
      if (value === undefined) return undefined;
      if (typeof value !== 'string') return wrong(evaluation, noOverload('like', [kindOf(value), 'text']));
      pattern ??= compilePattern(literal);
      return typeof pattern === 'string' ? wrong(evaluation, pattern) : like(evaluation, value, pattern);
    },
  };
}

const noOverload = (name: string, kinds: readonly StaticKind[]): string => `no such overload: ${name}(${kinds.join(', ')})`;

/** The body of a list operation. */
interface ForEachItem {
  /** The parts that are evaluated for each item: a condition, or for `map` a value with a condition before it or not. */
  readonly bodies: readonly Compiled[];
  /** The number of operators and operands in the bodies. */
  readonly operators: number;
  /** Whether the list comes from the variables unchanged: then it is bounded by {@link limits}. */
  readonly isOfVariable: boolean;
}

type Loop = (evaluation: Evaluation, items: ListValue, bodies: readonly Run[], itemWork: number) => Value | undefined;

/** `list.map(item, …)` and similar operations. An object is iterated by its keys. */
export function compileListOperation(name: string, receiver: Compiled, { bodies, operators, isOfVariable }: ForEachItem): Compiled {
  if (receiver.kind !== 'any' && receiver.kind !== 'list' && receiver.kind !== 'object')
    throw new SyntaxError(`no such overload: ${name}() goes through a list, not ${receiver.kind}`);
  const isMap = name === 'map';
  const conditions = isMap ? bodies.slice(0, -1) : bodies;
  const wrongKind = conditions.find(({ kind }) => kind !== 'any' && kind !== 'bool')?.kind;
  if (bodies.length === 0 || bodies.length > (isMap ? 2 : 1))
    throw new SyntaxError(`${name}() takes a name for its item, and what to do with it`);
  if (wrongKind !== undefined) throw new SyntaxError(`the condition of ${name}() must be bool, not ${wrongKind}`);
  const loop = loops[name];
  if (loop === undefined) throw new SyntaxError(`there is no function "${name}"`);
  const runs = bodies.map(({ run }) => run);
  const work = operators * operatorWork;
  return {
    kind: name === 'map' || name === 'filter' ? 'list' : 'bool',
    run(evaluation) {
      const value = receiver.run(evaluation);
      if (value === undefined) return undefined;
      const items = isList(value) ? value : isObject(value) ? Object.keys(value) : undefined;
      if (items === undefined) return wrong(evaluation, `no such overload: ${name}() goes through a list, not ${kindOf(value)}`);
      if (isOfVariable && items.length > limits.comprehensionItems)
        return wrong(evaluation, `list operations take at most ${limits.comprehensionItems} items, and this list has ${items.length}`);
      spend(evaluation, items.length);
      const result = loop(evaluation, items, runs, work);
      evaluation.item = null;
      return result;
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
    let failure: { readonly reason: string; readonly isMissing: boolean } | undefined;
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
  filter,
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
