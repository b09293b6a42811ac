import { dateWork, entryWork, type Evaluation, itemWork, spend } from './evaluation.ts';
import { parseTimestamp } from './time.ts';
import { isList, isObject, Optional, TimeSpan, Timestamp, TypeName, type Value } from './value.ts';

/** Shorter texts are compared as fast as numbers. */
const shortText = 64;

/**
 * Equal as JSON: same kind, same value, the order of an object's keys does not count. A timestamp also equals the text that it
 * was saved as.
 */
export function isEqual(evaluation: Evaluation, left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length && left.length > shortText) spend(evaluation, left.length);
    return left === right;
  }
  if (typeof left !== 'object' || left === null) return right instanceof Timestamp ? isEqual(evaluation, right, left) : left === right;
  if (isList(left)) return isList(right) && areListsEqual(evaluation, left, right);
  if (isObject(left)) return isObject(right) && areObjectsEqual(evaluation, left, right);
  if (left instanceof Timestamp) {
    if (right instanceof Timestamp) return left.ms === right.ms;
    if (typeof right === 'string') spend(evaluation, dateWork);
    return parseTimestamp(right)?.ms === left.ms;
  }
  if (left instanceof TimeSpan) return right instanceof TimeSpan && left.ms === right.ms;
  if (left instanceof TypeName) return right instanceof TypeName && left.kind === right.kind;
  if (left instanceof Optional) return right instanceof Optional && areOptionalsEqual(evaluation, left.value, right.value);
  return left instanceof Uint8Array && right instanceof Uint8Array && areBytesEqual(evaluation, left, right);
}

const areOptionalsEqual = (evaluation: Evaluation, left: Value | undefined, right: Value | undefined): boolean =>
  left === undefined || right === undefined ? left === right : isEqual(evaluation, left, right);

function areListsEqual(evaluation: Evaluation, left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    spend(evaluation, itemWork);
    if (!isEqual(evaluation, left[index] ?? null, right[index] ?? null)) return false;
  }
  return true;
}

type ObjectValue = { readonly [key: string]: Value };

function areObjectsEqual(evaluation: Evaluation, left: ObjectValue, right: ObjectValue): boolean {
  const keys = Object.keys(left);
  spend(evaluation, keys.length * entryWork);
  if (Object.keys(right).length !== keys.length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isEqual(evaluation, left[key] ?? null, right[key] ?? null));
}

function areBytesEqual(evaluation: Evaluation, left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  spend(evaluation, left.length);
  return left.every((byte, index) => byte === right[index]);
}
