import { Environment, Optional } from '@marcbachmann/cel-js';
import { createLike, type PatternWork } from './like.ts';

/**
 * The expression language: CEL with `left ?? right` and a linear-time `like` (DEPENDENCIES "Expressions").
 * Numbers of JSON are doubles and `1` is an int, so arithmetic between the two is added.
 *
 * @param work - what `like` may do in the evaluation that is under way
 */
export function createEnvironment(work: PatternWork): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 16 },
  });
  for (const [left, right] of [
    ['double', 'int'],
    ['int', 'double'],
  ] as const) {
    environment.registerOperator(`${left} + ${right}`, (a: number | bigint, b: number | bigint) => Number(a) + Number(b));
    environment.registerOperator(`${left} - ${right}`, (a: number | bigint, b: number | bigint) => Number(a) - Number(b));
    environment.registerOperator(`${left} * ${right}`, (a: number | bigint, b: number | bigint) => Number(a) * Number(b));
    environment.registerOperator(`${left} / ${right}`, (a: number | bigint, b: number | bigint) => Number(a) / Number(b));
    environment.registerOperator(`${left} % ${right}`, (a: number | bigint, b: number | bigint) => Number(a) % Number(b));
  }
  environment.registerOperator('double % double', (a: number, b: number) => a % b);
  const like = createLike(work);
  environment.registerFunction('like(string, string): bool', like);
  environment.registerFunction('string.like(string): bool', like);
  environment.registerFunction('coalesce(ast, ast): dyn', coalesce);
  environment.registerFunction('isThere(ast): bool', isThere);
  return environment;
}

/** Failures that mean "not there" rather than "wrong". */
const missing: ReadonlySet<unknown> = new Set(['no_such_key', 'unknown_variable', 'index_out_of_bounds', 'invalid_index']);

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && missing.has(error.code);

/** The parts of cel-js that a macro meets; its own types leave them open. */
interface MacroNode {
  readonly args: readonly unknown[];
}
interface Evaluator {
  run(ast: unknown, context: unknown): unknown;
}
interface Checker {
  check(ast: unknown, context: unknown): unknown;
  getType(name: string): unknown;
}

/** A type check of the arguments, whatever they are, for a macro that gives a value of this type. */
const typeChecked = (type: string) => (checker: Checker, macro: MacroNode, context: unknown) => {
  for (const arg of macro.args) checker.check(arg, context);
  return checker.getType(type);
};

/** What `.?` and `[?]` found, as though it had been read without them. */
const present = (value: unknown): unknown => (value instanceof Optional ? value.orValue(undefined) : value);

/** `left ?? right`: the right side is looked at only when the left is missing or null. */
const coalesce = ({ args }: MacroNode) => ({
  args,
  async: false,
  typeCheck: typeChecked('dyn'),
  evaluate(evaluator: Evaluator, macro: MacroNode, context: unknown) {
    try {
      const left = present(evaluator.run(macro.args[0], context));
      if (left !== null && left !== undefined) return left;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return evaluator.run(macro.args[1], context);
  },
});

/** `has(place)`: whether a value is there, be it null. CEL's own fails where a step before the last is missing. */
const isThere = ({ args }: MacroNode) => ({
  args,
  async: false,
  typeCheck: typeChecked('bool'),
  evaluate(evaluator: Evaluator, macro: MacroNode, context: unknown) {
    try {
      return present(evaluator.run(macro.args[0], context)) !== undefined;
    } catch (error) {
      if (!isMissing(error)) throw error;
      return false;
    }
  },
});
