import { compileJson, getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 12);

const read = (input: JsonObject | string, text: string, user: JsonObject = {}, company: JsonObject = {}): Json | undefined =>
  readAnswer(
    { text },
    Input.parse(typeof input === 'string' ? { kind: input } : input),
    { get: (path) => getPath({ $user: user, $company: company }, path) },
    nowMs,
  );

const mexico = { locale: 'es-MX', timeZone: 'America/Mexico_City' };

/** All languages that the platform has, and countries that write numbers and dates in ways of their own. */
const locales = (() => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const codes = letters.flatMap((one) => letters.flatMap((two) => [one + two, ...letters.map((three) => one + two + three)]));
  const countries =
    'en-IN en-ZA en-CA en-US es-PE es-MX es-AR es-CR pt-PT de-CH de-AT fr-CH fr-CA ar-EG ar-SA ar-MA zh-TW fa-AF ur-IN ff-Adlm en-SE ks-Deva';
  return Intl.NumberFormat.supportedLocalesOf([...codes, ...countries.split(' ')]);
})();

describe('what a locale prints', () => {
  const printNumber = compileJson('{{formatNumber($context.value, $context.digits)}}');
  const print = (locale: string, $context: JsonObject) =>
    printNumber({ get: (path) => getPath({ $context, $user: { locale } }, path) }) as string;

  it('is read as the same number in that locale, strictly too', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
        fc.integer({ min: 0, max: 999_999 }),
        fc.integer({ min: 0, max: 3 }),
        (locale, large, small, digits) => {
          for (const whole of [large, small]) {
            const value = Number(`${whole}e-${digits}`);
            const printed = print(locale, { value, digits });
            expect([locale, printed, read('number', printed, { locale })]).toEqual([locale, printed, value]);
            expect(read({ kind: 'number', strict: true }, printed, { locale })).toBe(value);
          }
        },
      ),
      { numRuns: 300 },
    ));

  it.each([
    ['tok', '1 00,000', 100],
    ['tok', '12 34 56,500', 123_456.5],
    ['fr', '100 000,000', 100_000],
    ['de', '100٫000', 100],
  ])('is read by its own groups and fraction: %s, %s', (locale, printed, value) => {
    expect(read('number', printed, { locale })).toBe(value);
  });

  // A person means what their locale prints; where that is unknown, 1,234 may be either, and they are asked again.
  it.each([
    ['en', '1,234', 1234],
    ['en', '1.234', 1.234],
    ['en', '1,23', 1.23],
    ['en-IN', '1,00,000', 100_000],
    ['en-ZA', '1,234', 1.234],
    ['es-PE', '1,234', 1234],
    ['es-AR', '1,234', 1.234],
    ['es-AR', '1.234', 1234],
    ['pt-BR', '1.234', 1234],
    ['de', '1,234', 1.234],
    ['no locale', '1,234', 1234], // what is no locale is read as English
    [undefined, '1,234', undefined],
    [undefined, '1.234', undefined],
    [undefined, '1,23', 1.23],
    [undefined, '0,123', 0.123],
    [undefined, '1,234,567', 1_234_567],
    [undefined, '1.234,5', 1234.5],
  ])('decides where a sign may group or divide: in %s, %s is %s', (locale, written, value) => {
    expect(read('number', written, locale === undefined ? {} : { locale })).toBe(value);
  });

  it('is read in the digits of every script', () => {
    for (const system of Intl.supportedValuesOf('numberingSystem')) {
      if (system === 'hanidec') continue; // characters, which are digits only in a locale that has them
      const printed = new Intl.NumberFormat(`en-u-nu-${system}`).format(-1_230_456_789);
      expect([system, read('number', printed)]).toEqual([system, -1_230_456_789]);
    }
  });

  it.each(['numeric', '2-digit', 'short', 'long'] as const)('is read as the same day in that locale, with a %s month', (month) => {
    const day = month === '2-digit' ? month : 'numeric';
    for (const locale of locales) {
      const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month, day, timeZone: 'UTC' });
      const printed = format.format(Date.UTC(2031, 3, 13, 12));
      expect([locale, printed, read('date', printed, { locale })]).toEqual([locale, printed, '2031-04-13']);
    }
  });

  it('is read as any day of that locale, in each of its months', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('ky', 'ug', 'nqo', 'tok', 'syr', 'de', 'ja', 'fa-AF', 'hu', 'lt', 'sv', 'eu'),
        fc.constantFrom('numeric', 'long'),
        fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) }),
        (locale, month, ms) => {
          const date = new Date(ms).toISOString().slice(0, 10);
          const printed = new Intl.DateTimeFormat(locale, { year: 'numeric', month, day: 'numeric', timeZone: 'UTC' }).format(ms);
          // A year, a month and a day of two digits, with hyphens: the same day in every locale.
          fc.pre(!/^\d{4}-(?:0\d|1[0-2])-\d\d$/.test(printed));
          expect([locale, printed, read('date', printed, { locale })]).toEqual([locale, printed, date]);
          expect(read({ kind: 'date', strict: true }, printed, { locale })).toBe(date);
        },
      ),
      { numRuns: 300 },
    ));

  it.each([
    ['ky', '2031-03-04', '2031-03-04'],
    ['ky', '2031-13-04', '2031-04-13'],
    ['ky', '2031-13-13', undefined],
    ['ug', '2031-3-4', '2031-04-03'],
    ['ug', '2031-03-04', '2031-03-04'],
    ['tok', '#2031)#4)#3', '2031-04-03'],
    ['syr', '30 \u0712\u072b\u0712\u071b 2031', undefined],
  ])('in %s: %s is %s, and years, months and days with hyphens are the same everywhere', (locale, printed, date) => {
    expect(read('date', printed, { locale })).toBe(date);
  });

  const printTime = compileJson('{{format($context.at, "t")}}');

  it('is read as the same time in that locale', () => {
    for (const locale of locales) {
      for (const time of ['00:05', '09:30', '12:30', '15:30']) {
        const $context = { at: `2031-04-13T${time}:00Z` };
        const printed = printTime({ get: (path) => getPath({ $context, $user: { locale } }, path) }) as string;
        expect([locale, printed, read('time', printed, { locale })]).toEqual([locale, printed, time]);
      }
    }
  });
});

describe('a number in a sentence', () => {
  it.each<[text: string, value: number | undefined, locale?: string]>([
    ['20 años', 20],
    ['20 pesos', 20],
    ['5%', 5],
    ['about 20', 20],
    ["J'AI 20ANS", 20],
    ['the number 10', 10],
    ['£.42', 0.42],
    ['.5', 0.5],
    ['5.', 5],
    ['S/.20', 20],
    ['Rs. 500', 500],
    ['Rs.500', 500],
    ['Bs. 120', 120],
    ['kr 100', 100],
    ['R$ 1.234,50', 1234.5],
    ['1,00,000', 100_000, 'en-IN'],
    ['₹1,00,000', 100_000, 'en-IN'],
    ['20 mil', 20_000],
    ['5k', 5_000],
    ['2 millones', 2_000_000],
    ['20 mil quinientos', 20_500],
    ['20 mil cien', 20_100],
    ['35 mil 200', 35_200],
    ['35 mil 200 pesos', 35_200],
    ['35 Mil y 5', 35_005],
    ['3 thousand and 50', 3_050],
    ['2 millones 300 mil', 2_300_000],
    ['2 millones quinientos mil', 2_500_000],
    ['2 millones y medio', 2_500_000],
    ['um milhão e 200 mil', 1_200_000],
    ['10 mil 20 mil', undefined],
    ['10 mil o 20 mil', undefined],
    ['35 mil 2000', undefined],
    ['35 mil 1/2', undefined],
    ['35,5 mil 200', undefined],
    ['35 milagros', 35],
    ['ninguno', 0],
    ['Ninguna.', 0],
    ['none', 0],
    ['ninguno de los dos', undefined],
    // More or less than a number is none.
    ['más de 10', undefined],
    ['menos de S/ 10', undefined],
    ['more than 10', undefined],
    ['10 o más', undefined],
    ['10+', undefined],
    ['≥10', undefined],
    ['20 años y pico', undefined],
    ['No 5', 5],
    ['al menos 10', undefined],
    ['hasta 500', undefined],
    ['2 dozen', undefined],
    ['20 y medio', 20.5],
    ['2½', 2.5],
    ['½', 0.5],
    ['2 1/2', 2.5],
    ['1.200 y medio', undefined],
    ['20 y medio millones', 20_500_000],
    ['2 1/3', undefined],
    ['más o menos 20', 20],
    ['al menos 5', undefined],
    ['menos 5', -5],
    ['minus 5', -5],
    ['$-5', -5],
    ['-$5', -5],
    ['A-5', undefined],
    ['B12', undefined],
    ['3B', undefined],
    ['15:30', undefined],
    ['3/4', undefined],
    ['1-15', undefined],
    ['between 3 and 5', undefined],
    ['7 apples', 7],
    ['٢٠', 20],
    ['１２', 12],
    ['2️⃣', 2],
    ['\u202a20\u202c', 20],
    [`${'x'.repeat(320)} 5`, undefined],
    ['{{7}}', undefined],
  ])('is found in %j: %s', (text, value, locale) => {
    expect(read('number', text, locale === undefined ? {} : { locale })).toBe(value);
  });

  it.each([
    ['20 años', undefined],
    ['120 USD', 120],
    ['$120', 120],
    ['-5.', -5],
    ['about 20', undefined],
  ])('is refused where the answer must be alone: %j is %s', (text, value) => {
    expect(read({ kind: 'number', strict: true }, text)).toBe(value);
    expect(read({ kind: 'number', find: false }, text)).toBe(value);
    expect(Input.safeParse({ kind: 'number', strict: true, find: true }).success).toBe(false);
  });

  it('is the number of any sentence around it that has no other', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.array(fc.constantFrom('tengo', 'unos', 'years', 'por', 'favor', 'gracias', 'o', 'así'), { maxLength: 5 }),
        fc.nat({ max: 5 }),
        (value, words, at) => {
          const sentence = [...words.slice(0, at), String(value), ...words.slice(at)].join(' ');
          expect(read('number', sentence)).toBe(value);
          expect(read('number', `${sentence} y ${value}`)).toBeUndefined();
        },
      ),
    ));
});

describe('a phone number', () => {
  it.each<[text: string, digits: string | undefined, user?: JsonObject, company?: JsonObject]>([
    ['\u202a+52 55 1234 5678\u202c', '525512345678'],
    ['\u2068+52 55 1234 5678\u2069', '525512345678'],
    ['\u200e+52\u201155\u20111234\u20115678', '525512345678'],
    ['00525512345678', '525512345678'],
    ['tel:+525512345678', '525512345678'],
    ['whatsapp:+525512345678', '525512345678'],
    ['https://wa.me/525512345678', '525512345678'],
    ['+44 (0)20 7946 0958', '442079460958'],
    ['my number is +51 999 888 777, thanks', '51999888777'],
    ['+51 999 888 777 or +51 999 888 776', undefined],
    ['55 1234 5678', '525512345678', mexico],
    ['525512345678', '525512345678', mexico],
    ['044 55 1234 5678', '525512345678', mexico],
    ['01 (55) 1234-5678', '525512345678', mexico],
    ['987 654 321', '51987654321', { locale: 'es-PE' }],
    ['987 654 321', '51987654321', { timeZone: 'America/Lima' }],
    ['987 654 321', '51987654321', { phone: '51999888777' }],
    ['987 654 321', '51987654321', {}, { locale: 'es-PE' }],
    ['987 654 321', '51987654321', {}, { timeZone: 'America/Lima' }],
    ['11 2345-6789', '541123456789', { timeZone: 'America/Argentina/Buenos_Aires' }],
    ['4805551234', '14805551234', { locale: 'en-US', timeZone: 'America/Phoenix' }],
    ['(480) 555-1234', '14805551234', { locale: 'en-US' }],
    ['51999888777', '51999888777', mexico],
    ['987654321', undefined, mexico],
    ['55 1234 5678', undefined],
    ['987654321', undefined],
    ['4805551234', undefined],
  ])('%j is %s', (text, digits, user, company) => {
    expect(read('phone', text, user, company)).toBe(digits);
  });

  it.each([
    ['call +51999888777', undefined],
    ['tel:+51 999 888 777', '51999888777'],
    ['+51 999 888 777', '51999888777'],
  ])('is refused where it must be alone: %j is %s', (text, digits) => {
    expect(read({ kind: 'phone', strict: true }, text)).toBe(digits);
  });
});

describe('a day', () => {
  it.each<[text: string, date: string | undefined, user?: JsonObject]>([
    ['31/12/26', '2026-12-31'],
    ['2026/12/31', '2026-12-31'],
    ['2026.12.31', '2026-12-31'],
    ['31. 12. 2026', '2026-12-31'],
    ['31 dic 2026', '2026-12-31'],
    ['31-dic-26', '2026-12-31'],
    ['mar 31 dic 2026', '2026-12-31'],
    ['31 12 2026', '2026-12-31'],
    ['December 31st, 2026', '2026-12-31'],
    ['the 31st of December 2026', '2026-12-31'],
    ['31 de dezembro de 2026', '2026-12-31'],
    ['para el 31/12/2026, por favor', '2026-12-31'],
    ['29/02/2027', undefined],
    ['25 de diciembre', '2026-12-25'],
    ['25/12', '2026-12-25'],
    ['5 may', '2027-05-05'],
    ['28 de noviembre', '2026-11-28'],
    ['hoy', '2026-11-28'],
    ['Mañana!', '2026-11-29'],
    ['mañana por la mañana', '2026-11-29'],
    ['pasado mañana', '2026-11-30'],
    ['the day after tomorrow', '2026-11-30'],
    ['amanhã', '2026-11-29'],
    ['morgen', '2026-11-29', { locale: 'de' }],
    ['3/4/85', '1985-04-03'],
    ['3/4/46', '2046-04-03'],
    ['3/4/2031', '2031-04-03'],
    ['3/4/2031', '2031-03-04', { locale: 'en-US' }],
    ['31/12/2031', '2031-12-31', { locale: 'en-US' }],
    ['1.5', undefined],
    ['1.2.3.4', undefined],
    ['2 days', undefined],
    ['por la mañana', undefined],
    ['3/4/2031 al 5/4/2031', undefined],
    ['2031-04-03T10:00', undefined],
    ['5', undefined],
  ])('is found in %j: %s', (text, date, user = { locale: 'es-MX' }) => {
    expect(read('date', text, user)).toBe(date);
  });

  it('is that of the user: today in Auckland is tomorrow in Lima', () => {
    expect(read('date', 'today', { timeZone: 'Pacific/Auckland' })).toBe('2026-11-29');
    expect(read('date', 'today', { timeZone: 'America/Lima' })).toBe('2026-11-28');
  });

  it('has the year that lies within the bounds', () => {
    const born = { kind: 'date', max: '2020-01-01' };
    expect(read(born, '3/4/10')).toBe('2010-04-03');
    expect(read(born, '3/4/36')).toBe('1936-04-03');
    expect(read({ kind: 'date', strict: true }, 'el 3/4/2031')).toBeUndefined();
    expect(read({ kind: 'date', strict: true }, '3/4/2031')).toBe('2031-04-03');
  });
});

describe('a time', () => {
  it.each<[text: string, time: string | undefined]>([
    ['a las 15:30', '15:30'],
    ['a las 15', '15:00'],
    ['a las 3', undefined],
    ['3 de la tarde', '15:00'],
    ['8 de la noche', '20:00'],
    ['12 de la noche', '00:00'],
    ['at 10 PM', '22:00'],
    ['10:30:45', '10:30'],
    ['15 h 30', '15:30'],
    ['25.12.2026', undefined],
    ['15:30 y 16:30', undefined],
    ['las 3 y media', undefined],
  ])('is found in %j: %s', (text, time) => {
    expect(read('time', text)).toBe(time);
  });

  it('is in the half of the day that the bounds leave', () => {
    expect(read({ kind: 'time', min: '09:00', max: '18:00' }, 'a las 3')).toBe('15:00');
    expect(read({ kind: 'time', strict: true }, 'a las 15:30')).toBeUndefined();
  });
});

describe('what is said in words', () => {
  it.each<[text: string, value: number | undefined]>([
    ['dos', 2],
    ['Veintiuno', 21],
    ['veinte y cinco', 25],
    ['treinta y cinco años', 35],
    ['tengo dos hijos', 2],
    ['mil quinientos pesos', 1_500],
    ['dos mil trescientos cuarenta y cinco', 2_345],
    ['ciento veinte', 120],
    ['un millón doscientos mil', 1_200_000],
    ['dos mil millones', 2_000_000_000],
    ['un millón y medio', 1_500_000],
    ['medio millón', 500_000],
    ['a million and a half', 1_500_000],
    ['dois milhões e meio', 2_500_000],
    ['un millón 200 mil', 1_200_000],
    ['una', 1],
    ['solo una', 1],
    ['cien', 100],
    ['menos dos', -2],
    ['20 por ciento', 20],
    ['twenty-one', 21],
    ['one hundred and five', 105],
    ['twelve hundred', 1_200],
    ['about a hundred', 100],
    ['three thousand two hundred', 3_200],
    ['zero', 0],
    ['vinte e um', 21],
    ['veinti cinco', 25],
    ['dieci ocho', 18],
    ['dos y medio', 2.5],
    ['one and a half', 1.5],
    ['um e meio', 1.5],
    ['mil soles', 1_000],
    ['una persona', 1],
    ['un año', 1],
    ['mil e quinhentos', 1_500],
    ['dezesseis', 16],
    // An article or a phrase is no number.
    ['un momento', undefined],
    ['mil gracias', undefined],
    ['una mesa para cuatro', 4],
    ['una mesa para 4', 4],
    ['this one', undefined],
    ['once I know', undefined],
    // More than one number, or a part of one.
    ['dos o tres', undefined],
    ['entre tres y cuatro', undefined],
    ['una docena', undefined],
    ['sincuenta y cinco', 55],
    ['dosena y cinco', undefined],
    ['mi esposa y dos niños', undefined],
    ['dos docenas', undefined],
    ['millones', undefined],
    ['one two three', undefined],
    ['constructor', undefined],
  ])('a number: %j is %s', (text, value) => {
    expect(read('number', text)).toBe(value);
  });

  const twoDigits = ['', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'];
  const tens = ['treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa'];
  const belowHundred = fc
    .tuple(fc.nat({ max: tens.length - 1 }), fc.nat({ max: 9 }))
    .map(([ten, unit]) => ({ value: (ten + 3) * 10 + unit, text: `${tens[ten]}${unit === 0 ? '' : ` y ${twoDigits[unit]}`}` }));
  it('a number of thousands, with its hundreds and tens', () =>
    fc.assert(
      fc.property(
        fc.option(belowHundred),
        fc.option(fc.constantFrom(['doscientos', 200], ['novecientos', 900] as const)),
        belowHundred,
        (thousands, hundreds, rest) => {
          const text = [thousands && `${thousands.text} mil`, hundreds?.[0], rest.text].filter(Boolean).join(' ');
          const value = (thousands?.value ?? 0) * 1_000 + Number(hundreds?.[1] ?? 0) + rest.value;
          expect([text, read({ kind: 'number', strict: true }, text)]).toEqual([text, value]);
        },
      ),
      { numRuns: 100 },
    ));

  // It is Saturday, 28 November 2026.
  it.each<[text: string, date: string | undefined]>([
    ['el lunes', '2026-11-30'],
    ['LUNES.', '2026-11-30'],
    ['este viernes', '2026-12-04'],
    ['el viernes que viene', '2026-12-04'],
    ['próximo sábado', '2026-12-05'],
    ['el lunes pasado', '2026-11-23'],
    ['lunes 30', '2026-11-30'],
    ['on Friday', '2026-12-04'],
    ['next monday', '2026-11-30'],
    ['monday the 30th', '2026-11-30'],
    ['segunda-feira', '2026-11-30'],
    ['una cita el lunes a las 3', '2026-11-30'],
    ['en 3 días', '2026-12-01'],
    ['dentro de una semana', '2026-12-05'],
    ['in two weeks', '2026-12-12'],
    ['daqui a dois dias', '2026-11-30'],
    ['en un mes', '2026-12-28'],
    ['hace 3 días', '2026-11-25'],
    ['two weeks ago', '2026-11-14'],
    ['el 25', '2026-12-25'],
    ['dia 28', '2026-11-28'],
    ['the 31st', '2026-12-31'],
    ['dos de mayo', '2027-05-02'],
    ['once de mayo', '2027-05-11'],
    ['primero de enero', '2027-01-01'],
    ['antes de ayer', '2026-11-26'],
    ['the day before yesterday', '2026-11-26'],
    ['tommorow', '2026-11-29'],
    ['lun 30', '2026-11-30'],
    ['vie', '2026-12-04'],
    ['fri 4 dec', '2026-12-04'],
    ['sun cream', undefined],
    ['05051990', '1990-05-05'],
    ['19900505', '1990-05-05'],
    ['31022027', undefined],
    ['12345678', undefined],
    // It is said which day it is not, or on which side of it.
    ['no el lunes', undefined],
    ['no mañana', undefined],
    ['not on monday', undefined],
    ['mañana no puedo', undefined],
    ['el lunes no', undefined],
    ["I can't tomorrow", undefined],
    ['cualquier día menos el lunes', undefined],
    ['antes del 5 de mayo', undefined],
    ['después del lunes', undefined],
    ['after tomorrow', undefined],
    ['no, el lunes', '2026-11-30'],
    ['why not monday', '2026-11-30'],
    ['no hay problema, mañana', '2026-11-29'],
    ['no importa, mañana', '2026-11-29'],
    ['desde el lunes', undefined],
    ['Navidad', '2026-12-25'],
    ['el día de navidad', '2026-12-25'],
    ['para navidad!', '2026-12-25'],
    ['Christmas Eve', '2026-12-24'],
    ['nochebuena', '2026-12-24'],
    ["new year's eve", '2026-12-31'],
    ['New Year’s Day', '2027-01-01'],
    ['año nuevo', '2027-01-01'],
    ['fin de año', '2026-12-31'],
    ['navidad de 2028', '2028-12-25'],
    ['natal', '2026-12-25'],
    ['san valentín', '2027-02-14'],
    ['después de navidad', undefined],
    ['entre navidad y año nuevo', undefined],
    ['natalia', undefined],
    ['constructor', undefined],
    ['first of january', '2027-01-01'],
    ['december twenty-first', '2026-12-21'],
    ['15 del 12', '2026-12-15'],
    ['15 del 12 del 2027', '2027-12-15'],
    ['15 de este mes', '2026-11-15'],
    ['el 15 del próximo mes', '2026-12-15'],
    ['a week from today', '2026-12-05'],
    ['two weeks from now', '2026-12-12'],
    ['de aquí a 3 días', '2026-12-01'],
    ['el viernes de la próxima semana', '2026-12-04'],
    ['may 5 10am', '2027-05-05'],
    // A day with its weekday is the day.
    ['lunes 30 de noviembre', '2026-11-30'],
    // Two days are possible, or none is said.
    ['sábado', undefined],
    ['lunes o martes', undefined],
    ['del 5 al 10 de mayo', undefined],
    ['5 y 6 de mayo', undefined],
    ['may 5-10', undefined],
    ['15 or 16 dec', undefined],
    ['el 5 de mayo o el 6', undefined],
    ['3 days after tomorrow', undefined],
    ['31 de este mes', undefined],
    ['viernes 30', undefined],
    ['la segunda', undefined],
    ['quiero el 25', undefined],
    ['3 días', undefined],
    ['la próxima semana', undefined],
    ['el 32', undefined],
  ])('a day: %j is %s', (text, date) => {
    expect(read('date', text)).toBe(date);
  });

  it('a day: what an author wants alone is alone', () => {
    expect(read({ kind: 'date', strict: true }, 'el próximo lunes')).toBe('2026-11-30');
    expect(read({ kind: 'date', strict: true }, 'dentro de 3 días')).toBe('2026-12-01');
    expect(read({ kind: 'date', strict: true }, 'el lunes a las tres')).toBeUndefined();
    expect(read('date', 'sexta', { locale: 'pt-BR' })).toBe('2026-12-04');
    expect(read('date', 'am Montag', { locale: 'de' })).toBe('2026-11-30');
  });

  it('a day: on a Tuesday "next friday" may be either, and "viernes" is this week', () => {
    const onTuesday = (text: string) =>
      readAnswer({ text }, Input.parse({ kind: 'date' }), { get: () => undefined }, Date.UTC(2026, 11, 1, 12));
    expect([onTuesday('next friday'), onTuesday('friday'), onTuesday('next monday')]).toEqual([undefined, '2026-12-04', '2026-12-07']);
    expect([onTuesday('viernes de la próxima semana'), onTuesday('friday next week')]).toEqual(['2026-12-11', '2026-12-11']);
  });

  it.each<[text: string, time: string | undefined]>([
    ['a las tres de la tarde', '15:00'],
    ['a la una de la tarde', '13:00'],
    ['a las tres y media de la tarde', '15:30'],
    ['8 y cuarto de la noche', '20:15'],
    ['diez y cinco de la mañana', '10:05'],
    ['once de la noche', '23:00'],
    ['a las 3 y 20 pm', '15:20'],
    ['ten am', '10:00'],
    ['às três e meia da tarde', '15:30'],
    ['mediodía', '12:00'],
    ['al mediodia', '12:00'],
    ['noon', '12:00'],
    ['meio-dia', '12:00'],
    ['medianoche', '00:00'],
    ['12 del mediodía', '12:00'],
    ['12 del día', '12:00'],
    ['8 noche', '20:00'],
    ['930am', '09:30'],
    ['8 30 pm', '20:30'],
    ['a las 4 menos cuarto de la tarde', '15:45'],
    ['la una menos diez de la tarde', '12:50'],
    ['twenty past three pm', '15:20'],
    ['quarter to 4 in the afternoon', '15:45'],
    ['mesa para 4 a las 15:30', '15:30'],
    // Another time than the hour beside it, or either half of the day.
    ['4 menos cuarto', undefined],
    ['quarter to four', undefined],
    ['a las tres y media', undefined],
    ['1730', '17:30'],
    ['0830 hrs', '08:30'],
    ['a las 1730', '17:30'],
    ['2530', undefined],
    ['1730 soles', undefined],
    ['después de las 5pm', undefined],
    ['antes das 10h', undefined],
    ['after 5pm', undefined],
    ['before noon', undefined],
    ['a las 5pm no puedo', undefined],
    ['no a las 5pm', undefined],
    ['no, a las 5pm', '17:00'],
    ['quarter after 4 pm', '16:15'],
    ['antes del mediodía', undefined],
    ['a las 10 o 11', undefined],
    ['between 3 and 4pm', undefined],
    ['from 3 to 4pm', undefined],
    ['10 to 11pm', undefined],
    ['9am - 10am', undefined],
    ['una hora', undefined],
  ])('a time: %j is %s', (text, time) => {
    expect(read('time', text)).toBe(time);
  });

  it('a time: the bounds of the question choose the half of the day', () => {
    expect(read({ kind: 'time', min: '09:00', max: '18:00' }, 'a las tres y media')).toBe('15:30');
    for (const text of ['half past three', 'cuatro menos 30', 'at 3 y media', 'thirty minutes to four'])
      expect([text, read({ kind: 'time', min: '09:00', max: '18:00' }, text)]).toEqual([text, '15:30']);
    for (const text of ['quarter to four', 'un cuarto para las cuatro', 'quinze para as quatro', '4 menos cuarto', 'las 4 menos 15'])
      expect([text, read({ kind: 'time', min: '09:00', max: '18:00' }, text)]).toEqual([text, '15:45']);
    for (const text of ['9 en punto', 'a las nueve', 'las 9', "nine o'clock"])
      expect([text, read({ kind: 'time', min: '09:00', max: '18:00' }, text)]).toEqual([text, '09:00']);
    expect(read({ kind: 'time', max: '11:00' }, 'al mediodía')).toBeUndefined();
  });
});

describe('an e-mail address', () => {
  it.each<[text: string, address: string | undefined]>([
    ['a&b@example.com', 'a&b@example.com'],
    ['ana+x@example.com', 'ana+x@example.com'],
    ['ana@ñandú.example', 'ana@ñandú.example'],
    ['josé@example.com', 'josé@example.com'],
    ['ana@example.com.', 'ana@example.com'],
    ['ana@example.com\u00a0\u200b', 'ana@example.com'],
    ['Ana <ana@example.com>', 'ana@example.com'],
    ['mi correo es ana@x.pe, gracias', 'ana@x.pe'],
    ['mailto:ana@x.pe', 'ana@x.pe'],
    ['ana@x.pe😀', 'ana@x.pe'],
    ['ana@x.pe 👍🏽', 'ana@x.pe'],
    ['a@x.com b@x.com', undefined],
    ['ana arroba x.pe', 'ana@x.pe'],
    ['ana.p arroba gmail punto com', 'ana.p@gmail.com'],
    ['ana at x dot pe', 'ana@x.pe'],
    ['ana(at)x.pe', 'ana@x.pe'],
    ['ana@ x.pe', 'ana@x.pe'],
    ['es @ana.pe', undefined],
    ['ana at home', undefined],
    ['a..b@x.com', undefined],
    ['ana@example', undefined],
    ['@ana', undefined],
    ['ana@x.com@y.com', undefined],
  ])('is found in %j: %s', (text, address) => {
    expect(read('email', text)).toBe(address);
  });
});

describe('an answer of any length', () => {
  it.each(['number', 'time', 'date', 'phone', 'email'])('that is too long for the kind %s is not read', (kind) => {
    for (const text of [`1${'-'.repeat(400)}`, `1${' x'.repeat(40_000)}`, '1'.repeat(1_000_000), `${'a@'.repeat(40_000)}b.c`])
      expect(read(kind, text)).toBeUndefined();
  });
});
