import { HiloError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Variables } from '../contract/variables.ts';
import type { Value } from './value.ts';

/**
 * One evaluation of one expression. A failing part returns `undefined` and stores its reason here; nothing is thrown, since `??`, `has`,
 * `&&`, `||`, `all` and `exists` often continue after a failure.
 */
export interface Evaluation {
  /** The expression, for its errors. */
  readonly source: string;
  readonly variables: Variables;
  /** The current item of the list operation; list operations are not nested. */
  item: Value;
  /** The work done so far, in characters or their equivalent (P20). */
  work: number;
  readonly mostWork: number;
  /** Why the last part that failed did so. */
  reason: string;
  /** Whether it failed because a place in the variables is missing: what `??` and `has` ask. */
  isMissing: boolean;
}

/** A part of an expression, compiled. Gives `undefined` when it fails, its reason in the evaluation. */
export type Run = (evaluation: Evaluation) => Value | undefined;

export const beginEvaluation = (source: string, variables: Variables, mostWork: number): Evaluation => ({
  source,
  variables,
  item: null,
  work: 0,
  mostWork,
  reason: '',
  isMissing: false,
});

/** Fails because a place is missing. */
export function missing(evaluation: Evaluation, reason: string): undefined {
  evaluation.reason = reason;
  evaluation.isMissing = true;
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
  if (!(evaluation.work <= evaluation.mostWork)) throw tooMuch(evaluation, tooMuchData);
}

/** The evaluation reached its work limit (P20): ended from inside its closures. */
const tooMuch = ({ source }: Evaluation, reason: string): HiloError => new HiloError('EXPRESSION', { source: source.trim(), reason });

export const tooMuchInAll = 'all expressions since the last wait together have too much to do; wait in between, or use a code node';
const tooMuchData = 'it looks at too much data; make the lists or the texts shorter, or use a code node';

/** The cost of each item that is read, with its overhead. */
export const itemWork = 5;
/** The same for an entry of an object, with its key. */
export const entryWork = 30;
/** What reading or writing one date costs. */
export const dateWork = 2_000;
/** The cost of each operator in the body of a list operation, per item. */
export const operatorWork = 4;

/** The bound of one expression. */
export const mostWork = limits.expressionWork;
/** The same for a text or a list that is read again for each item. */
export const shallowWork = (value: Value | undefined): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
