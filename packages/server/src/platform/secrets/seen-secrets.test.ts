import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSeenSecrets } from './seen-secrets.ts';

it('keeps every secret of whoever has no more than a fair share, however many others note (P23, P31)', () => {
  const noted = fc.tuple(fc.constantFrom('1', '2', '3'), fc.nat(40));
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 12 }), fc.array(noted, { maxLength: 120 }), (atMost, notes) => {
      const seen = createSeenSecrets(atMost);
      const all = new Map<string, Set<string>>();
      for (const [holder, secret] of notes) {
        seen.note(`${holder} ${secret}`, holder);
        all.set(holder, (all.get(holder) ?? new Set()).add(`${holder} ${secret}`));
      }
      const kept = new Set(seen.all());
      expect(kept.size).toBeLessThanOrEqual(atMost);
      const fair = Math.floor(atMost / 3);
      const modest = [...all.values()].filter(({ size }) => size <= fair).flatMap((secrets) => [...secrets]);
      expect(modest.filter((secret) => !kept.has(secret))).toEqual([]);
      expect(notes.length === 0 || kept.has(notes.at(-1)?.join(' ') ?? '')).toBe(true);
    }),
  );
});

it.each([2, 3, 4])('has %i of 3 places: nothing is given up below the bound, and the list is new after each change only', (count) => {
  const seen = createSeenSecrets(3);
  for (let number = 0; number < count; number += 1) seen.note(`secret ${number}`, '1');
  expect(seen.all().length).toBe(Math.min(count, 3));
  expect(seen.all()).toBe(seen.all());
  expect(seen.all().at(-1)).toBe(`secret ${count - 1}`);
});
