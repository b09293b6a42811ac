import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Duration, instantMs, meantDuration, parseDurationMs } from './duration.ts';

/** ISO 8601's parts in their order, with the milliseconds that one of each is. */
const day = 86_400_000;
const parts = [
  ['W', 7 * day],
  ['D', day],
  ['TH', 3_600_000],
  ['TM', 60_000],
  ['TS', 1_000],
] as const;

/** A duration after its grammar, with its value: some of the parts, a fraction in the last alone. */
const duration = fc
  .record({
    chosen: fc.subarray([...parts], { minLength: 1 }),
    amounts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: parts.length, maxLength: parts.length }),
    fraction: fc.constantFrom('', '.5', ',5', '.25', ',125'),
  })
  .map(({ chosen, amounts, fraction }) => {
    let text = 'P';
    let ms = 0;
    for (const [index, [name, unitMs]] of chosen.entries()) {
      const isLast = index === chosen.length - 1;
      const amount = `${amounts[index] ?? 1}${isLast ? fraction : ''}`;
      text += `${name.startsWith('T') && !text.includes('T') ? 'T' : ''}${amount}${name.at(-1) ?? ''}`;
      ms += Number(amount.replace(',', '.')) * unitMs;
    }
    return { text, ms };
  });

describe('a duration', () => {
  it.each([
    ['2h', 'PT2H'],
    ['90 min', 'PT90M'],
    ['30 Secs', 'PT30S'],
    ['1 day', 'P1D'],
    ['2w', 'P2W'],
    ['3 months', 'P3M'],
    ['1h 30m', 'PT1H30M'],
    ['1 day, 2 hours and 30 min', 'P1DT2H30M'],
  ])('that is written as people say it is refused with what to write: %s', (text, meant) => {
    expect(Duration.safeParse(text).error?.issues[0]?.message).toContain(`; write "${meant}"`);
  });

  it.each(['soon', '2', '2 moons', '02:00', 'h', '2 constructor', '1h 30 moons'])(
    'that says nothing known is refused by its rule: %s',
    (text) => {
      expect(meantDuration(text)).toBe('');
    },
  );

  it('is read as ISO 8601 writes it, with a point or a comma', () =>
    fc.assert(
      fc.property(duration, ({ text, ms }) => {
        expect(parseDurationMs(text)).toBe(Math.round(ms));
      }),
    ));

  it.each([
    '',
    'P',
    'PT',
    'T1S',
    'PT1',
    '20',
    '20s',
    'pt20s',
    ' PT20S',
    'PT20S ',
    'PT20S\n',
    'P1H',
    'PT1D',
    'PT1S1M',
    'P1D1D',
    'PT.5S',
    'PT1.S',
    '-PT5S',
    'PT-5S',
    '+PT5S',
    'P1DT-1H',
    'P1Y-1M',
    'PT1H-0M',
    'P1DT',
    'PT1.5H30M',
    'P0,5DT1H',
    'P0003-01-02T04:05:06',
    'PT٣S',
    'PT0S',
    'P0D',
    'PT0.0001S',
    'P1Y',
    'P1M',
    'P1Y2D',
    'P36601D',
    'PT9999999999999999999S',
  ])('is not %j', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });

  it('has at most a hundred years', () => {
    expect(parseDurationMs('P36600D')).toBe(36_600 * day);
  });
});

describe('an instant', () => {
  it('is read in each of the forms that name a day and a zone', () => {
    const forms = ['2031-03-01T09:00:00-05:00', '20310301T090000-0500', '2031-W09-6T09-05', '2031-060T14:00Z', '2031-03-01t14:00:00.000z'];
    expect(forms.map(instantMs)).toEqual(forms.map(() => Date.parse('2031-03-01T14:00:00Z')));
  });

  it.each([
    '2031-03-01',
    '2031-03-01T09:00:00',
    '2031-03-01 09:00:00Z',
    '2031-03-01T09:00:00 Z',
    '2031-03-01T09:00:00[America/Lima]',
    '',
    '2031T09:00Z',
    '2031-03T09:00Z',
    '203103T09Z',
    '2031-W09T09:00Z',
    '+002031-03T09:00Z',
    '2031-02-29T00:00Z',
    '2100-02-29T00:00Z',
    '2031-366T00:00Z',
    '2031-W53-1T00:00Z',
    '2031-03-01T24:00:01Z',
    '2031-06-30T23:59:60Z',
    '9999-12-31T23:59:59-05:00',
    '+010000-01-01T00:00:00Z',
    '-000001-12-31T00:00:00Z',
    '2031-03-01T09:00:00+24:00',
  ])('is not %j', (text) => {
    expect(instantMs(text)).toBeUndefined();
  });
});
