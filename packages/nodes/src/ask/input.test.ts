import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { showsNothing } from '../messages/folded-text.ts';
import { readAnswer, Input, type Reply } from './input.ts';

const answer = (input: unknown, reply: Reply | string, variables: JsonObject = {}): Json | undefined =>
  readAnswer(typeof reply === 'string' ? { text: reply } : reply, Input.parse(input), { get: (path) => getPath(variables, path) });
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\t', '\u200b', '\u2800', '\u3164\u2060'));

describe('an answer that is a text', () => {
  it('is the text itself, unless it is blank', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(answer({ kind: 'text' }, text)).toBe(showsNothing(text) ? undefined : text);
      }),
    ));

  it.each([
    [1, undefined],
    [2, 'ok'],
    [4, 'ok'],
    [5, undefined],
  ])('of 2 to 4 characters may have %d, of any number of bytes', (length, verdict) => {
    const text = '👍'.repeat(length);
    expect(answer({ kind: 'text', minLength: 2, maxLength: 4 }, text)).toBe(verdict && text);
  });

  it.each([
    ['^[A-Z]{3}-[0-9]{4}$', 'ABC-1234', true],
    ['^[A-Z]{3}-[0-9]{4}$', 'xABC-1234', false],
    ['[0-9]', 'route 66', true],
    [String.raw`^"\d\d"$`, '"42"', true],
    ['^{{a}}$', '{{a}}', true],
  ])('matches the pattern %s: %j, %s', (like, text, fits) => {
    expect(answer({ kind: 'text', like }, text)).toBe(fits ? text : undefined);
  });

  it.each(['(', '[', '(?=a)', String.raw`(a)\1`])('cannot have the pattern %j', (like) => {
    expect(Input.safeParse({ kind: 'text', like }).error?.issues).toMatchObject([{ path: ['like'] }]);
  });

  it('is judged in linear time, however hostile', () => {
    expect(answer({ kind: 'text', like: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBeUndefined();
  });
});

describe('an answer that is a number', () => {
  it('is the number, as people write it (VAR-08)', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999, max: 999_999_999 }),
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom('.', ','),
        (whole, part, point) => {
          const fraction = String(part).padStart(2, '0');
          expect(answer({ kind: 'number' }, ` ${whole}${point}${fraction} `)).toBe(Number(`${whole}.${fraction}`) + 0);
          expect(answer({ kind: 'number' }, String(whole))).toBe(whole);
        },
      ),
    ));

  it.each(['', 'lots', '7 apples or 8', '1e3', '0x10', '1.2.3', '--1', 'NaN', 'Infinity', '1'.repeat(16)])('is none in %j', (text) => {
    expect(answer({ kind: 'number' }, text)).toBeUndefined();
  });

  it.each([
    ['1.000', undefined],
    ['999,000', undefined],
    ['0.125', 0.125],
    ['1000.125', 1000.125],
    ['1.0000', 1],
    ['-0', 0],
    ['9'.repeat(15), 999_999_999_999_999],
  ])('is read from %s without guessing whether a sign groups or divides', (text, value) => {
    expect(answer({ kind: 'number' }, text)).toBe(value);
  });

  it.each([
    [0, false],
    [1, true],
    [10, true],
    [11, false],
    [1.5, false],
  ])('from 1 to 10, whole, may be %d', (value, fits) => {
    expect(answer({ kind: 'number', min: 1, max: 10, integer: true }, String(value))).toBe(fits ? value : undefined);
  });
});

describe('an answer that is an e-mail address', () => {
  it.each([
    [' ana@example.com ', 'ana@example.com'],
    ['ana@example', undefined],
    ['write to ana@example.com or bo@example.com', undefined],
    ['', undefined],
  ])('is found in %j', (text, address) => {
    expect(answer({ kind: 'email' }, text)).toBe(address);
  });
});

describe('an answer that is a phone number', () => {
  it('is possible by the small tables, which browsers load, exactly where it is by the whole ones', () => {
    const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
    const digits = fc.stringMatching(/^[0-9]{1,16}$/);
    fc.assert(
      fc.property(fc.constantFrom(...codes), digits, (code, rest) => {
        fc.pre(!/^521\d{10}$/.test(`${code}${rest}`)); // old Mexican mobile numbers, which are accepted too
        const isTaken = answer({ kind: 'phone' }, `+${code}${rest}`) !== undefined;
        expect(isTaken).toBe(isPossiblePhoneNumber(`+${code}${rest}`));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['+51 999 888 777', '51999888777'],
    ['51999888777', '51999888777'],
    ['+1 (415) 555-2671', '14155552671'],
    ['+52 1 55 1234 5678', '5215512345678'], // never rewritten to 52…
    ['+52 55 1234 5678', '525512345678'],
    ['+54 9 11 2345 6789', '5491123456789'],
    ['+51 9', undefined],
    ['+999 123 456 789', undefined],
    ['call +51999888777 or +51999888776', undefined],
    ['US.13491208655302741918', undefined],
    ['', undefined],
  ])('is found in %j', (text, digits) => {
    expect(answer({ kind: 'phone' }, text)).toBe(digits);
  });

  it('is exactly the written digits', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123456789+ -().')) }), (text) => {
        const digits = answer({ kind: 'phone' }, text);
        // "00" calls abroad; a 0 in brackets is left out then.
        expect([undefined, text.replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^00/, ''), text.replace(/\D/g, '')]).toContain(digits);
      }),
    ));

  it('may be the number of a contact that was shared', () => {
    expect(answer({ kind: 'phone' }, { contacts: [{ phones: [{ phone: '+51 999 888 777' }] }] })).toBe('51999888777');
    expect(answer({ kind: 'phone' }, { contacts: [{ name: {} }] })).toBeUndefined();
  });
});

describe('an answer that is a date', () => {
  it.each([
    ['2031-04-03', 'dayFirst', '2031-04-03'],
    ['3/4/2031', 'dayFirst', '2031-04-03'],
    ['3/4/2031', 'monthFirst', '2031-03-04'],
    ['03.04.2031', 'dayFirst', '2031-04-03'],
    [' 3-4-2031 ', 'dayFirst', '2031-04-03'],
    ['29/2/2032', 'dayFirst', '2032-02-29'],
    ['29/2/2031', 'dayFirst', undefined],
    ['31/12/2031', 'monthFirst', undefined],
    ['3/4/31', 'dayFirst', '2031-04-03'],
    ['tomorrow', 'dayFirst', undefined],
    ['', 'dayFirst', undefined],
  ])('is found in %j, %s', (text, order, date) => {
    expect(answer({ kind: 'date', order }, text)).toBe(date);
  });

  it.each([
    ['2031-01-31', false],
    ['2031-02-01', true],
    ['2031-02-28', true],
    ['2031-03-01', false],
  ])('in February may be %s', (date, fits) => {
    expect(answer({ kind: 'date', min: '2031-02-01', max: '2031-02-28' }, date)).toBe(fits ? date : undefined);
  });
});

describe('an answer that is something sent', () => {
  it('is a place on Earth', () => {
    expect(answer({ kind: 'location' }, { coordinates: { lat: -90, long: 180, name: 'Pole' } })).toEqual({ lat: -90, long: 180 });
    expect(answer({ kind: 'location' }, { coordinates: { lat: 91, long: 0 } })).toBeUndefined();
    expect(answer({ kind: 'location' }, '1.5, 2')).toBeUndefined();
  });

  it('is a list of contacts', () => {
    expect(answer({ kind: 'contact' }, { contacts: [{ name: { first_name: 'Ana' } }] })).toEqual([{ name: { first_name: 'Ana' } }]);
    expect(answer({ kind: 'contact' }, { contacts: [] })).toBeUndefined();
    expect(answer({ kind: 'contact' }, 'Ana')).toBeUndefined();
  });

  it('is a file of an accepted type', () => {
    const picture = { id: 'm', type: 'image', mediaUrl: 'https://example.com/a.png', text: 'My roof' };
    expect(answer({ kind: 'media' }, picture)).toEqual({ type: 'image', mediaUrl: 'https://example.com/a.png', text: 'My roof' });
    expect(answer({ kind: 'media', types: ['image', 'video'] }, picture)).toBeDefined();
    expect(answer({ kind: 'media', types: ['audio'] }, picture)).toBeUndefined();
    expect(answer({ kind: 'media' }, 'https://example.com/a.png')).toBeUndefined();
  });
});

describe('an accepted answer', () => {
  it.each([
    { kind: 'number', min: 2, max: 1 },
    { kind: 'text', minLength: 2, maxLength: 1 },
    { kind: 'date', min: '2031-01-02', max: '2031-01-01' },
    { kind: 'date', min: 'tomorrow' },
    { kind: 'media', types: [] },
    { kind: 'colour' },
    { kind: 'email', min: 1 },
  ])('cannot be %j', (input) => {
    expect(Input.safeParse(input).success).toBe(false);
  });
});

describe('a number as people write it', () => {
  const numeral = fc.tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 99 }));

  it('is read as its locale writes it, with any currency', () =>
    fc.assert(
      fc.property(
        numeral,
        fc.constantFrom('en-US', 'es-PE', 'es-ES', 'de-DE', 'pt-BR', 'fr-FR', 'de-CH', 'en-IN'),
        fc.constantFrom('', '$', 'S/ ', 'USD ', '€'),
        fc.constantFrom('', ' USD', ' €', ' pen'),
        ([whole, part], locale, before, after) => {
          fc.pre(before === '' || after === '');
          const value = Number(`${whole}.${String(part).padStart(2, '0')}`);
          const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' }).format(value);
          expect(answer({ kind: 'number' }, `${before}${text}${after}`, { $user: { locale } })).toBe(value);
        },
      ),
    ));

  it.each<[text: string, locale: string | undefined, value: number | undefined]>([
    ['$120', undefined, 120],
    ['120 USD', undefined, 120],
    ['1,200.50', undefined, 1200.5],
    ['1.200,50', undefined, 1200.5],
    ['1.200', undefined, undefined],
    ['1.200', 'es-ES', 1200],
    ['1.200', 'es-PE', 1.2],
    ['1.200,50', 'es-PE', 1200.5],
    ['-$5', undefined, -5],
    ['1,2,3', undefined, undefined],
    ['12 34', undefined, undefined],
    ['a few', undefined, undefined],
    ['120 USD or so', undefined, 120],
    ['1234567890123456', undefined, undefined],
    ['1.200', 'no locale', 1.2],
  ])('%s is, in the locale %s, %s', (text, locale, value) => {
    expect(answer({ kind: 'number' }, text, locale === undefined ? {} : { $company: { locale } })).toBe(value);
  });

  it('computes bounds from expressions, and reports one that is no number', () => {
    const input = { kind: 'number', min: '{{$context.least}}', max: 10 };
    expect([4, 5, 10, 11].map((value) => answer(input, String(value), { $context: { least: 5 } }))).toEqual([undefined, 5, 10, undefined]);
    expect(() => answer(input, '5', { $context: { least: 'five' } })).toThrow('{{$context.least}} came to "five", which is no number');
  });
});

describe('an answer that is a time', () => {
  it('is the time on a clock of 24 hours, however people write it', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
        const minutes = String(minute).padStart(2, '0');
        const expected = `${String(hour).padStart(2, '0')}:${minutes}`;
        const half = hour < 12 ? 'am' : 'p.m.';
        for (const text of [expected, `${hour}.${minutes}`, `${hour}h${minutes}`, `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${half}`])
          expect(answer({ kind: 'time' }, text)).toBe(expected);
      }),
    ));

  it.each(['3', '24:00', '12:60', '13 pm', '0 am', 'before noon', '', '9:5', '3 a'])('is not %j', (text) => {
    expect(answer({ kind: 'time' }, text)).toBeUndefined();
  });

  it.each([
    ['3pm', '15:00'],
    ['3 p. m.', '15:00'],
    ['15h', '15:00'],
    ['12 am', '00:00'],
  ])('is, for %j, %s', (text, time) => {
    expect(answer({ kind: 'time' }, text)).toBe(time);
  });

  it('lies between bounds, which may be timestamps where the user is', () => {
    const input = { kind: 'time', min: '09:00', max: '{{$context.closes}}' };
    const variables = { $context: { closes: '2031-03-01T23:00:00Z' }, $user: { timeZone: 'America/Lima' } };
    expect(['8:59', '9:00', '18:00', '18:01'].map((text) => answer(input, text, variables))).toEqual([
      undefined,
      '09:00',
      '18:00',
      undefined,
    ]);
    expect(() => answer(input, '9:00', { $context: { closes: 7 } })).toThrow('which is no time');
  });
});
