// How instants are said in lists and conversations: shorter the nearer they are, and never alike.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { momentsIn } from './moment.ts';

const now = new Date('2026-11-30T15:00:00Z');

it.each([
  ['2026-11-30T09:05:04Z', '9:05 AM', '9:05'],
  ['2026-11-30T00:00:00Z', '12:00 AM', '0:00'],
  ['2026-11-29T23:59:59Z', 'Nov 29, 11:59 PM', '29 nov, 23:59'],
  ['2026-12-01T00:00:00Z', 'Dec 1, 12:00 AM', '1 dic, 0:00'],
  ['2026-01-01T00:00:00Z', 'Jan 1, 12:00 AM', '1 ene, 0:00'],
  ['2025-12-31T23:59:59Z', 'Dec 31, 2025, 11:59 PM', '31 dic 2025, 23:59'],
  ['2027-01-01T00:00:00Z', 'Jan 1, 2027, 12:00 AM', '1 ene 2027, 0:00'],
])('%s is said shorter the nearer it is', (at, english, spanish) => {
  const plain = (text: string): string => text.replaceAll(/\s/g, ' ');
  expect(plain(momentsIn('en', 'UTC')(new Date(at), now))).toBe(english);
  expect(plain(momentsIn('es', 'UTC')(new Date(at), now))).toBe(spanish);
});

it('two instants of different minutes are never said alike', () => {
  const say = momentsIn('en', 'UTC');
  const minute = fc.integer({ min: 0, max: 60 * 24 * 800 }).map((minutes) => new Date(Date.UTC(2025, 11, 1) + minutes * 60_000));
  fc.assert(
    fc.property(minute, minute, minute, (one, other, seen) => {
      expect(say(one, seen) === say(other, seen)).toBe(+one === +other);
    }),
  );
});
