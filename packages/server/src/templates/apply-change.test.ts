// What is known of a template does not depend on the order in which its deliveries come, nor on how often one of them does.
import type { TemplateChange } from '@hilo/channels';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TemplateReport } from '../platform/tables/templates.ts';
import { applyChange } from './apply-change.ts';

const nowMs = 2_000_000_000_000;
const empty: TemplateReport = { botId: 'bot_wa', elementName: 'promo', language: 'es_MX' };
const told = { elementName: 'promo', language: 'es_MX' };
const at = fc.integer({ min: nowMs - 3_000, max: nowMs });

const change: fc.Arbitrary<TemplateChange> = fc.oneof(
  fc
    .record({
      status: fc.constantFrom('PENDING', 'APPROVED', 'PAUSED', 'REJECTED'),
      atMs: at,
      reason: fc.constantFrom(undefined, 'x', 'y'),
    })
    .map((one): TemplateChange => ({ ...told, what: 'status', ...one })),
  at.map((atMs): TemplateChange => ({ ...told, what: 'notice', reason: `at ${atMs}`, atMs })),
  fc
    .record({ quality: fc.constantFrom('GREEN', 'YELLOW', 'RED'), atMs: at })
    .map((one): TemplateChange => ({ ...told, what: 'quality', ...one })),
  fc
    .record({
      what: fc.constantFrom('category' as const, 'categoryToCome' as const),
      category: fc.constantFrom('UTILITY', 'MARKETING'),
      atMs: at,
    })
    .map((one): TemplateChange => ({ ...told, ...one })),
);

/** What counts of it: of one second, an instant says nothing. */
const known = (changes: readonly TemplateChange[]): unknown =>
  JSON.parse(
    JSON.stringify(
      changes.reduce((report, one) => applyChange(report, one, nowMs), empty),
      (name, value: unknown) => (name === 'atMs' ? Math.floor(Number(value) / 1_000) : value),
    ),
  );
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .map(([name, one]) => [name, sorted(one)])
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      )
    : value;

it('is the same in whatever order, and however often', () => {
  fc.assert(
    fc.property(
      fc
        .array(change, { maxLength: 8 })
        .chain((changes) =>
          fc.tuple(fc.constant(changes), fc.shuffledSubarray([...changes, ...changes], { minLength: changes.length * 2 })),
        ),
      ([changes, delivered]) => {
        expect(sorted(known(delivered))).toEqual(sorted(known(changes)));
      },
    ),
  );
});

const status = (word: string, atMs: number, more: object = {}): TemplateChange => ({
  ...told,
  what: 'status',
  status: word,
  atMs,
  ...more,
});

it.each<[string, readonly TemplateChange[], string | undefined]>([
  ['the later second counts', [status('PAUSED', nowMs), status('APPROVED', nowMs - 1_000)], 'PAUSED'],
  ['a review ends in the second in which it began', [status('APPROVED', nowMs), status('PENDING', nowMs)], 'APPROVED'],
  ['what stops it outweighs what lets it go', [status('PAUSED', nowMs), status('APPROVED', nowMs)], 'PAUSED'],
  ['without an instant it is now', [status('PAUSED', nowMs - 1_000), status('APPROVED', 0)], 'APPROVED'],
  ['a wild instant is five minutes ahead at most', [status('PAUSED', 8e15), status('APPROVED', nowMs + 301_000)], 'PAUSED'],
  [
    'another id is another template',
    [status('APPROVED', nowMs, { providerId: '7' }), status('DELETED', nowMs + 9_000, { providerId: '8' })],
    'APPROVED',
  ],
  ['an id is learned', [status('APPROVED', nowMs), status('PAUSED', nowMs, { providerId: '8' })], 'PAUSED'],
])('%s', (_name, changes, expected) => {
  expect(changes.reduce((report, one) => applyChange(report, one, nowMs), empty).status?.status).toBe(expected);
});

it('instants that are too far ahead are all the same', () => {
  const first = applyChange(empty, status('PAUSED', 8e15), nowMs);
  expect(first.status?.atMs).toBe(nowMs + 300_000);
  expect(applyChange(first, status('APPROVED', 8e15), nowMs + 300_000).status?.status).toBe('APPROVED');
});
