// An expression from its text to its value.
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Variables } from '../contract/variables.ts';
import { parsePath, type Path } from '../variables/path.ts';
import { compile, isPieceOfVariable, type KindOfVariable, readLiteral, refuseParts, findReadPath } from './compile.ts';
import { beginEvaluation, type Evaluation, maxWork, type Run, tooMuchInAll } from './evaluation.ts';
import { explainFailure, explainMissing } from './explain-missing.ts';
import type { StaticKind } from './functions/define.ts';
import { findMisread } from './misread.ts';
import { type Node, parse } from './parse.ts';
import { type Asked, type CallbackUse, findAsked, inspect, type Inspection, type PatternUse, type VariableRead } from './reads.ts';
import { toJson } from './to-json.ts';
import { isList, isObject, type Value } from './value.ts';

/** Something compiled once, with its canvas, and evaluated at each visit. */
export interface Evaluated<Value extends Json, Source extends Json> {
  /** @throws {HiloError} `EXPRESSION` when a path is missing, a kind does not fit, or a limit is exceeded */
  (variables: Variables): Value;
  readonly source: Source;
  readonly reads: readonly VariableRead[];
  readonly patterns: readonly PatternUse[];
  /** The addresses of waits that it gives; left out where there is none. */
  readonly callbacks?: readonly CallbackUse[];
  /** What one expression alone asks for; left out for nothing. */
  readonly asked?: Asked;
}

/** The compiled inside of `{{ … }}`. */
export type Expression = Evaluated<Json, string>;

/**
 * Parses the inside of `{{ … }}` and compiles it to a closure.
 *
 * @throws {HiloError} `EXPRESSION` when it is malformed, uses something forbidden, or fails whatever the variables are
 */
export const compileExpression = (source: string): Expression => compiledBefore?.get(source) ?? compileAnew(source);

/** Expressions by their source, which the work under way finds compiled: set while `withCompiled` runs alone. */
let compiledBefore: ReadonlyMap<string, Expression> | undefined;

/** Does something, in one go, with some expressions compiled before: compiling them is nearly all that reading large data takes. */
export function withCompiled<Result>(expressions: ReadonlyMap<string, Expression>, work: () => Result): Result {
  compiledBefore = expressions;
  try {
    return work();
  } finally {
    compiledBefore = undefined;
  }
}

function compileAnew(source: string): Expression {
  const fail: Fail = (reason, cause) => {
    throw new HiloError('EXPRESSION', { source: source.trim(), reason }, { cause });
  };
  if (source.trim() === '') fail('it is empty');
  const simple = parseSimplePath(source.trim());
  if (simple !== undefined) return compilePath(source, simple, fail);

  const { tree, run, reads, patterns, callbacks, isTimed } = compileTree(source.trim(), fail);
  const asked = reads.length === 0 ? undefined : findAsked(tree);
  const told = { source, reads, patterns, ...(asked && { asked }) };
  const lookup = compileLookup(tree);
  if (lookup !== undefined) return Object.assign(lookup, told);
  const isPiece = isPieceOfVariable(tree);

  const compute = (evaluation: Evaluation): Json => {
    const value = run(evaluation);
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    const json = value === undefined ? undefined : isPiece && isOfJson(value) ? value : toJson(evaluation, value);
    return json === undefined ? fail(explainFailure(evaluation)) : json;
  };
  const evaluate = (variables: Variables): Json => {
    const evaluation = beginEvaluation(source, variables, maxWork);
    try {
      return compute(evaluation);
    } finally {
      if (evaluation.work > 0 && variables.spend?.(evaluation.work) === false) fail(tooMuchInAll);
    }
  };
  if (callbacks.length > 0) return Object.assign(evaluate, { ...told, callbacks });
  if (reads.length > 0 || isTimed) return Object.assign(evaluate, told);
  // An expression without reads is evaluated now, so that its failure is reported now; unless it is costly.
  let isOfUser = false; // the months of a duration are counted in the zone of the user
  const evaluation = beginEvaluation(source, { get: () => void (isOfUser = true) }, littleWork);
  try {
    const value = compute(evaluation);
    return Object.assign(isOfUser ? evaluate : () => value, told);
  } catch (error) {
    if (evaluation.work <= littleWork && !isOfUser) throw error;
    return Object.assign(evaluate, told);
  }
}

/**
 * The kind of value that an expression gives where its variables are of these kinds, or why it fails with any such values.
 *
 * @param source - of an expression that compiles
 */
export function inferKind(source: string, kindOfVariable: KindOfVariable): Inferred {
  const path = parseSimplePath(source.trim());
  try {
    if (path === undefined) {
      const tree = parse(source.trim());
      return { kind: compile(tree, { kindOfVariable }).kind, misread: findMisread(tree, source) };
    }
    refuseParts(path, Number.POSITIVE_INFINITY, kindOfVariable);
    return { kind: kindOfVariable(path), misread: [] };
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: error.message };
    throw error;
  }
}

/** What can be told of an expression without its variables. */
export type Inferred =
  | {
      readonly kind: StaticKind;
      /** What in it is likely meant otherwise, in sentences. */
      readonly misread: readonly string[];
    }
  | { readonly reason: string };

type Fail = (reason: string, cause?: unknown) => never;

/** The work of some 0.5 ms. */
const littleWork = 100_000;

function compileTree(source: string, fail: Fail): Inspection & { readonly tree: Node; readonly run: Run } {
  try {
    const tree = parse(source);
    const inspection = inspect(tree);
    if (inspection.refusals.length > 0) fail(inspection.refusals.join('; '));
    return { ...inspection, tree, run: compile(tree).run };
  } catch (error) {
    if (error instanceof SyntaxError) return fail(error.message, error);
    throw error;
  }
}

/** Whether a value from the variables is JSON: lists and objects are, with all that is in them. */
const isOfJson = (value: Value): value is Value & Json => isList(value) || isObject(value);

/** A plain path needs no closures: it is one read of the variables. */
function compilePath(source: string, path: Path, fail: Fail): Expression {
  const read = (variables: Variables): Json => {
    const value = variables.get(path);
    return value === undefined ? fail(explainMissing(path, variables)) : value;
  };
  return Object.assign(read, { source, reads: [{ path, isOptional: false }], patterns: [] });
}

/** `path ?? literal` and `has(path)` are one read of the variables, which costs nothing and cannot fail. */
function compileLookup(tree: Node): ((variables: Variables) => Json) | undefined {
  if (tree.op !== 'call') return undefined;
  const [name, [target, otherwise, ...more]] = tree.args;
  const path = target === undefined ? undefined : findReadPath(target);
  if (path === undefined || more.length > 0) return undefined;
  if (name === 'isThere' && otherwise === undefined) return (variables) => variables.get(path) !== undefined;
  if (name !== 'coalesce' || otherwise?.op !== 'value') return undefined;
  const literal = readLiteral(otherwise.args);
  return literal instanceof Uint8Array ? undefined : (variables) => variables.get(path) ?? literal;
}

const simplePattern =
  /^\$(?:webhook|context|memory|user|message|messages|input|output|item|error|bot|company)(?:\.[A-Za-z_]\w*|\[\d{1,9}\])*$/;

/** The steps of an expression that is a plain path; `undefined` for any other. */
const parseSimplePath = (source: string): Path | undefined => (simplePattern.test(source) ? parsePath(source) : undefined);
