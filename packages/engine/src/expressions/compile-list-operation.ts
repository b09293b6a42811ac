import { limits } from '../contract/limits.ts';
import { type Compiled, CompileError } from './compile-call.ts';
import { type Evaluation, operatorWork, type Run, shallowWork, spend, wrong } from './evaluation.ts';
import { isList, isObject, kindOf, type ListValue, type Value } from './value.ts';

/** The operation on each item. */
interface ForEachItem {
  readonly bodies: readonly Compiled[];
  /** How many operators and operands there are in the bodies. */
  readonly operators: number;
  /** Whether the list is taken from the variables unchanged: then its size is bounded. */
  readonly isOfVariable: boolean;
}

type Loop = (evaluation: Evaluation, items: ListValue, bodies: readonly Run[], itemWork: number) => Value | undefined;

/** `list.map(item, …)` and similar operations. An object is iterated by its keys. */
export function compileListOperation(name: string, receiver: Compiled, { bodies, operators, isOfVariable }: ForEachItem): Compiled {
  if (receiver.kind !== 'any' && receiver.kind !== 'list' && receiver.kind !== 'object')
    throw new CompileError(`no such overload: ${name}() goes through a list, not ${receiver.kind}`);
  const isMap = name === 'map';
  const conditions = isMap ? bodies.slice(0, -1) : bodies;
  const wrongKind = conditions.find(({ kind }) => kind !== 'any' && kind !== 'bool')?.kind;
  if (bodies.length === 0 || bodies.length > (isMap ? 2 : 1))
    throw new CompileError(`${name}() takes a name for its item, and what to do with it`);
  if (wrongKind !== undefined) throw new CompileError(`the condition of ${name}() must be bool, not ${wrongKind}`);
  const loop = loops[name];
  if (loop === undefined) throw new CompileError(`there is no function "${name}"`);
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

/** The value of a condition; `undefined` when it is no boolean. */
function test(evaluation: Evaluation, condition: Run | undefined, item: Value, work: number): boolean | undefined {
  spend(evaluation, work);
  evaluation.item = item;
  const value = condition?.(evaluation);
  if (typeof value === 'boolean' || value === undefined) return value;
  return wrong(evaluation, `the condition of a list operation must be bool, not ${kindOf(value)}`);
}

/** `all` and `exists`: an item that decides does so though others fail, as in CEL. */
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

const loops: { readonly [name: string]: Loop | undefined } = {
  all: quantifier(false),
  exists: quantifier(true),
  exists_one(evaluation, items, [condition], work) {
    let count = 0;
    for (const item of items) {
      const value = test(evaluation, condition, item, work);
      if (value === undefined) return undefined;
      if (value) count += 1;
    }
    return count === 1;
  },
  filter(evaluation, items, [condition], work) {
    const kept: Value[] = [];
    for (const item of items) {
      const value = test(evaluation, condition, item, work);
      if (value === undefined) return undefined;
      if (value) kept.push(item);
    }
    return kept;
  },
  map(evaluation, items, bodies, work) {
    const body = bodies.at(-1);
    const condition = bodies.length > 1 ? bodies[0] : undefined;
    const made: Value[] = [];
    for (const item of items) {
      const isChosen = condition === undefined || test(evaluation, condition, item, work);
      if (isChosen === undefined) return undefined;
      if (!isChosen) continue;
      spend(evaluation, work);
      evaluation.item = item;
      const value = body?.(evaluation);
      if (value === undefined) return undefined;
      spend(evaluation, shallowWork(value)); // what comes next meets it again
      made.push(value);
    }
    return made;
  },
};
