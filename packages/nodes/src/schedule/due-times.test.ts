// The instants of rules of the clock, compared with what a walk over every minute of a year finds, and in the nights of summer time.
import { DateTime } from 'luxon';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronProblem, dateDueMs, datesAround, lastCronMs, listCronMs, nextCronMs, nextDateMs } from './due-times.ts';
import { checkClock, rulesOf } from './schedule-config.ts';
import type { DateRule } from './rule.ts';

const at = (text: string): number => DateTime.fromISO(text).toMillis();
const iso = (ms: number | undefined): string => (ms === undefined ? 'never' : new Date(ms).toISOString());

const dateRule = (fields: { readonly before?: number; readonly time?: string }): DateRule => {
  const [rule] = rulesOf('begin', { at: '{{user.fields.renewal}}', ...fields });
  if (rule?.kind !== 'date') throw new Error('This is no rule of a date');
  return rule;
};

const zones = ['UTC', 'America/Lima', 'Europe/Madrid', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

describe('the date of a schedule', () => {
  const fields = [
    { key: 'renewal', type: 'date' },
    { key: 'city', type: 'text' },
  ] as const;

  it.each([
    ['{{$user.fields.renewl}}', fields, /no field "renewl".*did you mean renewal\?/],
    ['{{user.fields.birthday}}', fields, /no field "birthday".*there are renewal/],
    ['{{user.fields.birthday}}', [], /declares no field of type "date"/],
    ['{{user.fields.city}}', fields, /"city" of contacts holds a text, and no date/],
  ] as const)('is a field of the company that holds one: %s', (text, declared, message) => {
    expect(checkClock({ at: text }, declared)).toMatchObject([
      { severity: 'warning', at: ['at'], message: expect.stringMatching(message) as unknown },
    ]);
  });

  it('is right where the company declares it as one, or is not known', () => {
    expect(checkClock({ at: '{{user.fields.renewal}}' }, fields)).toEqual([]);
    expect(checkClock({ at: '{{user.fields.renewl}}' })).toEqual([]);
  });
});

describe('cron', () => {
  it.each([
    ['the time that the night does not have is when the clock goes forward', '30 2 * * *', '2026-03-28T12:00Z', '2026-03-29T01:00:00.000Z'],
    ['of the hour that comes twice the first counts', '30 2 * * *', '2026-10-24T12:00Z', '2026-10-25T00:30:00.000Z'],
    ['and the second does not', '30 2 * * *', '2026-10-25T00:30Z', '2026-10-26T01:30:00.000Z'],
    ['every hour goes on through both', '0 * * * *', '2026-10-25T00:00Z', '2026-10-25T01:00:00.000Z'],
  ])('%s', (_what, cron, after, next) => {
    expect(iso(nextCronMs({ cron, timeZone: 'Europe/Madrid' }, 'UTC', at(after)))).toBe(next);
  });

  /** From noon of the day before on. */
  it.each<[cron: string, zone: string, from: string, due: readonly string[]]>([
    // Madrid: no 02:00 to 03:00 on 29 March, 02:00 to 03:00 twice on 25 October
    ['0,30 2 * * *', 'Europe/Madrid', '2026-03-28', ['2026-03-29T01:00', '2026-03-30T00:00', '2026-03-30T00:30']],
    ['0,30 2 * * *', 'Europe/Madrid', '2026-10-24', ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00']],
    ['59 1-3 * * *', 'Europe/Madrid', '2026-03-28', ['2026-03-29T00:59', '2026-03-29T01:00', '2026-03-29T01:59', '2026-03-29T23:59']],
    ['0 2,3 * * *', 'Europe/Madrid', '2026-03-28', ['2026-03-29T01:00', '2026-03-30T00:00']], // both, at once
    ['0 2,3 * * *', 'Europe/Madrid', '2026-10-24', ['2026-10-25T00:00', '2026-10-25T02:00']],
    ['*/30 2 * * *', 'Europe/Madrid', '2026-10-24', ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00']], // so many minutes
    ['*/30 * * * *', 'Europe/Madrid', '2026-03-28', ['2026-03-28T12:30', '2026-03-28T13:00']],
    ['30 2 * * *', 'America/New_York', '2026-03-07', ['2026-03-08T07:00', '2026-03-09T06:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31', ['2026-11-01T05:30', '2026-11-02T06:30']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02', ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15']], // by half an hour
    ['0 0 * * *', 'America/Santiago', '2026-09-05', ['2026-09-06T04:00', '2026-09-07T03:00']], // no midnight
    ['0,30 0 * * *', 'America/Santiago', '2026-09-05', ['2026-09-06T04:00', '2026-09-07T03:00', '2026-09-07T03:30']], // and no half past it
    ['59 0 * * *', 'Africa/Cairo', '2026-04-23', ['2026-04-23T22:00', '2026-04-24T21:59']],
    ['30 0 * * *', 'America/Havana', '2026-03-07', ['2026-03-08T05:00', '2026-03-09T04:30']],
    ['30 0 * * *', 'America/Havana', '2026-10-31', ['2026-11-01T04:30', '2026-11-02T05:30']], // twice
    ['30 0 * * *', 'Atlantic/Azores', '2026-03-28', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['30 23 * * *', 'America/Santiago', '2026-04-03', ['2026-04-04T02:30', '2026-04-05T02:30', '2026-04-06T03:30']],
    ['30 2 L * *', 'Europe/Madrid', '2024-03-30', ['2024-03-31T01:00', '2024-04-30T00:30']],
    // The ends of months, and the day that three of four years have not
    ['0 9 31 * *', 'UTC', '2026-01-01', ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00']],
    ['0 9 30 * *', 'UTC', '2026-01-30', ['2026-03-30T09:00', '2026-04-30T09:00']],
    ['0 9 L * *', 'UTC', '2028-01-31', ['2028-02-29T09:00', '2028-03-31T09:00']],
    ['0 9 L * *', 'UTC', '2027-01-31', ['2027-02-28T09:00', '2027-03-31T09:00']],
    ['0 9 29 2 *', 'UTC', '2026-01-01', ['2028-02-29T09:00', '2032-02-29T09:00']],
    ['59 23 31 12 *', 'Pacific/Kiritimati', '2026-12-01', ['2026-12-31T09:59', '2027-12-31T09:59']],
  ])('%s in %s after %s', (cron, zone, from, due) => {
    const afterMs = at(`${from}T12:00Z`);
    const found = listCronMs({ cron, timeZone: zone }, 'UTC', { afterMs, upToMs: afterMs + 3_000 * 86_400_000, atMost: due.length });
    expect(found.map((ms) => iso(ms).slice(0, 16))).toEqual(due);
  });

  it('has each time of the day once a day, whatever the clocks do, and never an instant twice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'America/New_York', 'Africa/Cairo'),
        fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 3 }),
        fc.uniqueArray(fc.constantFrom(0, 15, 30, 59), { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 0, max: 330 }),
        (zone, hours, minutes, day) => {
          const afterMs = at('2026-01-01T00:00Z') + day * 86_400_000;
          const range = { afterMs, upToMs: afterMs + 30 * 86_400_000, atMost: 1_000 };
          const found = listCronMs({ cron: `${minutes.join(',')} ${hours.join(',')} * * *`, timeZone: zone }, 'UTC', range);
          const each = hours.flatMap((hour) =>
            minutes.flatMap((minute) => listCronMs({ cron: `${minute} ${hour} * * *`, timeZone: zone }, 'UTC', range)),
          );
          expect(found).toEqual([...new Set(each)].toSorted((left, right) => left - right));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is of the zone of the rule, before that of the company', () => {
    const after = at('2026-11-27T15:00Z'); // a Friday
    expect(iso(nextCronMs({ cron: '0 9 * * 1-5', timeZone: undefined }, 'America/Lima', after))).toBe('2026-11-30T14:00:00.000Z');
    expect(iso(nextCronMs({ cron: '0 9 * * 1-5', timeZone: 'UTC' }, 'America/Lima', after))).toBe('2026-11-30T09:00:00.000Z');
  });

  it.each([
    ['0 9 * * 1-5', undefined],
    ['@daily', undefined],
    ['0 0 29 2 *', undefined],
    ['* * * * *', undefined],
    ['0 0 30 2 *', 'SCHEDULE_NEVER_FIRES'],
    ['* * * * * *', 'SCHEDULE_TOO_OFTEN'],
    ['61 * * * *', 'INVALID_CRON'],
    ['0 9 * *', 'INVALID_CRON'],
    ['tomorrow', 'INVALID_CRON'],
  ])('checks %s', (cron, code) => {
    expect(cronProblem(cron)?.code).toBe(code);
  });

  it('finds the last instant that the list ends with, however far back it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('0 9 * * 1-5', '*/7 * * * *', '30 2 1 * *', '0 0 29 2 *', '15 12 * * 0'),
        fc.constantFrom(...zones),
        fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2027-01-01T00:00Z') }),
        fc.integer({ min: 0, max: 40 * 86_400_000 }),
        (cron, zone, afterMs, lengthMs) => {
          const range = { afterMs, upToMs: afterMs + lengthMs };
          const all = listCronMs({ cron, timeZone: zone }, 'UTC', { ...range, atMost: 300 });
          fc.pre(all.length < 300);
          expect(lastCronMs({ cron, timeZone: zone }, 'UTC', range)).toBe(all.at(-1));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('dates of contacts', () => {
  it.each([
    ['days before are days of the calendar', { before: 7 * 86_400_000 }, '2026-04-01', 'Europe/Madrid', '2026-03-25T08:00:00.000Z'],
    ['hours before are hours', { before: 2 * 3_600_000, time: '03:30' }, '2026-03-29', 'Europe/Madrid', '2026-03-28T23:30:00.000Z'],
    ['a time that the night does not have', { time: '02:30' }, '2026-03-29', 'Europe/Madrid', '2026-03-29T01:00:00.000Z'],
    ['a time that comes twice', { time: '02:30' }, '2026-10-25', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
    ['a midnight that is not there', { time: '00:00' }, '2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['no date', {}, '2026-02-30', 'UTC', 'never'],
    ['a text', {}, 'soon', 'UTC', 'never'],
  ])('%s', (_what, fields, date, zone, due) => {
    expect(iso(dateDueMs(dateRule(fields), date, zone))).toBe(due);
  });

  it('are among those that are looked for, whenever they fall due, and at an instant at which is looked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 0, max: 20 * 86_400 }),
        fc.integer({ min: 0, max: 1_439 }),
        (zone, day, beforeS, minutes) => {
          const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
          const rule = dateRule({ before: beforeS * 60_000, time });
          const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
          const dueMs = dateDueMs(rule, date, zone) ?? 0;
          const lookMs = nextDateMs(rule, dueMs - 1);
          // At that very instant, unless the clock is put forward then.
          expect(lookMs - dueMs).toBeLessThan(900_000);
          expect(datesAround(rule, dueMs - 1, lookMs)).toContain(date);
          expect(nextDateMs(rule, lookMs)).toBe(lookMs + 900_000);
        },
      ),
    );
  });
});
