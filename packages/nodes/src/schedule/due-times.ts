// The instants at which rules of the clock fall due: pure functions of the rule, the time zone and an instant.
//
// Summer time is as opening hours have it: a time that the night does not have is the instant at which the clock is put forward, and of an
// hour that comes twice the first one counts. An expression for every hour, or for every so many minutes, goes on through both.
import type { ConfigProblem } from '@hilo/engine/contract';
import { Cron } from 'croner';
import { DateTime } from 'luxon';
import { firstClockChange } from '../opening-hours.ts';
import type { CronRule, DateRule } from './rule.ts';

/** The beginning of 2024, a leap year, so that 29 February is found within the years that are searched. A number: Luxon begins by reading the system's locale. */
const searchFromMs = 1_704_067_200_000;

/** Why a cron expression cannot be used; undefined where it can. */
export function cronProblem(cron: string): Pick<ConfigProblem, 'code' | 'message' | 'hint'> | undefined {
  const fields = cron.trim().split(/\s+/);
  const hint = 'Write minute, hour, day of the month, month and day of the week: "0 9 * * 1-5" is 9:00 from Monday to Friday';
  if (fields.length > 5)
    return { code: 'SCHEDULE_TOO_OFTEN', message: `"${cron}" has ${fields.length} fields: seconds and years are not taken`, hint };
  try {
    // A name such as @daily has one field.
    const next = createCron(cron, 'UTC').nextRun(asDate(searchFromMs));
    if (next !== null) return undefined;
    return { code: 'SCHEDULE_NEVER_FIRES', message: `"${cron}" never comes: no month has such a day`, hint };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return { code: 'INVALID_CRON', message: `"${cron}" is no cron expression: ${why}`, hint };
  }
}

/** The library takes dates and gives them. */
const asDate = (atMs: number): Date => DateTime.fromMillis(atMs).toJSDate();

/** Without a function it has no timer: it computes. */
const createCron = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, paused: true, mode: '5-part' });

/** Whether an expression names its hours and minutes one by one: it has times of the day, and is not for every hour or so many minutes. */
const hasTimesOfDay = (cron: string): boolean => {
  const [minute = '*', hour = '*', ...others] = cron.trim().split(/\s+/);
  return others.length > 0 && !`${minute} ${hour}`.includes('*');
};

/** The instants of an expression after one, each once, in their order. */
function* instantsOf(cron: string, zone: string, afterMs: number): Generator<number, void, undefined> {
  if (!hasTimesOfDay(cron)) {
    const every = createCron(cron, zone);
    for (let next = every.nextRun(asDate(afterMs)); next !== null; next = every.nextRun(next)) yield next.getTime();
    return;
  }
  // What clocks show has no summer time: each time is found there, and is then an instant of the zone.
  const shown = createCron(cron, 'UTC');
  let last = afterMs;
  for (let next = shown.nextRun(asDate(shownMs(afterMs, zone))); next !== null; next = shown.nextRun(next)) {
    const { year, month, day, hour, minute } = DateTime.fromMillis(next.getTime(), { zone: 'utc' });
    const atMs = instantOfClock(DateTime.fromObject({ year, month, day }, { zone }), { hour, minute });
    if (atMs > last) yield (last = atMs);
  }
}

/** What the clocks of a zone show at an instant, as the instant at which those of UTC show it. */
const shownMs = (atMs: number, zone: string): number =>
  DateTime.fromMillis(atMs, { zone }).setZone('utc', { keepLocalTime: true }).toMillis();

/** When the clocks show a time on a day: first, where they do so twice; where they never do, when they are put forward. */
function instantOfClock(day: DateTime, { hour, minute }: { readonly hour: number; readonly minute: number }): number {
  const wanted = day.set({ hour, minute });
  const isThere = wanted.hour === hour && wanted.minute === minute;
  return isThere
    ? Math.min(...wanted.getPossibleOffsets().map((one) => one.toMillis()))
    : (firstClockChange(day.startOf('day').minus({ minutes: 1 })) ?? wanted.toMillis()); // a night may have no 00:00 either
}

/** The next instant of a rule after another; undefined where there is none. @param zone - where the rule names none */
export function nextCronMs({ cron, timeZone }: Pick<CronRule, 'cron' | 'timeZone'>, zone: string, afterMs: number): number | undefined {
  const [next] = instantsOf(cron, timeZone ?? zone, afterMs);
  return next;
}

/** The instants of a rule after one and up to another, at most so many. */
export function listCronMs(
  rule: Pick<CronRule, 'cron' | 'timeZone'>,
  zone: string,
  { afterMs, upToMs, atMost }: { readonly afterMs: number; readonly upToMs: number; readonly atMost: number },
): readonly number[] {
  const found: number[] = [];
  if (atMost <= 0) return found;
  for (const next of instantsOf(rule.cron, rule.timeZone ?? zone, afterMs)) {
    if (next > upToMs) break;
    found.push(next);
    if (found.length >= atMost) break;
  }
  return found;
}

/** When a rule falls due for a contact whose field has this date; undefined for what is no date. */
export function dateDueMs({ beforeDays, beforeMs, minutes }: DateRule, date: string, zone: string): number | undefined {
  const day = DateTime.fromISO(date, { zone: 'utc' });
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !day.isValid) return undefined;
  const { year, month, day: dayOfMonth } = day.minus({ days: beforeDays });
  const start = DateTime.fromObject({ year, month, day: dayOfMonth }, { zone });
  if (!start.isValid) return undefined;
  return instantOfClock(start, { hour: Math.floor(minutes / 60), minute: minutes % 60 }) - beforeMs;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far back the last due time is looked for, step by step: what comes often is found at once. */
const lookBackMs = [hourMs, dayMs, 31 * dayMs, 400 * dayMs];
/** More than so many due times in the first of these that has any are not looked through: a minute has one at most. */
const mostInLookBack = 2_000;

/** The last instant of a rule after one and up to another; undefined where there is none. */
export function lastCronMs(
  rule: Pick<CronRule, 'cron' | 'timeZone'>,
  zone: string,
  { afterMs, upToMs }: { readonly afterMs: number; readonly upToMs: number },
): number | undefined {
  for (const backMs of [...lookBackMs, upToMs - afterMs]) {
    const fromMs = Math.max(afterMs, upToMs - backMs);
    const last = listCronMs(rule, zone, { afterMs: fromMs, upToMs, atMost: mostInLookBack }).at(-1);
    if (last !== undefined || fromMs === afterMs) return last;
  }
  return undefined;
}

const quarterMs = 900_000;
/** Clocks of the world are at most so far behind UTC, and ahead of it. */
const [mostBehindMs, mostAheadMs] = [12 * hourMs, 15 * hourMs];

/** The dates that a field may have with which the rule falls due after one instant and up to another, wherever the contact is. */
export function datesAround({ beforeDays, beforeMs, minutes }: DateRule, afterMs: number, upToMs: number): readonly string[] {
  const first = Math.floor((afterMs + beforeMs - minutes * 60_000 - mostBehindMs) / dayMs) - 1;
  const last = Math.ceil((upToMs + beforeMs - minutes * 60_000 + mostAheadMs) / dayMs) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) =>
    DateTime.fromMillis((first + index + beforeDays) * dayMs, { zone: 'utc' }).toFormat('yyyy-MM-dd'),
  );
}

/** The next instant at which the rule may fall due for anybody: clocks differ from UTC by whole quarters of an hour. */
export function nextDateMs({ beforeMs, minutes }: DateRule, afterMs: number): number {
  const offsetMs = (((minutes * 60_000 - beforeMs) % quarterMs) + quarterMs) % quarterMs;
  return (Math.floor((afterMs - offsetMs) / quarterMs) + 1) * quarterMs + offsetMs;
}
