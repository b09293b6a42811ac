import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessHours } from './business-hours.ts';
import { isOpenAt, nextOpening, OpeningHours } from './opening-hours.ts';

const minute = 60_000;
const zones = [
  'America/Lima',
  'America/New_York',
  'Europe/Madrid',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Cairo',
  'UTC',
];
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** The time in a zone, by the platform itself. */
function clockOf(zone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
  });
  return (ms: number) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return {
      date: `${part['year']}-${part['month']}-${part['day']}`,
      time: `${part['hour']}:${part['minute']}`,
      day: dayNames.find((name) => name === part['weekday']?.toLowerCase()) ?? 'mon',
    };
  };
}

const time = fc
  .nat({ max: 95 })
  .map((quarter) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`);
const intervals = fc.uniqueArray(time, { minLength: 2, maxLength: 4 }).map((times) => {
  const sorted = times.toSorted();
  return sorted.length === 4 ? [sorted.slice(0, 2), sorted.slice(2)] : [sorted.slice(0, 2)];
});
const week = fc
  .record({ sun: intervals })
  .chain((must) =>
    fc.record(Object.fromEntries(dayNames.map((day) => [day, intervals])), { requiredKeys: [] }).map((rest) => ({ ...rest, ...must })),
  );
/** Nights on which some clock is put forward or back, and any other instant of two years. */
const instant = fc.oneof(
  fc
    .constantFrom(
      '2026-03-08T07:00Z',
      '2026-11-01T06:00Z',
      '2026-03-29T01:00Z',
      '2026-10-25T01:00Z',
      '2026-04-04T15:00Z',
      '2026-10-03T15:30Z',
      '2026-04-23T22:00Z',
    )
    .chain((text) => fc.integer({ min: -180, max: 180 }).map((minutes) => Date.parse(text) + minutes * minute)),
  fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') }),
);

describe('opening hours', () => {
  it('are open by the time of the zone', () =>
    fc.assert(
      fc.property(week, fc.constantFrom(...zones), instant, (hoursOfWeek, zone, ms) => {
        const hours = OpeningHours.parse({ week: hoursOfWeek, holidays: ['2026-10-25'] });
        const { date, time: now, day } = clockOf(zone)(ms);
        const expected = date !== '2026-10-25' && (hours.week[day] ?? []).some(([from, to]) => from <= now && now < to);
        expect(isOpenAt(hours, zone, ms)).toBe(expected);
      }),
    ));

  it('next open at the first minute at which they are, also around changes of the clock', () =>
    fc.assert(
      fc.property(week, fc.constantFrom(...zones), instant, (hoursOfWeek, zone, ms) => {
        const hours = OpeningHours.parse({ week: hoursOfWeek });
        const opening = nextOpening(hours, zone, ms) ?? Number.NaN;
        expect(isOpenAt(hours, zone, opening)).toBe(true);
        expect(opening).toBeGreaterThanOrEqual(ms);
        // Nothing between is open: looked at minute by minute for as long as two days.
        const before = Math.min(opening - 1, ms + 2 * 24 * 60 * minute);
        for (let at = ms; at < before; at += 5 * minute) expect(isOpenAt(hours, zone, at)).toBe(false);
        expect(opening === ms || !isOpenAt(hours, zone, opening - 1)).toBe(true);
      }),
      { numRuns: 200 },
    ));

  it('open at 03:00 on the night on which 02:30 does not exist, and twice on the night on which it exists twice', () => {
    const hours = OpeningHours.parse({ week: { sun: [['02:30', '04:00']] } });
    const at = (text: string) => new Date(nextOpening(hours, 'Europe/Madrid', Date.parse(text)) ?? 0).toISOString();
    expect(at('2026-03-29T00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25T00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(at('2026-10-25T01:00Z')).toBe('2026-10-25T01:30:00.000Z');
    const early = OpeningHours.parse({ week: { sun: [['00:30', '02:00']] } });
    const there = (zone: string, text: string) => new Date(nextOpening(early, zone, Date.parse(text)) ?? 0).toISOString();
    expect(there('America/Santiago', '2026-09-05T12:00Z')).toBe('2026-09-06T04:00:00.000Z'); // no midnight either
    expect(there('America/Havana', '2026-11-01T00:00Z')).toBe('2026-11-01T04:30:00.000Z');
  });

  it.each<[what: string, hours: object, message: string]>([
    ['an unknown zone', { timeZone: 'Lima', week: { mon: [['09:00', '18:00']] } }, 'no time zone of this name'],
    ['hours past midnight', { week: { mon: [['22:00', '02:00']] } }, 'does not close after it opens'],
    [
      'hours that overlap',
      {
        week: {
          mon: [
            ['09:00', '14:00'],
            ['13:00', '18:00'],
          ],
        },
      },
      'overlap',
    ],
    ['no hours at all', { week: { mon: [] } }, 'never open'],
    ['a time that is none', { week: { mon: [['9', '18:00']] } }, '"09:30"'],
    ['a holiday that does not exist', { week: { mon: [['09:00', '18:00']] }, holidays: ['2026-02-30'] }, '2026-12-25'],
  ])('are refused with the place: %s', (_, hours, message) => {
    const [issue] = OpeningHours.safeParse(hours).error?.issues ?? [];
    expect(issue?.message).toContain(message);
    expect(issue?.path.length).toBeGreaterThan(0);
  });

  it('choose the way of a business-hours node, in its zone, else that of the user, else that of the company', () => {
    const config = { week: { mon: [['09:00', '18:00']] } };
    const nowMs = Date.parse('2026-11-23T15:00:00Z'); // 10:00 in Lima, 20:30 in Kolkata
    const by = (variables: object, more: object = {}) =>
      visit(businessHours, { config: { ...config, ...more }, variables: variables as never, nowMs }).by;
    expect(by({})).toBe('open');
    expect(by({ $company: { timeZone: 'Asia/Kolkata' }, $user: { timeZone: 'America/Lima' } })).toBe('open');
    expect(by({ $company: { timeZone: 'America/Lima' }, $user: { timeZone: 'Asia/Kolkata' } })).toBe('closed');
    expect(by({ $company: { timeZone: 'Asia/Kolkata' } })).toBe('closed');
    expect(by({ $user: { timeZone: 'Asia/Kolkata' } })).toBe('closed');
    expect(by({ $company: { timeZone: 'Asia/Kolkata' } }, { timeZone: 'America/Lima' })).toBe('open');
    expect(() => by({ $user: { timeZone: 'Lima' } })).toThrow('There is no time zone "Lima"');
    expect(by({}, { holidays: ['2026-11-23'] })).toBe('closed');
  });
});
