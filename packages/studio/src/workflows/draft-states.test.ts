import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftStateNamed, draftStates } from './draft-states.ts';

const rows = fc.record({
  publishedVersion: fc.option(fc.integer({ min: 1 })),
  isPublished: fc.boolean(),
  errors: fc.nat(2),
  warnings: fc.nat(2),
});

describe('the states of a draft', () => {
  it('never published, as published, or changed since: each draft is one of these; with problems, besides', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const { never, published, changed, problems } = draftStates;
        expect([never, published, changed].filter((isIn) => isIn(row))).toHaveLength(1);
        expect(never(row)).toBe(row.publishedVersion === null);
        expect(published(row)).toBe(row.publishedVersion !== null && row.isPublished);
        expect(problems(row)).toBe(row.errors > 0 || row.warnings > 0);
      }),
    );
  });

  it('are known by their names alone', () => {
    expect(['never', 'problems', '', 'toString'].map(draftStateNamed)).toEqual(['never', 'problems', undefined, undefined]);
  });
});
