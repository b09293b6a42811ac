import { limits } from '../contract/limits.ts';
import type { Problem } from '../contract/problem.ts';
import { utf8Bytes } from '../variables/measure.ts';
import { forbiddenNames } from '../variables/path.ts';
import { mostProblems, problem, tooLarge } from './problem-codes.ts';

/** An object or list on the way from the root, with where its copy goes. */
interface Part {
  readonly source: object;
  readonly copy: { [key: string]: unknown } | unknown[];
  readonly parent: Part | undefined;
  readonly key: string | number;
  readonly depth: number;
}

/**
 * Copies a value from outside as plain JSON, and reports the rest: forbidden keys, which are dropped, excess levels or keys, cycles,
 * class instances. Iterative and bounded, so that it ends for any value.
 *
 * @param forbidden - keys that are reported and dropped: those that no canvas has, by default
 */
export function plainJson(
  input: unknown,
  forbidden: ReadonlySet<string> = forbiddenNames,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const waiting: Part[] = [];
  let bytes = 0; // as JSON, at least: escapes and digits are not counted
  const isOver = () => bytes > limits.bodyBytes || problems.length > mostProblems;

  const copied = (value: unknown, parent: Part | undefined, key: string | number): unknown => {
    const complain = (code: 'INVALID_CANVAS' | 'TOO_DEEP', message: string) =>
      void problems.push(problem(code, stepsTo(parent, key), message));
    switch (typeof value) {
      case 'string':
        bytes += Math.max(value.length, utf8Bytes(value.slice(0, limits.bodyBytes))) + 2;
        return value;
      case 'boolean':
        bytes += 4;
        return value;
      case 'number':
        bytes += 1;
        if (!Number.isFinite(value)) complain('INVALID_CANVAS', `${value} is no JSON value`);
        return value;
      case 'object': {
        if (value === null) return value;
        const depth = (parent?.depth ?? 0) + 1;
        if (isAbove(parent, value)) complain('INVALID_CANVAS', 'The value contains itself here, which JSON cannot express');
        else if (!isPlain(value)) complain('INVALID_CANVAS', 'Only plain objects and lists are JSON values');
        else if (depth > limits.depth) complain('TOO_DEEP', `Objects and lists are nested more than ${limits.depth} levels deep`);
        else {
          const part: Part = { source: value, copy: Array.isArray(value) ? [] : {}, parent, key, depth };
          waiting.push(part);
          return part.copy;
        }
        return undefined;
      }
      default:
        complain('INVALID_CANVAS', `${value === undefined ? 'Nothing' : `A ${typeof value}`} is no JSON value`);
        return undefined;
    }
  };

  const value = copied(input, undefined, '');
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { source, copy } = part;
    if (Array.isArray(source) && Array.isArray(copy)) {
      bytes += source.length; // before the loop: a sparse list can be of any length
      for (let index = 0; index < source.length && !isOver(); index += 1) copy.push(copied(source[index], part, index));
    } else if (!Array.isArray(copy)) {
      const entries = Object.entries(source).filter(([, item]) => item !== undefined);
      if (entries.length > limits.keys) {
        problems.push(
          problem(
            'TOO_MANY_KEYS',
            stepsTo(part.parent, part.key),
            `The object has ${entries.length} keys; at most ${limits.keys} are read`,
          ),
        );
        continue;
      }
      for (const [key, item] of entries) {
        bytes += utf8Bytes(key) + 3;
        if (forbidden.has(key)) problems.push(problem('FORBIDDEN_KEY', stepsTo(part, key), `The key "${key}" is refused`));
        else copy[key] = copied(item, part, key);
      }
    }
    if (isOver()) break;
  }
  if (bytes > limits.bodyBytes) problems.unshift(tooLarge());
  return { value, problems };
}

/** Own keys only, and no behaviour. A plain object of another realm is one as well: its prototype is the last. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

/** Whether a value is among its own ancestors. */
function isAbove(parent: Part | undefined, value: object): boolean {
  for (let part = parent; part !== undefined; part = part.parent) if (part.source === value) return true;
  return false;
}

/** The steps from the root to a key of a part; the root itself has none. */
function stepsTo(parent: Part | undefined, key: string | number): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let last = key;
  for (let part = parent; part !== undefined; part = part.parent) {
    steps.unshift(last);
    last = part.key;
  }
  return steps;
}
