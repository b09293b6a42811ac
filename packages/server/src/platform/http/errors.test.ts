import { StrictMessage } from '@hilo/nodes';
import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsRefused } from './admin.ts';
import { groupIssues, invalidInput } from './errors.ts';

const Body = z.strictObject(
  { users: z.array(z.string('a user is a text')), tags: z.array(z.int('a tag is a number')).optional() },
  'is not known here',
);

/** Lists with wrong values, below and above what is shown. */
const wrong = fc.record({
  users: fc.integer({ min: 0, max: 500 }),
  tags: fc.integer({ min: 0, max: 300 }),
  unknown: fc.integer({ min: 0, max: 300 }),
});

describe('the refusal of a body', () => {
  it('shows 200 texts at most, and counts all of them', () =>
    fc.assert(
      fc.property(wrong, ({ users, tags, unknown }) => {
        const { error } = Body.safeParse({
          users: [...Array.from({ length: users }, () => 1), 'right'],
          tags: Array.from({ length: tags }, () => 'x'),
          ...Object.fromEntries(Array.from({ length: unknown }, (_, index) => [`field${index}`, 1])),
        });
        const all = Object.values(groupIssues(error?.issues ?? [])).flat();
        const refusal = invalidInput({ issues: error?.issues ?? [] });
        expect(Object.values(refusal.fields).flat()).toHaveLength(Math.min(200, all.length));
        expect(Number(/; and (\d+) more$/.exec(refusal.message)?.[1] ?? 0)).toBe(Math.max(0, all.length - 1));
      }),
    ));

  it('says of each unknown field what is said of it alone, and repeats little of what was sent', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('a\nb', '\n', 'x'.repeat(100_000), '\ud800')), {
          minLength: 1,
          maxLength: 300,
        }),
        (names) => {
          const fields = Object.fromEntries(names.map((name) => [name, 1]));
          const { error } = StrictMessage.safeParse({ type: 'text', text: 'Hi', ...fields });
          const refusal = invalidInput({ issues: error?.issues ?? [] });
          expect(JSON.stringify(refusal.fields).length).toBeLessThan(200 * 2_100);
          for (const [field, texts] of Object.entries(refusal.fields)) {
            expect(texts).toHaveLength(1);
            expect(texts[0]).not.toContain('\n');
            expect(texts[0]).toContain(/^\w{1,63}$/.test(field) ? `has no field "${field}"` : 'has no field');
          }
        },
      ),
      { numRuns: 30 },
    ));

  it.each([999, 1_000, 1_001, 300_000])('tells of 1,000 problems at most, errors first, and counts %i', (count) => {
    const problem = (severity: 'error' | 'warning', index: number) =>
      ({ code: 'UNKNOWN_FIELD', severity, pointer: `/k${index}`, message: 'There is no such field', hint: '' }) as const;
    const found = [problem('warning', 0), ...Array.from({ length: count }, (_, index) => problem('error', index))];
    const { problems = [], message } = problemsRefused(found);
    expect(problems).toHaveLength(Math.min(1_000, count + 1));
    expect(problems.some(({ severity }) => severity === 'warning')).toBe(count < 1_000);
    expect(message).toMatch(new RegExp(`; and ${count - 1} more$`));
  });
});
