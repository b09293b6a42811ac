import { compileJson, type Json } from '../../contract/index.ts';
import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';

/** The value of a text that is one expression, over these variables. */
const evaluate = (expression: string, variables: { readonly [scope: string]: Json } = {}): unknown =>
  compileJson(`{{${expression}}}`)({
    get: ([scope = '', field]) => (variables[String(scope)] as { [name: string]: Json } | undefined)?.[String(field)],
  });

const zones = ['America/Lima', 'Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'] as const;
const zone = fc.constantFrom(...zones);

/** Nights on which the clocks of these zones are changed, in both directions. */
const changes = ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z', '2026-04-04T15:00:00Z'];
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(1971), max: Date.UTC(2100) }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -7_200_000, max: 7_200_000 })).map(([at, offset]) => Date.parse(at) + offset),
);
const iso = (ms: number): string => new Date(ms).toISOString();
const at = (ms: number, name: string): DateTime => DateTime.fromMillis(ms, { zone: name, locale: 'en-US' });

describe('times of the language are those of the calendar library, also around the changes to and from summer time', () => {
  it('date, time and format, in the given zone', () =>
    fc.assert(
      fc.property(instant, zone, fc.constantFrom('yyyy-MM-dd HH:mm', 'cccc d LLLL', "HH 'h'", 'ZZ'), (ms, name, pattern) => {
        const of = `timestamp("${iso(ms)}")`;
        expect(evaluate(`date(${of}, "${name}")`)).toBe(at(ms, name).toFormat('yyyy-MM-dd'));
        expect(evaluate(`time(${of}, "${name}")`)).toBe(at(ms, name).toFormat('HH:mm'));
        expect(evaluate(`format(${of}, "${pattern}", "${name}")`)).toBe(at(ms, name).toFormat(pattern));
      }),
    ));

  it('startOf, by every unit', () =>
    fc.assert(
      fc.property(instant, zone, fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute'), (ms, name, unit) => {
        expect(evaluate(`startOf(timestamp("${iso(ms)}"), "${unit}", "${name}")`)).toBe(at(ms, name).startOf(unit).toUTC().toISO());
      }),
    ));

  it.each([
    ['2026-11-01T04:30:00Z', 'day', '2026-11-01T04:00:00.000Z'], // the first of two midnights
    ['2026-11-01T05:30:00Z', 'day', '2026-11-01T04:00:00.000Z'], // the second
    ['2026-11-20T12:00:00Z', 'month', '2026-11-01T04:00:00.000Z'],
    ['2026-11-01T04:30:00Z', 'hour', '2026-11-01T04:00:00.000Z'],
    ['2026-11-01T05:30:00Z', 'hour', '2026-11-01T05:00:00.000Z'],
    ['2026-03-08T12:00:00Z', 'day', '2026-03-08T05:00:00.000Z'], // a day that begins at one
  ])('startOf %s by %s where the clocks are changed at midnight', (ms, unit, start) => {
    expect(evaluate(`startOf(timestamp("${ms}"), "${unit}", "America/Havana")`)).toBe(start);
  });

  it('instant: there and back, and to the first of two that the clock shows alike', () =>
    fc.assert(
      fc.property(instant, zone, (ms, name) => {
        const local = at(ms, name).startOf('minute');
        const [day, clock] = [local.toFormat('yyyy-MM-dd'), local.toFormat('HH:mm')];
        const told = evaluate(`instant("${day}", "${clock}", "${name}")`);
        expect(told).toBe(local.getPossibleOffsets()[0]?.toUTC().toISO());
        expect(at(Date.parse(String(told)), name).toFormat('yyyy-MM-dd HH:mm')).toBe(`${day} ${clock}`);
      }),
    ));

  it('sums and differences are of milliseconds, across clock changes', () =>
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 400 * 24 }), (ms, hours) => {
        expect(evaluate(`timestamp("${iso(ms)}") + duration("${hours}h")`)).toBe(iso(ms + hours * 3_600_000));
        expect(evaluate(`timestamp("${iso(ms + hours * 3_600_000)}") - timestamp("${iso(ms)}") == duration("${hours}h")`)).toBe(true);
      }),
    ));

  it('the zone is the given one, else that of the user, else that of the company, else UTC', () =>
    fc.assert(
      fc.property(instant, fc.option(zone), fc.option(zone), fc.option(zone), (ms, given, ofUser, ofCompany) => {
        const $user = ofUser === null ? {} : { timeZone: ofUser };
        const $company = ofCompany === null ? {} : { timeZone: ofCompany };
        const argument = given === null ? '' : `, "${given}"`;
        const name = given ?? ofUser ?? ofCompany ?? 'UTC';
        expect(evaluate(`time(timestamp("${iso(ms)}")${argument})`, { $user, $company })).toBe(at(ms, name).toFormat('HH:mm'));
      }),
    ));
});

describe('numbers of the language', () => {
  const locale = fc.constantFrom('es-PE', 'de-DE', 'en-US', 'en-IN', 'fr-CH');
  const number = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((whole) => whole / 1_000);

  it('are written as Intl writes them', () =>
    fc.assert(
      fc.property(number, locale, fc.integer({ min: 0, max: 6 }), (value, name, digits) => {
        const format = new Intl.NumberFormat(name, { minimumFractionDigits: digits, maximumFractionDigits: digits });
        const expected = format.format(Math.abs(value) < 0.5 / 10 ** digits ? 0 : value); // without a sign before a zero
        expect(evaluate(`formatNumber(${value}, ${digits}, "${name}")`)).toBe(expected);
        expect(evaluate(`formatNumber(${value}, ${digits})`, { $user: { locale: name }, $company: { locale: 'ja' } })).toBe(expected);
      }),
    ));

  it('are rounded, cut and compared as JavaScript has it', () =>
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(evaluate(`floor(${a})`)).toBe(Math.floor(a));
        expect(evaluate(`ceil(${a})`)).toBe(Math.ceil(a) + 0);
        expect(evaluate(`abs(${a})`)).toBe(Math.abs(a));
        expect(evaluate(`min([${a}, ${b}])`)).toBe(Math.min(a, b));
        expect(evaluate(`max([${a}, ${b}])`)).toBe(Math.max(a, b));
        expect(evaluate(`sum([${a}, ${b}])`)).toBe(Math.round((a + b) * 1_000) / 1_000 + 0);
      }),
    ));
});

describe('texts and lists of the language', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', ' ', ',', 'é'), maxLength: 12 });

  it('are what JavaScript makes of them', () =>
    fc.assert(
      fc.property(
        word,
        word.filter((text) => text !== ''),
        fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 6 }),
        (text, part, items) => {
          const $context = { text, part, items };
          const is = (expression: string): unknown => evaluate(expression, { $context });
          expect(is('upper($context.text)')).toBe(text.toUpperCase());
          expect(is('lower($context.text)')).toBe(text.toLowerCase());
          expect(is('trim($context.text)')).toBe(text.trim());
          expect(is('split($context.text, $context.part)')).toEqual(text.split(part));
          expect(is('join(split($context.text, ","), ",")')).toBe(text);
          expect(is('replace($context.text, $context.part, "_")')).toBe(text.replaceAll(part, '_'));
          expect(is('startsWith($context.text, $context.part)')).toBe(text.startsWith(part));
          expect(is('sort($context.items)')).toEqual(items.toSorted((one, other) => one - other));
          expect(is('distinct($context.items)')).toEqual([...new Set(items)]);
          expect(is('size($context.items)')).toBe(items.length);
        },
      ),
    ));
});

describe('an invalid time', () => {
  it.each([
    ['date($context.at, "Mars/Base")', /time zone "Mars\/Base"/],
    ['format($context.at, $context.long)', /pattern/],
    ['instant("2026-02-30", "10:00", "America/Lima")', /instant\(\) takes a day/],
    ['instant("2026-12-01", "25:00", "America/Lima")', /instant\(\) takes a day/],
    ['timestamp("2026-13-01T00:00:00Z")', /timestamp\(\) takes ISO 8601/],
    ['duration("soon")', /duration\(\) takes a text/],
    ['duration("P")', /duration\(\) takes a text/],
    ['duration("PT")', /duration\(\) takes a text/],
    ['duration("P1DT")', /duration\(\) takes a text/],
    ['formatNumber(1, 2, "klingon-QO")', /locale "klingon-QO"/],
  ])('%s is reported with its reason and expression', (expression, reason) => {
    const $context = { at: '2026-12-01T00:00:00.000Z', long: 'y'.repeat(10_000) };
    expect(() => evaluate(expression, { $context })).toThrow(reason);
    expect(() => evaluate(expression, { $context })).toThrow(`{{${expression}}}`);
  });

  it.each([
    ['2026-03-29', '02:30', 'Europe/Madrid'],
    ['2026-03-29', '02:00', 'Europe/Madrid'],
    ['2026-03-29', '02:59:59.999', 'Europe/Madrid'],
    ['2026-03-08', '02:30', 'America/New_York'],
    ['2026-10-04', '02:10', 'Australia/Lord_Howe'],
    ['2011-12-30', '12:00', 'Pacific/Apia'],
  ])('%s at %s in %s is on no clock', (day, clock, name) => {
    const skipped = `${clock} on ${day} is a time that the clocks of ${name} skip`;
    expect(() => evaluate(`instant("${day}", "${clock}", "${name}")`)).toThrow(skipped);
    expect(() => evaluate(`instant($context.day, $context.clock, $context.name)`, { $context: { day, clock, name } })).toThrow(skipped);
  });

  it.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])('the times around a change are the same when asked at %s', (today) => {
    onTestFinished(() => void (Settings.now = () => Date.now()));
    Settings.now = () => Date.parse(today); // the library looks at the season that it is in
    expect(evaluate('instant("2026-03-29", "01:59:59.999", "Europe/Madrid")')).toBe('2026-03-29T00:59:59.999Z');
    expect(evaluate('instant("2026-03-29", "03:00", "Europe/Madrid")')).toBe('2026-03-29T01:00:00.000Z');
    expect(evaluate('instant("2026-10-25", "02:30", "Europe/Madrid")')).toBe('2026-10-25T00:30:00.000Z');
    expect(evaluate('instant("2026-12-01", "24:00", "Europe/Madrid")')).toBe('2026-12-01T23:00:00.000Z');
  });
});
