// Opening hours: on which days, between which times, in which zone.
import { canonicalZone, HiloError, isTemplate, Template, type Variables } from '@hilo/engine/contract';
import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A time on a clock of 24 hours. */
export const clockTime = /^(?:([01]?\d|2[0-3]):([0-5]\d)|24:00)$/;

/** Minutes after midnight of a time such as `09:30`; 1,440 for `24:00`. */
export function parseMinutes(text: string): number {
  const [, hours, minutes] = clockTime.exec(text) ?? [];
  return hours === undefined ? 1_440 : Number(hours) * 60 + Number(minutes);
}

const ClockTime = z
  .string()
  .regex(clockTime, 'Write the time as "09:30", from "00:00" to "24:00"')
  .meta({ description: 'A time of day on a clock of 24 hours', examples: ['09:00', '18:30', '24:00'] });

/** From an instant of the day up to, not including, another. */
const Interval = z.tuple([ClockTime, ClockTime]).refine(([from, to]) => parseMinutes(from) < parseMinutes(to), {
  error:
    'This does not close after it opens: hours that go past midnight are written as ["22:00", "24:00"] and, on the next day, ["00:00", "02:00"]',
});

const Day = z
  .array(Interval)
  .max(20)
  .superRefine((intervals, context) => {
    const sorted = intervals
      .map(([from, to], index) => ({ from: parseMinutes(from), to: parseMinutes(to), index }))
      .toSorted((a, b) => a.from - b.from);
    for (const [place, { from, index }] of sorted.entries())
      if (from < (sorted[place - 1]?.to ?? 0))
        context.addIssue({ code: 'custom', path: [index], message: 'These hours overlap others of the same day: write them as one' });
  })
  .optional();

const day = (name: string) => Day.meta({ description: `Hours of ${name}; closed all day when left out` });

const ZoneName = Template.refine(({ source }) => isTemplate(source) || IANAZone.isValidZone(source), {
  error: 'There is no time zone of this name: write an IANA name such as America/Lima',
});

/** When a business is open. */
export const OpeningHours = z.strictObject({
  timeZone: ZoneName.meta({
    description: "The IANA time zone of the hours; without it the user's, else the company's, else UTC",
    examples: ['America/Lima', '{{$user.timeZone}}'],
  }).optional(),
  week: z
    .strictObject({
      mon: day('Monday'),
      tue: day('Tuesday'),
      wed: day('Wednesday'),
      thu: day('Thursday'),
      fri: day('Friday'),
      sat: day('Saturday'),
      sun: day('Sunday'),
    })
    .refine((week) => days.some((name) => (week[name]?.length ?? 0) > 0), { error: 'This is never open: give at least one day its hours' })
    .meta({ description: 'The hours of each day of the week, as pairs of opening and closing time' }),
  holidays: z
    .array(z.iso.date('Write a day of the calendar, such as 2026-12-25'))
    .max(400)
    .default([])
    .meta({ description: 'Days on which it stays closed, on any day of the week', examples: [['2026-12-25']] }),
});
export type OpeningHours = z.output<typeof OpeningHours>;

/**
 * The time zone of the hours, by the same rule as for every function of the language. Hours of a fixed place name their zone.
 *
 * @throws {HiloError} `INVALID_TIME_ZONE` for an unknown name
 */
export function openingZone({ timeZone }: OpeningHours, variables: Variables): string {
  const name = timeZone?.(variables) ?? variables.get(['$user', 'timeZone']) ?? variables.get(['$company', 'timeZone']) ?? 'UTC';
  const zone = typeof name === 'string' && IANAZone.isValidZone(name) ? canonicalZone(name) : undefined;
  if (zone !== undefined) return zone;
  throw new HiloError('INVALID_TIME_ZONE', { name: typeof name === 'string' ? name.slice(0, 60) : typeof name });
}

/** Whether it is open at an instant, by the clock and the calendar of its zone. */
export function isOpenAt({ week, holidays }: OpeningHours, zone: string, atMs: number): boolean {
  const local = DateTime.fromMillis(atMs, { zone });
  if (holidays.includes(local.toISODate() ?? '')) return false;
  const minute = local.hour * 60 + local.minute;
  return (week[days[local.weekday - 1] ?? 'mon'] ?? []).some(([from, to]) => parseMinutes(from) <= minute && minute < parseMinutes(to));
}

/**
 * The first instant at or after another at which it is open: the very one, if it is open then.
 *
 * @returns `undefined` where every day of the next two years is a holiday
 */
export function nextOpening(hours: OpeningHours, zone: string, atMs: number): number | undefined {
  if (isOpenAt(hours, zone, atMs)) return atMs;
  const today = DateTime.fromMillis(atMs, { zone }).startOf('day');
  for (let offset = 0; offset < 800; offset += 1) {
    const opening = listOpenings(hours, today.plus({ days: offset })).find((ms) => ms >= atMs && isOpenAt(hours, zone, ms));
    if (opening !== undefined) return opening;
  }
  return undefined;
}

/** Every instant of a day at which it may begin to be open: when the clock comes to an opening time, or is changed. */
function listOpenings({ week }: OpeningHours, date: DateTime): readonly number[] {
  const openings = (week[days[date.weekday - 1] ?? 'mon'] ?? []).flatMap(([from]) => {
    const minutes = parseMinutes(from);
    return date.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).getPossibleOffsets();
  });
  const change = firstClockChange(date);
  const changes = change === undefined ? [] : [change];
  return [date.toMillis(), ...openings.map((opening) => opening.toMillis()), ...changes].toSorted((left, right) => left - right);
}

/** The instant of a day at which its clock is put forward or back, to the minute; undefined on any other day. */
export function firstClockChange(date: DateTime): number | undefined {
  let low = date.toMillis();
  let high = date.plus({ days: 1 }).toMillis();
  const { zone } = date;
  if (zone.offset(low) === zone.offset(high)) return undefined;
  while (high - low > 60_000) {
    const middle = low + Math.floor((high - low) / 120_000) * 60_000;
    if (zone.offset(middle) === zone.offset(low)) low = middle;
    else high = middle;
  }
  return high;
}
