import type { Environment } from '@marcbachmann/cel-js';
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Variables } from '../contract/variables.ts';
import { formatPath, forbiddenNames, type Path } from '../variables/path.ts';
import { expressionWork, lookingWork } from './expression-work.ts';
import { createEnvironment } from './environment.ts';
import type { PatternWork, WrittenPatterns } from './like.ts';
import { inspect, pathOf, type VariableRead } from './reads.ts';
import { scopePrefix, toCel } from './source.ts';
import { toJson } from './to-json.ts';

/** An expression, parsed once, evaluated at each visit. */
export interface Expression {
  /** @throws {HiloError} `EXPRESSION` when a path is missing, types do not fit or the language refuses */
  (variables: Variables): Json;
  readonly source: string;
  readonly reads: readonly VariableRead[];
}

/** Of the evaluation that is under way: there is never more than one. */
const patternWork: PatternWork = { left: 0, written: new Map() };
let shared: Environment | undefined;
/** The language is the same for everyone and keeps no state between expressions, so one is made, when first needed. */
const environment = (): Environment => (shared ??= createEnvironment(patternWork));

/**
 * Parses the inside of `{{ … }}`.
 *
 * @throws {HiloError} `EXPRESSION` when it cannot be parsed or uses what is refused
 */
export function compileExpression(source: string): Expression {
  const fail = (reason: string, cause?: unknown): never => {
    throw new HiloError('EXPRESSION', { source: source.trim(), reason }, { cause });
  };
  if (source.trim() === '') fail('it is empty');
  const simple = simplePath(source.trim());
  if (simple !== undefined) return pathExpression(source, simple, fail);

  let run: ReturnType<Environment['parse']>;
  try {
    run = environment().parse(toCel(source.trim()));
  } catch (error) {
    return fail(firstLine(error), error);
  }
  const { reads, isHeavy, patterns, refusals } = inspect(run.ast);
  if (refusals.length > 0) fail(refusals.join('; '));
  // What does not fit whatever the variables hold, such as a function that does not exist, is known now.
  const { valid, error } = run.check();
  if (!valid) fail(firstLine(error), error);
  const chain = pathOf(run.ast);
  if (chain !== undefined && !chain.isOptional) {
    const scopePath = reads[0]?.path;
    if (scopePath !== undefined) return pathExpression(source, scopePath, fail);
  }
  const written: WrittenPatterns = new Map(patterns.map((pattern) => [pattern, undefined]));
  const likes = /\blike\b/.test(source);
  const scopes = [...new Set(reads.map(({ path }) => String(path[0])))];

  const evaluate = (variables: Variables): Json => {
    const context: Record<string, Json> = {};
    for (const scope of scopes) {
      const value = variables.get([scope]);
      if (value !== undefined) context[scopePrefix + scope.slice(1)] = value;
    }
    if (reads.length > fewReads && lookingWork(reads.map(({ path }) => variables.get(path))) > limits.expressionData) fail(tooMuchData);
    if (isHeavy) {
      refuseLongLists(reads, variables, fail);
      const work = expressionWork(run.ast, variables);
      if (!(work <= limits.expressionWork)) fail(tooMuchData);
      if (variables.spend?.(work) === false) fail(tooMuchInAll);
    }
    if (likes && variables.spend?.(0) === false) fail(tooMuchInAll);
    Object.assign(patternWork, { left: limits.likeWork, written });
    try {
      return toJson(run(context));
    } catch (error) {
      return fail(firstLine(error), error);
    } finally {
      const liked = limits.likeWork - patternWork.left;
      if (liked > 0) variables.spend?.(liked * likeCost);
    }
  };
  // What reads nothing is known now, and so is that it fails. What may be more than a little work is left for later.
  if (reads.length === 0 && !isHeavy && !likes) evaluate(nothing);
  return Object.assign(evaluate, { source, reads });
}

const nothing: Variables = { get: () => undefined };

/** So many values are never too much. */
const fewReads = 10;
/** What a step of `like` costs, beside a character that is looked at. */
const likeCost = 5;
export const tooMuchInAll = 'all expressions since the last wait together have too much to do; wait in between, or use a code node';
const tooMuchData = 'it looks at too much data; make the lists or the texts shorter, or use a code node';

type Fail = (reason: string, cause?: unknown) => never;

/** A plain path needs no evaluator: it is read by the one `getPath`. */
function pathExpression(source: string, path: Path, fail: Fail): Expression {
  const read = (variables: Variables): Json => variables.get(path) ?? nullOrMissing(variables.get(path), path, fail);
  return Object.assign(read, { source, reads: [{ path, isOptional: false }] });
}

const nullOrMissing = (value: Json | undefined, path: Path, fail: Fail): Json =>
  value === undefined ? fail(`${formatPath(path)} is missing; give a default with "??" if it may be`) : value;

const simplePattern =
  /^\$(?:webhook|context|memory|user|message|messages|input|output|item|error|bot|company)(?:\.[A-Za-z_]\w*|\[\d{1,9}\])*$/;

/** The steps of an expression that is nothing but a path. */
function simplePath(source: string): Path | undefined {
  if (!simplePattern.test(source)) return undefined;
  const path = (source.match(/\$?\w+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return path.some((step) => forbiddenNames.has(String(step))) ? undefined : path;
}

function refuseLongLists(reads: readonly VariableRead[], variables: Variables, fail: Fail): void {
  for (const { path } of reads) {
    const value = variables.get(path);
    if (Array.isArray(value) && value.length > limits.comprehensionItems)
      fail(`${formatPath(path)} has ${value.length} items; list operations take at most ${limits.comprehensionItems}`);
  }
}

/** CEL's messages draw the source below the first line; the first line says it. Scopes get their `$` back, and `has` its name. */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.replaceAll(scopePrefix, '$').replaceAll('isThere', 'has') ??
  '';
