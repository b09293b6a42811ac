/** Patterns of format(): every token writes what Luxon writes, tokens of other libraries are refused, and no cache grows for ever. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../../test/evaluated.ts';
import { patternTokens, refusePattern } from './patterns.ts';

const written = (pattern: string, zone: string, locale: string, ms: number): unknown =>
  evaluate('format(timestamp($context.at), $context.pattern, $context.zone, $context.locale)', {
    $context: { at: ms / 1_000, pattern, zone, locale },
  });

describe('a pattern of format()', () => {
  const tokens = fc.constantFrom(...patternTokens.keys());
  const zones = fc.constantFrom('America/New_York', 'America/Lima', 'Asia/Tokyo', 'UTC', 'Europe/Paris');
  const locales = fc.constantFrom('en', 'es', 'fr', 'pl', 'ar-EG', 'ja', 'th');

  it('writes each token as Luxon does, in every locale and zone', () =>
    fc.assert(
      fc.property(
        fc.array(tokens, { minLength: 1, maxLength: 5 }),
        zones,
        locales,
        fc.integer({ min: 0, max: 2e9 }),
        (list, zone, locale, second) => {
          const pattern = list.join(" 'of' ");
          const date = DateTime.fromMillis(second * 1_000, { zone, locale });
          expect(written(pattern, zone, locale, second * 1_000)).toBe(date.toFormat(pattern));
        },
      ),
    ));

  it.each([
    ['YYYY-MM-DD', 'yyyy'],
    ['DD/MM/yyyy', 'dd'],
    ['DD', 'dd'],
    ['D MMMM', 'd'],
    ['hh:mm A', 'a'],
    ['dddd', 'cccc'],
    ['ddd D', 'ccc'],
    ['YY', 'yy'],
    ['yyyy-MM-dd HH:mm:ss.SS', 'SSS'],
    ['ww', 'WW'],
    ['%Y-%m-%d', 'yyyy-MM-dd'],
    ['yyyy-MM-ddTHH:mm', "'T'"],
    ['d de MMMM', 'single quotes'],
    ['HH:mm Uhr', 'single quotes'],
  ])('refuses what is no token of Luxon, and names the right one: %s', (pattern, right) => {
    expect(refusePattern(pattern)).toContain(right);
    expect(reason(() => evaluate(`format(timestamp(0), "${pattern}")`))).toContain(right);
    expect(reason(() => written(pattern, 'UTC', 'en', 0))).toContain(right);
  });

  it.each(["d 'de' MMMM", "'YYYY'", 'yyyy-MM-dd', "HH:mm 'h'", '2026', "'open", 'cccc, d MMMM yyyy — HH:mm', ''])('accepts %s', (pattern) =>
    expect(refusePattern(pattern)).toBeUndefined(),
  );
});
