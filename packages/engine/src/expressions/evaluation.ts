import { HiloError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Variables } from '../contract/variables.ts';
import type { Path } from '../variables/path.ts';
import type { Value } from './value.ts';

/**
 * The state of one evaluation. A part that fails returns `undefined` and stores its reason here. Nothing is thrown, since `??`, `has`, `&&`,
 * `||`, `all` and `exists` continue after a failure.
 */
export interface Evaluation {
  /** The source of the expression, for errors. */
  readonly source: string;
  readonly variables: Variables;
  /** The current item of the list operation; list operations are not nested. */
  item: Value;
  /** The work done so far, in characters or their equivalent (P20). */
  work: number;
  /** The work at which the evaluation ends. */
  readonly maxWork: number;
  /** The keys of {@link spendOnce}. */
  counted: Set<string> | undefined;
  /** Why the last part that failed did. */
  reason: Reason;
  /** Whether it failed because of a missing value, which `??` and `has` handle. */
  isMissing: boolean;
  /** Whether that value was missing in an item of a list that was being made: a sum of such a list is wrong, and not missing. */
  isInItem: boolean;
}

/** What was missing: a path of the variables, or a part of a value. It is put into words only where nothing else is done about it. */
export type Absent = { readonly path: Path } | { readonly of: Value; readonly step: Value };
/** Why a part failed. */
export type Reason = string | Absent;

/** A compiled part of an expression. Returns `undefined` when it fails, with the reason in the evaluation. */
export type Run = (evaluation: Evaluation) => Value | undefined;

/** Creates the state of an evaluation. */
export const beginEvaluation = (source: string, variables: Variables, maxWork: number): Evaluation => ({
  source,
  variables,
  item: null,
  work: 0,
  maxWork,
  counted: undefined,
  reason: '',
  isMissing: false,
  isInItem: false,
});

/** Fails because a value is missing. */
export function missing(evaluation: Evaluation, reason: Reason): undefined {
  evaluation.reason = reason;
  evaluation.isMissing = true;
  evaluation.isInItem = false;
}

/** Fails as the last part did, which was an item of a list. */
export function failedInItem(evaluation: Evaluation): undefined {
  evaluation.isInItem = true;
}

/** Fails for any other reason. */
export function wrong(evaluation: Evaluation, reason: string): undefined {
  evaluation.reason = reason;
  evaluation.isMissing = false;
}

/**
 * Counts work before it is done: a character, an item of a list, or some 5 ns of anything else. Counted and not timed, so that
 * a replay ends where the first run did (P19).
 *
 * @throws {HiloError} `EXPRESSION` over the bound; nothing of the expression is evaluated after that
 */
export function spend(evaluation: Evaluation, work: number): void {
  if (evaluation.work === 0 && evaluation.variables.spend?.(0) === false) throw tooMuch(evaluation, tooMuchInAll);
  evaluation.work += work;
  if (!(evaluation.work <= evaluation.maxWork)) throw tooMuch(evaluation, tooMuchData);
}

/**
 * Counts the work of something that the process caches, once in an evaluation. Whether it was cached must not count: the expression would
 * be refused in one process and not in another (P19).
 */
export function spendOnce(evaluation: Evaluation, key: string, work: number): void {
  evaluation.counted ??= new Set();
  if (evaluation.counted.has(key)) return;
  evaluation.counted.add(key);
  spend(evaluation, work);
}

/** The error of an evaluation that reached its limit of work: thrown, so that no part of the expression continues (P20). */
const tooMuch = ({ source }: Evaluation, reason: string): HiloError => new HiloError('EXPRESSION', { source: source.trim(), reason });

/** The reason when the expressions of one advance exceed their common limit. */
export const tooMuchInAll = 'all expressions since the last wait together have too much to do; wait in between, or use a code node';
const tooMuchData = 'it looks at too much data; make the lists or the texts shorter, or use a code node';

/** The work of reading one item of a list. */
export const itemWork = 5;
/** The work of reading one entry of an object. */
export const entryWork = 30;
/** The work of parsing or formatting one date. */
export const dateWork = 2_000;
/** The work of each operator in the body of a list operation, for one item. */
export const operatorWork = 4;

/** The limit of work of one expression. */
export const maxWork = limits.expressionWork;
/** The work of reading a value without what lies inside its items: a text or list that is read again for each item. */
export const shallowWork = (value: Value | undefined): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
