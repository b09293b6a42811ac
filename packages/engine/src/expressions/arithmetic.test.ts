/** Numbers keep their digits: amounts add up to amounts, and whole numbers beyond 2^53 are refused wherever they come from. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../test/evaluated.ts';
import { placesOf } from './arithmetic.ts';

const refusal = (source: string, context: Parameters<typeof evaluate>[1] = {}): string => reason(() => evaluate(source, context));

describe('amounts', () => {
  /** An amount with up to four decimal places, in its smallest unit. */
  const units = fc.integer({ min: -1e9, max: 1e9 });
  const places = fc.integer({ min: 0, max: 4 });
  const amount = (whole: number, digits: number): number => Number(`${whole}e-${digits}`);

  it('add up to the amount that a person gets', () =>
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 30 }), places, (list, digits) => {
        const total = list.reduce((sum, one) => sum + one);
        const amounts = list.map((one) => amount(one, digits));
        expect(evaluate('sum($context.list)', { $context: { list: amounts } })).toBe(amount(total, digits) + 0);
        const sources = amounts.map((_, index) => `$context.list[${index}]`);
        expect(evaluate(sources.join(' + '), { $context: { list: amounts } })).toBe(amount(total, digits) + 0);
      }),
    ));

  it('are subtracted and multiplied by a quantity so, too', () =>
    fc.assert(
      fc.property(units, units, places, fc.integer({ min: -999, max: 999 }), (a, b, digits, n) => {
        const $context = { a: amount(a, digits), b: amount(b, digits), n };
        expect(evaluate('$context.a - $context.b', { $context })).toBe(amount(a - b, digits) + 0);
        expect(evaluate('$context.n * $context.a == $context.a * $context.n', { $context })).toBe(true);
        expect(evaluate('$context.n * $context.a', { $context })).toBe(amount(a * n, digits) + 0);
      }),
    ));

  it.each([
    ['sum([10.10, 20.20, 30.30])', 60.6],
    ['0.1 + 0.2', 0.3],
    ['0.1 + 0.2 == 0.3', true],
    ['1.1 * 1.1', 1.21],
    ['0.3 - 0.1', 0.2],
    ['1e-7 + 2e-7', 3e-7],
    ['1e300 + 0.5', 1e300],
    ['1.7976931348623157e308 * 1', 1.7976931348623157e308],
    ['5e-324 * 0.5', 0],
    ['-0.1 + 0.1', 0],
  ])('%s is %j', (source, value) => expect(evaluate(source)).toBe(value));

  it('have the decimal places of their notation', () => {
    expect([19.99, 2, 1e-7, 1.5e-7, 1e21, 123.456e-10, 0.5].map(placesOf)).toEqual([2, 0, 7, 8, 0, 13, 1]);
  });
});

describe('a whole number', () => {
  const most = Number.MAX_SAFE_INTEGER;

  it.each([
    [`${most}`, ''],
    [`${most + 1}`, ''],
    ['9007199254740993', 'more digits'],
    ['-9007199254740993', 'more digits'],
    ['9007199254740993.0', 'more digits'],
    ['9007199254740993u', 'more digits'],
    ['0x20000000000001', 'more digits'],
    ['[1152921506151679042]', 'more digits'],
    ['{"id": 1152921506151679042}', 'more digits'],
    ['1.9007199254740993', ''],
    [`int("${most}")`, ''],
    ['int("9007199254740993") + 0', 'would lose digits'],
    ['uint("9007199254740993")', 'would lose digits'],
    ['number("1152921506151679042")', 'would lose digits'],
    ['double("1152921506151679042")', 'would lose digits'],
    ['int(1e20)', 'would lose digits'],
    ['bytes("[1152921506151679042]").json()[0] == "1152921506151679042"', ''],
    [`${most} - 1 + 1`, ''],
    [`${most} + 1`, 'beyond 9007199254740991'],
    [`-${most} - 1`, 'beyond 9007199254740991'],
    [`${most} * 2`, 'beyond 9007199254740991'],
    [`sum([${most}, 1])`, 'beyond 9007199254740991'],
    ['3000000000 * 3000000', ''],
    ['3000000000 * 4000000', 'beyond 9007199254740991'],
    ['1e300 * 2 > 0', ''],
    ['1e300 * 1e300', 'not a finite number'],
  ])('is kept or refused: %s', (source, words) => expect(refusal(source)).toMatch(words === '' ? /^$/ : words));
});

describe('a list of numbers in which one is missing', () => {
  const $context = { items: [{ price: 1 }, {}, { price: null }] };
  const lists = fc.constantFrom(
    '$context.items.map(i, i.price)',
    '[1, $context.items[1].price]',
    '$context.items.filter(i, i.price > 0)',
    '$context.items.map(i, i.price > 0, i.price)',
    '[$context.none]',
    '$context.items.map(i, i.price ?? null)',
    '[null]',
    '[1, "2"]',
    '[true]',
    '$context.items.map(i, i.?price)',
  );

  it('has no sum, least or most, and no default makes one', () =>
    fc.assert(
      fc.property(fc.constantFrom('sum', 'min', 'max'), lists, (name, list) => {
        expect(refusal(`${name}(${list}) ?? 0`, { $context })).toMatch(/number is missing|takes numbers, not/);
      }),
    ));

  it('is no list that is missing itself, and none that is empty', () => {
    expect(evaluate('sum($context.none) ?? 0', { $context })).toBe(0);
    expect(evaluate('min([]) ?? 7')).toBe(7);
    expect(evaluate('sum($context.items.map(i, i.price ?? 0))', { $context })).toBe(1);
  });
});

describe('bytes and texts as CEL has them', () => {
  it.each([
    ['br"\\xff".size()', 4],
    ["string(BR'\\n')", '\\n'],
    ['string(br"""a"b""")', 'a"b'],
    ['b"ab" < b"b"', true],
    ['b"ab" > b"a"', true],
    ['b"" < b"\\x00"', true],
    ['b"\\xff" >= b"\\xfe\\xff"', true],
    ['string(b"\\xc3\\xb1")', 'ñ'],
    ['trim("\\u0085\\u3000 a\\ufeff\\u200b ")', 'a\ufeff\u200b'],
    ['upperAscii("añb")', 'AñB'],
    ['lowerAscii("AÑB")', 'aÑb'],
    ['replace("aaaa", "a", "b", 2)', 'bbaa'],
    ['replace("aaaa", "a", "b", 0)', 'aaaa'],
    ['replace("aaaa", "a", "b", -1)', 'bbbb'],
    ['replace("aaaa", "a", "b", 9)', 'bbbb'],
    ['int(timestamp("2009-02-13T23:31:30Z"))', 1_234_567_890],
    ['timestamp("2026-01-01T00:00:00Z").getHours("02:00")', 2],
    ['timestamp("2026-01-01T00:00:00Z").getHours("-02:30")', 21],
  ])('%s', (source, value) => expect(evaluate(source)).toBe(value));

  it.each(['string(b"\\xff")', 'bytes("").json()', 'b"\\xff".json()'])('refuses %s', (source) => expect(refusal(source)).not.toBe(''));
});

describe('months and years', () => {
  const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

  it('lead to the same day of the month, or to its last one', () =>
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 30 }), (instant, months, years) => {
        fc.pre(months + years > 0);
        const from = instant.toISOString();
        const value = evaluate('$context.from + duration($context.by)', { $context: { from, by: `P${years}Y${months}M` } });
        const ahead = new Date(`${from.slice(0, 7)}-01T${from.slice(11)}`);
        ahead.setUTCMonth(ahead.getUTCMonth() + months + years * 12);
        const last = new Date(Date.UTC(ahead.getUTCFullYear(), ahead.getUTCMonth() + 1, 0)).getUTCDate();
        ahead.setUTCDate(Math.min(instant.getUTCDate(), last));
        expect(value).toBe(ahead.toISOString());
      }),
    ));

  it.each([
    ['timestamp("2026-01-31T00:00:00Z") + duration("P1M")', '2026-02-28T00:00:00.000Z'],
    ['timestamp("2027-03-01T00:00:00Z") + duration("P1Y")', '2028-03-01T00:00:00.000Z'],
    ['timestamp("2026-03-31T00:00:00Z") - duration("P1M")', '2026-02-28T00:00:00.000Z'],
    ['plus(timestamp("2026-02-20T17:00:00Z"), "P1M", "America/New_York")', '2026-03-20T16:00:00.000Z'],
    ['string(duration("P1Y") + duration("P1M") - duration("5s"))', 'P1Y1MT-5S'],
    ['duration("P1M") == duration("P30D")', false],
    ['duration("P12M") == duration("P1Y")', true],
  ])('%s', (source, value) => expect(evaluate(source)).toBe(value));

  it('count in the zone of the user, also where nothing else is read', () => {
    const source = 'timestamp("2026-01-31T02:00:00Z") + duration("P1M")';
    expect(evaluate(source)).toBe('2026-02-28T02:00:00.000Z');
    expect(evaluate(source, { $user: { timeZone: 'America/Lima' } })).toBe('2026-03-01T02:00:00.000Z');
  });

  it.each(['duration("P1M") > duration("P30D")', 'duration("P1M").getHours()', 'duration("P1.5M")', 'plus($now, "P1.5Y")'])(
    'are refused where they have no fixed length: %s',
    (source) => expect(refusal(source)).not.toBe(''),
  );

  it('are read back from what is written of them', () =>
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: -1e9, max: 1e9 }), (months, ms) => {
        const by = `${months < 0 ? '-' : ''}P${Math.abs(months)}M`;
        const source = `duration("${by}") + duration("${ms}ms")`;
        expect(evaluate(`duration(string(${source})) == ${source}`)).toBe(true);
      }),
    ));
});
