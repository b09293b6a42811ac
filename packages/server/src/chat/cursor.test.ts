import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, type Cursor, isKnown, readCursor, createCursor, writeCursor } from './cursor.ts';

/** The rows that a reader at this cursor gets, and its next cursor. */
function readOn(cursor: Cursor, visible: readonly Row[], nowMs: number): { readonly given: readonly number[]; readonly cursor: Cursor } {
  const fresh = visible.filter(({ id }) => id > cursor.floor && !isKnown(cursor, id)).toSorted((left, right) => left.id - right.id);
  return { given: fresh.map(({ id }) => id), cursor: fresh.reduce((before, row) => advance(before, row, nowMs), cursor) };
}

interface Row {
  readonly id: number;
  readonly createdAtMs: number;
}

describe('a cursor', () => {
  it('neither loses nor repeats a row, in whatever order rows of a shared store become visible and whenever the reader reconnects', () => {
    const writes = fc.array(fc.record({ gapMs: fc.nat(5_000), lateMs: fc.nat(20_000) }), { minLength: 1, maxLength: 40 });
    const reads = fc.array(fc.nat(4_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(writes, reads, (given, pauses) => {
        let atMs = 0;
        const rows = given.map(({ gapMs, lateMs }, index) => {
          atMs += gapMs;
          return { id: index + 1, createdAtMs: atMs, visibleAtMs: atMs + lateMs };
        });
        const seen: number[] = [];
        let cursor = createCursor(0);
        let nowMs = 0;
        for (const pauseMs of [...pauses, 400_000, 400_000]) {
          nowMs += pauseMs;
          const back = readCursor(writeCursor(cursor)); // the browser comes back with its last id
          if (back === undefined) throw new Error('A cursor of ours is read');
          const step = readOn(
            back,
            rows.filter(({ visibleAtMs }) => visibleAtMs <= nowMs),
            nowMs,
          );
          seen.push(...step.given);
          ({ cursor } = step);
        }
        expect(seen.toSorted((left, right) => left - right)).toEqual(rows.map(({ id }) => id));
      }),
    );
  });

  it('is one number when no other process writes', () => {
    const cursor = [3, 7, 8].reduce((before, id) => advance(before, { id, createdAtMs: 0 }), createCursor(0));
    expect(writeCursor(cursor)).toBe('8');
  });

  it('stays short, however many rows become visible at once', () => {
    const cursor = Array.from({ length: 500 }, (_, id) => id + 1).reduce(
      (before, id) => advance(before, { id, createdAtMs: 0 }, 0),
      createCursor(0),
    );
    expect(writeCursor(cursor).length).toBeLessThan(600);
    expect(isKnown(cursor, 500)).toBe(true);
    expect(isKnown(cursor, 501)).toBe(false);
  });
});
