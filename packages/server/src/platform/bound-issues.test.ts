// Schemas whose lists stop at the first hundreds of wrong values: what they refuse and read is the same, their issues are few.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { boundIssues } from './bound-issues.ts';

const item = () =>
  z.union([
    z.string().min(1),
    z.strictObject({
      id: z.int().transform((id) => id + 1),
      tags: z
        .array(z.enum(['a', 'b']))
        .max(9_999)
        .default([]),
    }),
  ]);
const make = () =>
  z.object({
    list: z.array(item()).max(1_000).optional(),
    byName: z.record(z.string().max(4), item()).nullish(),
    deep: z.object({ tags: z.array(z.int().min(0)).readonly() }).prefault({ tags: [] }),
  });
const plain = make();
const bounded = boundIssues(make());

const value = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<unknown>('x', { id: 1 }, { id: 2, tags: ['a'] }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', 0, null, { id: 'x' }, { id: 1, tags: ['c'] }, { id: 1, more: 1 }) },
);
/** Many of a kind behind some of another: where the wrong ones begin does not matter. */
const list = fc
  .tuple(fc.array(value, { maxLength: 5 }), value, fc.constantFrom(0, 1, 250, 251, 252, 255, 256, 257, 999, 1_001))
  .map(([some, one, count]) => [...some, ...Array.from({ length: count }, () => one)]);
const body = fc.record(
  {
    list,
    byName: list.map((items) => Object.fromEntries(items.map((one, index) => [`${index}`, one]))),
    deep: fc.record({ tags: list }),
  },
  { requiredKeys: [] },
);

describe('a schema whose issues are bounded', () => {
  it('reads what fits as before and refuses the same, with its first issues', () =>
    fc.assert(
      fc.property(body, (given) => {
        const [expected, found] = [plain.safeParse(given), bounded.safeParse(given)];
        expect(found.success).toBe(expected.success);
        expect(found.data).toEqual(expected.data);
        const issues = (name: string) => (one: typeof found) => one.error?.issues.filter(({ path: [first] }) => first === name) ?? [];
        // A list that is too long is told as that alone by zod, where what is wrong with its items lets it look on; here its items are told.
        const isTooLong = (given.list?.length ?? 0) > 1_000;
        for (const name of isTooLong ? ['byName', 'deep'] : ['list', 'byName', 'deep']) {
          const [some, all] = [issues(name)(found), issues(name)(expected)];
          expect(some).toEqual(all.slice(0, some.length));
          expect(some.length).toBeGreaterThanOrEqual(Math.min(all.length, 80)); // a value that fits no alternative counts for each of them
        }
      }),
    ));

  it.each([
    ['a list', { list: Array.from({ length: 49_000 }, () => 0) }],
    ['a list whose wrong values come late', { list: Array.from({ length: 49_000 }, (_, index) => (index < 900 ? 'x' : '')) }],
    ['a record', { byName: Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`${index}`, 0])) }],
    ['lists in a list', { list: Array.from({ length: 300 }, () => ({ id: 1, tags: Array.from({ length: 300 }, () => 'c') })) }],
    ['a list in an object', { deep: { tags: Array.from({ length: 49_000 }, () => -1) } }],
  ])('makes few of %s', (_what, given) => {
    const issues = bounded.safeParse(given).error?.issues ?? [];
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThan(600);
  });
});
