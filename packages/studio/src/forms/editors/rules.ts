/** A rule of a condition as a sentence, and back: what the editor of conditions can say. Anything else is left to the generated form. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

/** Comparisons with a value at their right, in the order of the list. */
export const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith', 'endsWith'] as const;
/** What is said of the left side alone. */
export const statements = ['exists', 'empty'] as const;
/** Rules that join others. */
export const joints = ['all', 'any'] as const;

const hasRight: ReadonlySet<Json | undefined> = new Set(comparisons);
const hasNoRight: ReadonlySet<Json | undefined> = new Set(statements);
const isJoint: ReadonlySet<Json | undefined> = new Set(joints);

/** Whether a rule compares two values, so that a value stands at its right. */
export const isComparison = (op: Json | undefined): boolean => hasRight.has(op);

/** Whether a rule joins others. */
export const joinsRules = (op: Json | undefined): boolean => isJoint.has(op);

const isScalar = (value: Json | undefined): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether a rule can be said as a sentence, so that writing it back loses nothing. */
export function isSentence(rule: Json | undefined, depth = 0): boolean {
  if (!isRecord(rule)) return false;
  const { op, left, right, rules, ...others } = rule;
  if (Object.keys(others).length > 0) return false;
  if (joinsRules(op)) return depth === 0 && left === undefined && right === undefined && isListOf(rules, (one) => isSentence(one, 1));
  if (rules !== undefined || typeof left !== 'string') return false;
  return isComparison(op) ? isScalar(right) : hasNoRight.has(op) && right === undefined;
}

const isListOf = (value: Json | undefined, holds: (item: Json) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(holds);

/** What a rule says is compared otherwise. Sides that both have stay. */
export function withComparison(rule: JsonObject, op: string): JsonObject {
  const left = rule['left'] ?? '';
  return isComparison(op) ? { op, left, right: rule['right'] ?? '' } : { op, left };
}

/** Joins a further rule to one, or to those that are joined the same way already. */
export function join(rule: JsonObject, op: (typeof joints)[number], further: JsonObject): JsonObject {
  const { op: now, rules } = rule;
  if (now === op && Array.isArray(rules)) return { op, rules: [...(rules as readonly Json[]), further] };
  return joinsRules(now) && Array.isArray(rules) ? { op, rules: [...(rules as readonly Json[]), further] } : { op, rules: [rule, further] };
}

/** Rules that remain of those that were joined: a single one stands by itself. */
export function joined(op: string, rules: readonly Json[]): Json {
  const [only] = rules;
  return rules.length === 1 && only !== undefined ? only : { op, rules };
}

/** What an author writes as a value: a number where it is written as one, else a text. */
export function valueOf(text: string): string | number {
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}
