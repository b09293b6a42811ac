import fc from 'fast-check';
import { DateTime, Duration, FixedOffsetZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../../test/evaluated.ts';
import type { Json } from '../../contract/json.ts';

const call = (source: string, values: { readonly [name: string]: Json }) => evaluate(source, { $context: values });
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', 'B', ' ', 'ñ', '🚀'), maxLength: 20 }),
);
/** Quarters, whose sums are exact. */
const number = fc.integer({ min: -4e9, max: 4e9 }).map((value) => value / 4 + 0);
const numbers = fc.array(number, { minLength: 1, maxLength: 20 });
const position = fc.integer({ min: -25, max: 25 });

describe('the functions of texts and lists', () => {
  it('come to what JavaScript comes to', () =>
    fc.assert(
      fc.property(text, text, text, position, position, (t, part, by, from, to) => {
        expect(call('upper($context.t)', { t })).toBe(t.toUpperCase());
        expect(call('lower($context.t)', { t })).toBe(t.toLowerCase());
        expect(call('trim($context.t)', { t })).toBe(t.trim());
        expect(call('size($context.t)', { t })).toBe(Array.from(t).length);
        expect(call('join([$context.t, $context.part, $context.by], ", ", " & ")', { t, part, by })).toBe(`${t}, ${part} & ${by}`);
        expect(call('split($context.t, $context.part)', { t, part })).toEqual(part === '' ? Array.from(t) : t.split(part));
        expect(call('slice($context.t, $context.from, $context.to)', { t, from, to })).toBe(Array.from(t).slice(from, to).join(''));
        expect(call('$context.t.slice($context.from)', { t, from })).toBe(Array.from(t).slice(from).join(''));
        const sought = part === '' ? 'a' : part;
        expect(call('replace($context.t, $context.sought, $context.by)', { t, sought, by })).toBe(t.split(sought).join(by));
      }),
    ));

  it('sort, deduplicate, add up and pick as JavaScript does', () =>
    fc.assert(
      fc.property(numbers, fc.array(text, { maxLength: 10 }), (list, texts) => {
        expect(call('sort($context.list)', { list })).toEqual([...list].sort((a, b) => a - b));
        expect(call('sort($context.texts)', { texts })).toEqual([...texts].sort());
        expect(call('distinct($context.list + $context.texts + $context.list)', { list, texts })).toEqual([
          ...new Set([...list, ...texts]),
        ]);
        expect(call('sum($context.list)', { list })).toBe(list.reduce((sum, value) => sum + value) + 0);
        expect(call('[min($context.list), max($context.list)]', { list })).toEqual([Math.min(...list), Math.max(...list)]);
        expect(call('[first($context.list), last($context.list)]', { list })).toEqual([list[0], list.at(-1)]);
      }),
    ));

  it('take null for an item, an entry and a default as any other value', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Json>(null, 0, ''), { maxLength: 4 }),
        position,
        fc.constantFrom<Json>(null, 1),
        (list, at, d) => {
          const there = (value: Json | undefined): Json => (value === undefined ? 'missing' : value);
          const orMissing = (source: string) =>
            reason(() => call(source, { list, at, d, o })) === '' ? call(source, { list, at, d, o }) : 'missing';
          const o = Object.fromEntries(list.map((value, index) => [`${index}`, value]));
          expect(orMissing('first($context.list)')).toBe(there(list[0]));
          expect(orMissing('last($context.list)')).toBe(there(list.at(-1)));
          expect(orMissing('get($context.list, $context.at)')).toBe(there(list[at]));
          expect(orMissing('get($context.o, string($context.at))')).toBe(there(o[`${at}`]));
          expect(call('get($context.list, $context.at, $context.d)', { list, at, d })).toBe(at in list ? list[at] : d);
        },
      ),
    ));

  it('look for parts, join, cut, and take apart as JavaScript does', () =>
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(fc.oneof(text, number), { maxLength: 8 }),
        fc.dictionary(text, fc.oneof(text, number, fc.constant(null))),
        position,
        position,
        (t, part, list, o, from, to) => {
          for (const name of ['contains', 'startsWith', 'endsWith'] as const)
            expect(call(`${name}($context.t, $context.part)`, { t, part })).toBe(t[name === 'contains' ? 'includes' : name](part));
          expect(call('join($context.list, $context.part)', { list, part })).toBe(list.map(String).join(part));
          expect(call('slice($context.list, $context.from, $context.to)', { list, from, to })).toEqual(list.slice(from, to));
          expect(call('$context.t in $context.list', { t, list })).toBe(list.includes(t));
          expect(call('keys($context.o)', { o })).toEqual(Object.keys(o));
          expect(call('values($context.o)', { o })).toEqual(Object.values(o));
          expect(call('[size($context.o), size($context.list)]', { o, list })).toEqual([Object.keys(o).length, list.length]);
          const words = t.replaceAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu, (word) => {
            const [first = '', ...rest] = Array.from(word);
            return first.toUpperCase() + rest.join('').toLowerCase();
          });
          expect(call('title($context.t)', { t })).toBe(words);
        },
      ),
    ));

  it('count the positions of a text in characters: a pair of surrogates is one', () => {
    const unit = fc.constantFrom('a', 'b', 'ñ', '🚀', '👍');
    const [whole, sought] = [fc.array(unit, { maxLength: 12 }), fc.array(unit, { maxLength: 3 })];
    fc.assert(
      fc.property(whole, sought, fc.nat(14), fc.nat(14), (characters, part, from, to) => {
        const given = { t: characters.join(''), part: part.join(''), from, to };
        const standsAt = (at: number) =>
          at + part.length <= characters.length && part.every((one, index) => characters[at + index] === one);
        const places = [...characters.keys(), characters.length].filter(standsAt);
        expect(call('indexOf($context.t, $context.part)', given)).toBe(places[0] ?? -1);
        expect(call('lastIndexOf($context.t, $context.part)', given)).toBe(places.at(-1) ?? -1);
        const begin = from % Math.max(1, characters.length);
        const cut = { ...given, begin };
        expect(call('indexOf($context.t, $context.part, $context.begin)', cut)).toBe(places.find((at) => at >= begin) ?? -1);
        expect(call('lastIndexOf($context.t, $context.part, $context.begin)', cut)).toBe(places.findLast((at) => at <= begin) ?? -1);
        const isInside = from <= to && to <= characters.length;
        const substring = 'substring($context.t, $context.from, $context.to)';
        expect(reason(() => call(substring, given))).toContain(isInside ? '' : 'lies outside the text');
        expect(isInside ? call(substring, given) : '').toBe(isInside ? characters.slice(from, to).join('') : '');
      }),
    );
  });

  it('read JSON out of bytes as a body is read: no key `__proto__`, at any level (T8)', () => {
    const t = '{"__proto__":{"a":1},"list":[{"\\u005f_proto__":2,"b":3}]}';
    expect(call('json(bytes($context.t))', { t })).toEqual({ list: [{ b: 3 }] });
    expect(call('keys(json(bytes($context.t)))', { t })).toEqual(['list']);
  });

  it('go through lists as JavaScript does', () =>
    fc.assert(
      fc.property(numbers, number, (list, x) => {
        const of = (source: string) => call(`$context.list.${source}`, { list, x });
        expect(of('map(n, n > $context.x)')).toEqual(list.map((n) => n > x));
        expect(of('map(n, n > $context.x, n)')).toEqual(list.filter((n) => n > x));
        expect(of('filter(n, n <= $context.x)')).toEqual(list.filter((n) => n <= x));
        expect(of('exists(n, n >= $context.x)')).toBe(list.some((n) => n >= x));
        expect(of('all(n, n != $context.x)')).toBe(list.every((n) => n !== x));
        expect(of('exists_one(n, n < $context.x)')).toBe(list.filter((n) => n < x).length === 1);
      }),
    ));

  it('find patterns as regular expressions of JavaScript do', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'B', '7', ' ', 'ñ', '🚀', '-'), maxLength: 20 }),
        fc.constantFrom('^a+$', '[A-Z]\\d', '(?:ab|b)*7', 'ñ.', '^.{2,4}$', '\\bab?\\b', '[^a-z ]', '(a|b)(7|-)', '🚀?a', '^$'),
        (t, pattern) => {
          expect(call('like($context.t, $context.pattern)', { t, pattern })).toBe(new RegExp(pattern, 'u').test(t));
        },
      ),
    ));

  it('round the digits that a number is written with, a half away from zero', () =>
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 4 }), (units, digits) => {
        // Whole numbers are exact: units are ten times as fine as the requested digits.
        const whole = Math.sign(units) * Math.floor((Math.abs(units) + 5) / 10);
        expect(call('round($context.x, $context.digits)', { x: Number(`${units}e-${digits + 1}`), digits })).toBe(
          Number(`${whole}e-${digits}`) + 0,
        );
      }),
    ));

  it('write numbers as Intl does', () =>
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 6 }), fc.constantFrom('en', 'es-PE', 'de', 'hi', 'fr-CH'), (x, digits, locale) => {
        const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
        const isZero = Number(x.toFixed(digits)) === 0;
        expect(call('formatNumber($context.x, $context.digits, $context.locale)', { x, digits, locale })).toBe(
          format.format(isZero ? 0 : x),
        );
      }),
      {
        examples: [
          [-0.4, 0, 'en'],
          [-0.004, 2, 'de'],
          [-0.5, 0, 'en'],
        ],
      },
    ));

  it('read what number writes', () =>
    fc.assert(
      fc.property(number, (x) => {
        expect(call('number(string($context.x))', { x })).toBe(x);
        expect(call('"" + $context.x', { x })).toBe(String(x));
      }),
    ));
});

describe('the functions of time', () => {
  const ms = fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 });
  const zone = fc.constantFrom('America/Lima', 'America/New_York', 'Asia/Kolkata', 'Europe/Madrid', 'Pacific/Chatham', 'UTC', '+05:30');
  const inLuxon = (at: number, name: string) =>
    DateTime.fromMillis(at, { zone: name.startsWith('+') ? `UTC${name}` : name, locale: 'en-US' });

  it('read the calendar as Luxon does', () =>
    fc.assert(
      fc.property(ms, zone, (at, name) => {
        const date = inLuxon(at, name);
        const values = { t: new Date(at).toISOString(), zone: name };
        expect(call('$context.t.getFullYear($context.zone)', values)).toBe(date.year);
        expect(call('$context.t.getMonth($context.zone)', values)).toBe(date.month - 1);
        expect(call('$context.t.getDate($context.zone)', values)).toBe(date.day);
        expect(call('$context.t.getDayOfWeek($context.zone)', values)).toBe(date.weekday % 7);
        expect(call('$context.t.getDayOfYear($context.zone)', values)).toBe(date.ordinal - 1);
        expect(call('$context.t.getDayOfMonth($context.zone)', values)).toBe(date.day - 1);
        expect(call('$context.t.getHours($context.zone)', values)).toBe(date.hour);
        expect(call('$context.t.getMinutes($context.zone)', values)).toBe(date.minute);
        expect(call('$context.t.getSeconds($context.zone)', values)).toBe(date.second);
        expect(call('$context.t.getMilliseconds($context.zone)', values)).toBe(date.millisecond);
        expect(call('date($context.t, $context.zone)', values)).toBe(date.toISODate());
        expect(call('time($context.t, $context.zone)', values)).toBe(date.toFormat('HH:mm'));
        expect(call('format($context.t, "cccc d LLLL yyyy, HH:mm:ss.SSS", $context.zone, "es")', values)).toBe(
          date.setLocale('es').toFormat('cccc d LLLL yyyy, HH:mm:ss.SSS'),
        );
        expect(call('startOf($context.t, "month", $context.zone)', values)).toBe(date.startOf('month').toUTC().toISO());
      }),
    ));

  it('read timestamps as JavaScript does and durations as Luxon does', () =>
    fc.assert(
      fc.property(
        ms,
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.tuple(fc.nat(400), fc.nat(40), fc.nat(100), fc.nat(100_000)),
        (at, offset, [days, hours, minutes, millis]) => {
          const text = DateTime.fromMillis(at, { zone: FixedOffsetZone.instance(offset) }).toISO() ?? '';
          expect(call('timestamp($context.text)', { text })).toBe(new Date(Date.parse(text)).toISOString());
          expect(call('timestamp($context.s)', { s: at / 1_000 })).toBe(new Date(at).toISOString());
          const iso = `P${days}DT${hours}H${minutes}M${(millis / 1_000).toFixed(3)}S`;
          expect(call('duration($context.iso).getMilliseconds()', { iso })).toBe(Duration.fromISO(iso).toMillis());
          const units = `${hours}h${minutes}m${millis}ms`;
          expect(call('duration($context.units).getMilliseconds()', { units })).toBe(
            Duration.fromObject({ hours, minutes, milliseconds: millis }).toMillis(),
          );
        },
      ),
      { examples: [[-67_858_220_526, 0, [0, 0, 0, 0]]] }, // 1,000 times its seconds is a little more than it
    ));

  it('add and subtract, and a saved timestamp stays usable', () =>
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        const values = { a: new Date(a).toISOString(), b: new Date(b).toISOString() };
        expect(call('timestamp($context.a) + ($context.b - $context.a) == $context.b', values)).toBe(true);
        expect(call('timestamp($context.a) < $context.b', values)).toBe(a < b);
        expect(call('($context.b - $context.a).getMilliseconds()', values)).toBe(b - a + 0);
        expect(call('$context.b - duration(string($context.b - $context.a))', values)).toBe(values.a);
      }),
    ));

  it('take the zone of the user, else of the company, else UTC', () => {
    const source = 'time(timestamp("2026-12-01T12:00:00Z"))';
    const [$user, $company] = [{ timeZone: 'America/Lima' }, { timeZone: 'Europe/Madrid' }];
    expect([evaluate(source, { $user, $company }), evaluate(source, { $company }), evaluate(source)]).toEqual(['07:00', '13:00', '12:00']);
    expect(reason(() => evaluate(source, { $user: { timeZone: 'Atlantis' } }))).toContain('there is no time zone "Atlantis"');
  });
});

it.each([
  ['hex(b"ñ")', 'c3b1'],
  ["hex(B'a👍')", '61f09f918d'],
  ['hex(b"\\xff")', 'ff'],
  ['b"日本" == bytes("日本")', true],
  ['{"b": "ñ"}.b', 'ñ'],
])('a bytes literal has the bytes of its characters in UTF-8: %s', (source, value) => {
  expect(evaluate(source)).toEqual(value);
});
