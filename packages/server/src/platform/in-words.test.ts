import { expect, it } from 'vitest';
import { z } from 'zod';
import { inWords } from './in-words.ts';

it.each<[z.ZodType, unknown, string]>([
  [z.object({ a: z.string() }), {}, '"a" is missing'],
  [z.object({ a: z.string() }), { a: 1 }, '"a" must be a text'],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, '"a" must be one of x, y'],
  [z.string().min(1), '', 'it must have at least 1 character'],
  [z.string().max(2), 'abc', 'it must have at most 2 characters'],
  [z.array(z.int()).min(2), [1], 'it must have at least 2 items'],
  [z.int().positive(), 0, 'it must be more than 0'],
  [z.number().lt(5), 5, 'it must be less than 5'],
  [z.int().max(5), 6, 'it must be at most 5'],
  [z.strictObject({}), { a: 1 }, 'The value has no "a"'],
  [z.strictObject({}), { a: 1, b: 1, c: 1, d: 1, e: 1 }, 'The value has no "a", "b", "c", "d", "e"'],
  [z.strictObject({}), { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, 'The value has no "a", "b", "c", "d", "e", and 1 more'],
])('a wrong value is described in words (%#)', (schema, value, words) => {
  expect(schema.safeParse(value, { error: inWords }).error?.issues.map(({ message }) => message)).toEqual([words]);
});
