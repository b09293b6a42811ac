import { Environment, Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { RE2JS } from 're2js';
import type { Json, JsonObject } from '../src/contract/json.ts';
import { scopePrefix, translateToCel } from '../src/expressions/parse.ts';

/** What an expression came to: a value, or how it failed. */
export type Outcome = { readonly value: Json } | { readonly failure: 'missing' | 'wrong' };

/** Evaluates an expression by CEL's own library: what the closures are compared with, and never part of what runs. */
export function evaluateByLibrary(source: string, root: JsonObject): Outcome {
  const context = Object.fromEntries(Object.entries(root).map(([scope, value]) => [scopePrefix + scope.slice(1), value]));
  try {
    return { value: jsonOf(environment().parse(translateToCel(source))(context)) };
  } catch (error) {
    return { failure: isMissing(error) ? 'missing' : 'wrong' };
  }
}

let shared: Environment | undefined;
const environment = (): Environment => (shared ??= createEnvironment());

function createEnvironment(): Environment {
  const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  environment.registerOperator('double % double', (a: number, b: number) => a % b);
  // What the language has besides CEL: a number beside a text becomes one.
  environment.registerOperator('string + double: string', (a: string, b: number) => a + String(b));
  environment.registerOperator('double + string: string', (a: number, b: string) => String(a) + b);
  environment.registerFunction('string.like(string): bool', (text: string, pattern: string) => RE2JS.compile(pattern).matcher(text).find());
  environment.registerFunction('coalesce(ast, ast): dyn', macro('dyn', coalesce));
  environment.registerFunction('isThere(ast): bool', macro('bool', isThere));
  return environment;
}

/** Failures that mean "not there" rather than "wrong". */
const missing: ReadonlySet<unknown> = new Set(['no_such_key', 'unknown_variable', 'index_out_of_bounds', 'invalid_index']);

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && missing.has(error.code);

/** The parts of the library that a macro meets; its own types leave them open. */
interface MacroCall {
  readonly args: readonly unknown[];
}
interface Evaluator {
  run(ast: unknown, context: unknown): unknown;
}
interface Checker {
  check(ast: unknown, context: unknown): unknown;
  getType(name: string): unknown;
}
type Evaluate = (run: (index: number) => unknown) => unknown;

const macro =
  (type: string, evaluate: Evaluate) =>
  ({ args }: MacroCall) => ({
    args,
    async: false,
    typeCheck(checker: Checker, call: MacroCall, context: unknown) {
      for (const arg of call.args) checker.check(arg, context);
      return checker.getType(type);
    },
    evaluate: (evaluator: Evaluator, call: MacroCall, context: unknown) => evaluate((index) => evaluator.run(call.args[index], context)),
  });

const present = (value: unknown): unknown => (value instanceof Optional ? value.orValue(undefined) : value);

const coalesce: Evaluate = (run) => {
  try {
    const left = present(run(0));
    if (left !== null && left !== undefined) return left;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return run(1);
};

const isThere: Evaluate = (run) => {
  try {
    return present(run(0)) !== undefined;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return false;
  }
};

function jsonOf(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError('the result is not a finite number');
      return value + 0; // JSON has no -0
    default:
      return value === null || value === undefined ? null : jsonOfObject(value);
  }
}

function jsonOfObject(value: object): Json {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Optional) return jsonOf(value.orValue(null));
  if (value instanceof UnsignedInt) return Number(value.valueOf());
  if (value instanceof Duration) return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) throw new TypeError('the result is no JSON value');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
}
