import type { Json } from '../contract/json.ts';

/** The steps from a root to a value: object keys, and list positions as numbers or digits. */
export type Path = readonly (string | number)[];

/** Names that lead out of the data into JavaScript's own objects. No path may hold one (T8). */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** The same where it is asked at every step of every read, and for every write. */
export const isForbidden = (step: string | number): boolean => step === '__proto__' || step === 'prototype' || step === 'constructor';

/**
 * Reads `a.b[0].c` or `a.b.0.c` into steps.
 *
 * @returns `undefined` when a step is empty or a forbidden name
 */
export function parsePath(text: string): Path | undefined {
  if (!text.includes('[') && !text.includes(']')) {
    const names = text.split('.');
    return names.some((name) => name === '' || isForbidden(name)) ? undefined : names;
  }
  const path: (string | number)[] = [];
  for (const part of text.split('.')) {
    if (/^[^[\]]+$/.test(part)) {
      path.push(part);
      continue;
    }
    const match = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(part);
    if (match === null) return undefined;
    const [, name = '', positions = ''] = match;
    if (name !== '') path.push(name);
    else if (positions === '' || path.length === 0) return undefined;
    for (const [digits] of positions.matchAll(/\d+/g)) path.push(Number(digits));
  }
  return path.some(isForbidden) ? undefined : path;
}

/** Writes steps as text that {@link parsePath} reads back. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '');

/**
 * The value at a path, seeing own properties only. The one reader of paths in the code base.
 *
 * @param from - how many steps to skip, so that no shorter path need be made
 */
export function getPath(root: Json | undefined, path: Path, from = 0): Json | undefined {
  let value = root;
  for (let index = from; index < path.length; index += 1) {
    const step = path[index] ?? '';
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step) || isForbidden(step)) return undefined;
    if (Array.isArray(value) && !isPosition(step)) return undefined;
    value = (value as { readonly [key: string]: Json })[step];
  }
  return value;
}

/** Lists have positions, and own a `length` that is no data. */
const isPosition = (step: string | number): boolean => typeof step === 'number' || /^\d+$/.test(step);

type Draft = { [key: string]: Json | Draft };

/**
 * Sets a value at a path of a draft (Immer's), creating missing objects; `undefined` removes it. The only writer of paths in the code
 * base. A text or number in the way is replaced by an object.
 *
 * @throws {RangeError} for a forbidden name, or a list position far past its end
 */
export function setPath(draft: Draft, path: Path, value: Json | undefined): void {
  let target = draft;
  for (const [index, step] of path.entries()) {
    const key = String(step);
    if (forbiddenNames.has(key)) throw new RangeError(`"${key}" cannot be part of a path`);
    if (Array.isArray(target) && !(isPosition(key) && Number(key) <= target.length)) {
      throw new RangeError(`"${key}" is not a position of a list of ${target.length}`);
    }
    if (index === path.length - 1) {
      if (value === undefined) delete target[key];
      else target[key] = value;
      return;
    }
    const inner = Object.hasOwn(target, key) ? target[key] : undefined;
    if (typeof inner !== 'object' || inner === null) target[key] = {};
    target = target[key] as Draft;
  }
}
