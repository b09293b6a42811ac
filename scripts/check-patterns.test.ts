import { describe, expect, it } from 'vitest';
import { checkPatterns } from './check-patterns.ts';

const problems = (pattern: string, name = 'packages/server/src/a.ts') => checkPatterns(name, `const a = ${pattern};`);

describe('the check of regular expressions', () => {
  it.each([
    String.raw`/^(\d{1,2})\s*(h)?\s*([ap])?\s*$/`,
    String.raw`/^(\d[\d.,\s]*)\s*$/`,
    String.raw`/^(a+)+$/`,
    String.raw`/\s+$/`,
    String.raw`/x*x*y/u`,
    String.raw`/[\p{L}]+\p{L}+!/v`,
    String.raw`/^a{0,100}a{0,100}$/`,
    String.raw`new RegExp('^a+a+$', 'i')`,
    String.raw`RegExp('^a+a+$')`,
  ])('refuses %s', (pattern) => {
    expect(problems(pattern)).toEqual([expect.stringMatching(/^packages\/server\/src\/a\.ts:1: .* takes (?:quadratic|exponential) time/)]);
  });

  it.each([
    String.raw`/^\d{4}-\d{2}-\d{2}$/`,
    String.raw`/^a+b+$/`,
    String.raw`/(?<!\/)\/+$/`,
    String.raw`/\p{L}+/gu`,
    String.raw`/^a{0,9}a{0,9}$/`,
    'new RegExp(written)',
    '"/(a+)+$/"',
  ])('accepts %s', (pattern) => {
    expect(problems(pattern)).toEqual([]);
  });

  it.each([
    ['packages/nodes/src/fields/reading/date.ts', String.raw`/\d+/g`, 'repeats without an end'],
    ['packages/nodes/src/start.ts', String.raw`/\p{L}*/gu`, 'repeats without an end'],
    ['packages/nodes/src/messages/options.ts', 'new RegExp(written)', 'is made from a variable'],
  ])('refuses in %s, where users write the text, also %s', (name, pattern, problem) => {
    expect(problems(pattern, name)).toEqual([expect.stringContaining(problem)]);
    expect(problems(pattern)).toEqual([]);
    expect(problems(String.raw`/\d{1,40}/g`, name)).toEqual([]);
  });

  it('names the line', () => {
    expect(checkPatterns('packages/a/src/b.tsx', 'const a = <p>/</p>;\n\nconst b = /^(a+)+$/;')).toMatchObject([
      expect.stringMatching(/^packages\/a\/src\/b\.tsx:3: /),
    ]);
  });
});
