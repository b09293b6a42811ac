// The functions of expressions over dates and durations.
import { DateTime, type DateTimeUnit, type Zone } from 'luxon';
import { meantDuration } from '../../contract/duration.ts';
import type { Path } from '../../variables/path.ts';
import { dateWork, type Evaluation, spend, spendOnce, wrong } from '../evaluation.ts';
import { addSpan, convertToZone, createTimeSpan, createTimestamp, getZone, parseDuration, parseTimestamp } from '../time.ts';
import { TimeSpan, type Timestamp, type Value } from '../value.ts';
import { createDefiner, type LanguageFunction, type Refuses } from './define.ts';
import { formatDirectives, refuseDirectives } from './directives.ts';
import { refusePattern, writePattern } from './patterns.ts';
import { chooseLocale, localePaths, refuseLocale } from './locales.ts';

const time = createDefiner('time');

/** The work of a date in a zone, and of looking up a zone by its name. */
const [zonedWork, findZoneWork] = [10_000, 40_000];

const ofUser: Path = ['$user', 'timeZone'];
const ofCompany: Path = ['$company', 'timeZone'];
const zonePaths = [ofUser, ofCompany];

const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const satisfies readonly DateTimeUnit[];
/** Units that a change of the clocks may show twice, each for itself. */
const clockUnits: ReadonlySet<string> = new Set(['hour', 'minute', 'second']);

const isoWithZone = 'ISO 8601 with a zone, such as 2026-12-01T15:00:00Z';
const notATimestamp = (given: string | number): string =>
  `timestamp() takes ${isoWithZone}, in the years 1 to 9999, not ${typeof given === 'number' ? given : describeGiven(given)}${typeof given === 'number' ? ', which is no number of seconds: divide milliseconds by 1000' : ''}`;
/** A text that is no instant, and what makes one of it. */
function describeGiven(given: string): string {
  const shown = JSON.stringify(given.slice(0, 40));
  if (isDay(given)) return `${shown}: a day becomes an instant by instant($context.date, "00:00")`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(given)) return `${shown}: there is no such day, or no such time`;
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(given))
    return `${shown}: "T" stands before the time, and "Z" or an offset such as "-05:00" behind it`;
  return /^\d{9,13}$/.test(given) ? `${shown}: a text of digits becomes a number by number(…)` : shown;
}
const notADuration = (text: string): string =>
  `duration() takes a text such as 1h30m, PT90M or P1M, not ${JSON.stringify(text.slice(0, 40))}${meantDuration(text)}`;
const notFormatted = (given: string): string =>
  hasPlaces(given)
    ? 'values are put into a text by "%s".format([$context.name])'
    : `format() takes a day or an instant in ${isoWithZone}, before its pattern, not ${describeGiven(given)}`;
/** `Hello {}`, `{0}`, `{name}`, `%s`: what other languages fill. */
const hasPlaces = (text: string): boolean => /\{\w{0,40}\}|%[sdf]/.test(text);

/** A text before a pattern on the calendar: an instant in the zone, or a day, which is the same in every zone. */
function readFormatted(evaluation: Evaluation, given: string, name: string | undefined): DateTime | undefined {
  const instant = parseTimestamp(given);
  if (instant !== undefined) return applyZone(evaluation, instant, name);
  const zone = isDay(given) ? findZone(evaluation, name) : wrong(evaluation, notFormatted(given));
  if (zone === undefined) return undefined;
  spend(evaluation, zonedWork);
  return DateTime.fromISO(given, { zone, locale: 'en-US' });
}

/** Why a literal text is neither an instant before a pattern, nor a text with directives before a list. */
const refuseFormatted = (given: string | undefined, pattern: string | undefined): string | undefined => {
  if (given === undefined || parseTimestamp(given) !== undefined || (pattern !== undefined && isDay(given))) return undefined;
  return pattern === undefined ? refuseDirectives(given) : notFormatted(given);
};
const unitMissing = `startOf() takes one of ${units.join(', ')}`;

/** Why a literal zone is refused: with an unknown one the expression would always fail. */
const refuseZone = (name: string | undefined): string | undefined =>
  name === undefined || getZone(name) !== undefined ? undefined : noZone(name);

const zoneAt =
  (index: number): Refuses =>
  (literals) =>
    refuseZone(literals[index]);

const notAnInstant = (date: string | undefined, clock: string | undefined): string => {
  const [given, hour, minute] = /^(\d):([0-5]\d)$/.exec(clock ?? '') ?? [];
  const wrongOne = date !== undefined && !isDay(date) ? date : (clock ?? '');
  const meant = given === undefined || wrongOne !== clock ? '' : `; write "0${hour}:${minute}"`;
  return `instant() takes a day of the calendar such as 2026-12-01 and a time such as 15:30, not ${JSON.stringify(wrongOne.slice(0, 40))}${meant}`;
};
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
const isTimeOfDay = (text: string): boolean =>
  /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(text) && DateTime.fromISO(`2000-01-01T${text}`, { zone: 'utc' }).isValid;

/** A time of day on a date in a zone: the first one, when clocks show it twice. The library's choice depends on the offset today. */
function firstAt(date: string, clock: string, zone: Zone): DateTime {
  return firstOfSame(DateTime.fromISO(`${date}T${clock}`, { zone }));
}

/** The first instant at which the clocks of its zone show this date and time. */
const firstOfSame = (local: DateTime): DateTime => local.getPossibleOffsets()[0] ?? local;

/** The beginning of a unit. A day whose first hour the clocks show twice begins at the first midnight; an hour is the one that it is in. */
const startOfUnit = (local: DateTime, unit: (typeof units)[number]): DateTime =>
  clockUnits.has(unit) ? local.startOf(unit) : firstOfSame(local.startOf(unit));

/** Whether clocks skip this time, or the zone the whole day: the library then returns another time. */
const isSkipped = (local: DateTime, date: string, clock: string): boolean =>
  !clock.startsWith('24') && (local.toFormat('yyyy-MM-dd') !== date || !clock.startsWith(local.toFormat('HH:mm')));

const skippedTime = (date: string, clock: string, zone: Zone): string =>
  `${clock} on ${date} is a time that the clocks of ${zone.name} skip; take a later one`;

/** Checks the arguments of `instant` that are literals. */
const refuseInstant: Refuses = ([date, clock, name]) => {
  if ((date !== undefined && !isDay(date)) || (clock !== undefined && !isTimeOfDay(clock))) return notAnInstant(date, clock);
  const zone = name === undefined ? undefined : getZone(name);
  if (date === undefined || clock === undefined || zone === undefined) return refuseZone(name);
  return isSkipped(firstAt(date, clock, zone), date, clock) ? skippedTime(date, clock, zone) : undefined;
};

export const timeFunctions: readonly LanguageFunction[] = [
  time(
    'timestamp(text|number|timestamp): timestamp',
    'Parses a text in ISO 8601 with a zone, or converts seconds since 1970 in UTC.',
    { 'timestamp("2026-12-01T10:00:00-05:00")': '2026-12-01T15:00:00.000Z', 'timestamp(0)': '1970-01-01T00:00:00.000Z' },
    (evaluation, value) => {
      if (typeof value === 'object') return value;
      spend(evaluation, dateWork);
      const found = typeof value === 'string' ? parseTimestamp(value) : createTimestamp(Math.round(value * 1_000));
      return found ?? wrong(evaluation, notATimestamp(value));
    },
    { refuses: ([text]) => (text === undefined || parseTimestamp(text) !== undefined ? undefined : notATimestamp(text)) },
  ),
  time(
    'duration(text|duration): duration',
    'Parses a duration: `90s`, `1h30m`, `-1.5h`, or ISO 8601 such as `P1DT2H`. `P1D` is 24 hours; `P1M` and `P1Y` are months and years of the calendar.',
    { 'duration("1h30m")': '5400s', 'duration("P1D") == duration("24h")': true, 'duration("P1Y2M")': 'P1Y2M' },
    (evaluation, value) => {
      if (typeof value === 'object') return value;
      spend(evaluation, dateWork);
      return parseDuration(value) ?? wrong(evaluation, notADuration(value));
    },
    { refuses: ([text]) => (text === undefined || parseDuration(text) !== undefined ? undefined : notADuration(text)) },
  ),
  time(
    'plus(timestamp, duration|text, text?): timestamp',
    'The timestamp a duration later, with months and years on the calendar of a zone: the same day of the month, or its last one.',
    {
      'plus(timestamp("2027-01-31T15:00:00Z"), "P1M", "America/Lima")': '2027-02-28T15:00:00.000Z',
      'plus(timestamp("2028-02-29T12:00:00Z"), "-P1Y", "UTC")': '2027-02-28T12:00:00.000Z',
    },
    (evaluation, instant, by, name) => {
      if (typeof by !== 'string') return later(evaluation, instant, by, name);
      spend(evaluation, dateWork);
      const span = parseDuration(by);
      return span === undefined ? wrong(evaluation, notADuration(by)) : later(evaluation, instant, span, name);
    },
    {
      reads: zonePaths,
      refuses: ([, by, zone]) => (by === undefined || parseDuration(by) !== undefined ? refuseZone(zone) : notADuration(by)),
    },
  ),
  time(
    'instant(text, text, text?): timestamp',
    'The timestamp of a date and a time of day in a zone. A time that the clocks skip is an error; if they show it twice, the first one counts.',
    { 'instant("2026-12-01", "15:30", "America/Lima")': '2026-12-01T20:30:00.000Z' },
    (evaluation, date, clock, name) => {
      const zone = findZone(evaluation, name);
      if (zone === undefined) return undefined;
      spend(evaluation, 2 * zonedWork);
      if (!isDay(date) || !isTimeOfDay(clock)) return wrong(evaluation, notAnInstant(date, clock));
      const local = firstAt(date, clock, zone);
      if (isSkipped(local, date, clock)) return wrong(evaluation, skippedTime(date, clock, zone));
      return createTimestamp(local.toMillis()) ?? outOfRange(evaluation);
    },
    { reads: zonePaths, refuses: refuseInstant },
  ),
  time(
    'format(timestamp|text, text|list, text?, text?): text',
    'Formats a timestamp, or a day such as `2026-12-01`, with a pattern of Luxon’s tokens, in a zone and a locale: `d`, `dd` the day, `M`, `MM`, `MMM`, `MMMM` the month beside a day (`LLLL` alone), `yyyy` the year, `HH:mm` or `h:mm a` the time, `cccc` the day of the week, `DDD` a whole date; letters in single quotes stand for themselves. Tokens of other libraries are refused. Or it fills a text with the items of a list, in place of `%s` any value, `%d` a whole number, `%f` or `%.2f` a number with its decimal places, `%e` with an exponent, `%x`, `%X`, `%o`, `%b` in another base, `%%` the sign itself.',
    {
      'format(timestamp("2026-12-01T15:30:00Z"), "d \'de\' MMMM \'de\' yyyy, HH:mm", "America/Lima", "es")':
        '1 de diciembre de 2026, 10:30',
      'format("2026-12-01", "cccc d LLL")': 'Tuesday 1 Dec',
      'format(timestamp("2026-12-01T15:30:00Z"), "d MMMM", "UTC", "pl")': '1 grudnia',
      'format(timestamp("2026-12-01T15:30:00Z"), "cccc")': 'Tuesday',
      '"%s has %d, for %.2f".format(["Ana", 3, 12.5])': 'Ana has 3, for 12.50',
    },
    (evaluation, given, pattern, name, locale) => {
      if (typeof pattern !== 'string')
        return typeof given === 'string' && name === undefined
          ? formatDirectives(evaluation, given, pattern)
          : wrong(evaluation, 'format() takes a text and a list, or a timestamp and a pattern');
      spend(evaluation, typeof given === 'string' ? 2 * dateWork : dateWork);
      const refusal = refusePattern(pattern);
      if (refusal !== undefined) return wrong(evaluation, typeof given === 'string' && hasPlaces(given) ? notFormatted(given) : refusal);
      const known = chooseLocale(evaluation, locale);
      if (known === undefined) return undefined;
      const date = typeof given === 'string' ? readFormatted(evaluation, given, name) : applyZone(evaluation, given, name);
      if (date === undefined) return undefined;
      return writePattern(evaluation, date.setLocale(known), pattern);
    },
    {
      reads: [...zonePaths, ...localePaths],
      refuses: ([given, pattern, zone, locale]) =>
        refuseFormatted(given, pattern) ?? refusePattern(pattern ?? '') ?? refuseZone(zone) ?? refuseLocale(locale),
    },
  ),
  time(
    'startOf(timestamp, text, text?): timestamp',
    'The start of the year, quarter, month, week (from Monday), day, hour, minute or second, in a zone.',
    { 'startOf(timestamp("2026-12-02T15:30:00Z"), "week")': '2026-11-30T00:00:00.000Z' },
    (evaluation, instant, unit, name) => {
      const known = units.find((one) => one === unit);
      if (known === undefined) return wrong(evaluation, unitMissing);
      const date = applyZone(evaluation, instant, name);
      if (date === undefined) return undefined;
      spend(evaluation, 2 * zonedWork);
      return createTimestamp(startOfUnit(date, known).toMillis()) ?? outOfRange(evaluation);
    },
    {
      reads: zonePaths,
      refuses: ([, unit, zone]) => (unit === undefined || units.some((one) => one === unit) ? refuseZone(zone) : unitMissing),
    },
  ),
  time(
    'date(timestamp, text?): text',
    'The date in a zone, as `2026-12-01`.',
    { 'date(timestamp("2026-12-01T02:00:00Z"), "America/Lima")': '2026-11-30' },
    (evaluation, instant, name) => applyZone(evaluation, instant, name)?.toFormat('yyyy-MM-dd'),
    { reads: zonePaths, refuses: zoneAt(1) },
  ),
  time(
    'time(timestamp, text?): text',
    'The time of day in a zone, as `15:30`.',
    { 'time(timestamp("2026-12-01T20:30:00Z"), "America/Lima")': '15:30' },
    (evaluation, instant, name) => applyZone(evaluation, instant, name)?.toFormat('HH:mm'),
    { reads: zonePaths, refuses: zoneAt(1) },
  ),
  ...calendarFunctions(),
];

/** CEL's functions for the parts of a timestamp, in UTC by default. Some of them take durations, too. */
function calendarFunctions(): readonly LanguageFunction[] {
  const example = 'timestamp("2026-12-01T15:30:45.5Z")';
  const part = (name: string, says: string, value: number, read: (date: DateTime) => number) =>
    time(
      `${name}(timestamp, text?): number`,
      says,
      { [`${name}(${example})`]: value },
      (evaluation, instant, zone) => mapDate(applyZone(evaluation, instant, zone ?? 'UTC'), read),
      { refuses: zoneAt(1) },
    );
  const clock = (name: string, says: string, value: number, unitMs: number, read: (date: DateTime) => number) =>
    time(
      `${name}(timestamp|duration, text?): number`,
      says,
      { [`${name}(${example})`]: value },
      (evaluation, value, zone) =>
        value instanceof TimeSpan ? countUnits(evaluation, value, unitMs) : mapDate(applyZone(evaluation, value, zone ?? 'UTC'), read),
      { refuses: zoneAt(1) },
    );
  return [
    part('getFullYear', 'The year.', 2026, ({ year }) => year),
    part('getMonth', 'The month, from 0 for January.', 11, ({ month }) => month - 1),
    part('getDate', 'The day of the month, from 1.', 1, ({ day }) => day),
    part('getDayOfMonth', 'The day of the month, from 0.', 0, ({ day }) => day - 1),
    part('getDayOfWeek', 'The day of the week, from 0 for Sunday.', 2, ({ weekday }) => weekday % 7),
    part('getDayOfYear', 'The day of the year, from 0.', 334, ({ ordinal }) => ordinal - 1),
    clock('getHours', 'The hour, or the whole hours of a duration.', 15, 3_600_000, ({ hour }) => hour),
    clock('getMinutes', 'The minute, or the whole minutes of a duration.', 30, 60_000, ({ minute }) => minute),
    clock('getSeconds', 'The second, or the whole seconds of a duration.', 45, 1_000, ({ second }) => second),
    clock('getMilliseconds', 'The millisecond, or the whole milliseconds of a duration.', 500, 1, ({ millisecond }) => millisecond),
  ];
}

const countUnits = (evaluation: Evaluation, { ms, months }: TimeSpan, unitMs: number): number | undefined =>
  months === 0 ? Math.trunc(ms / unitMs) + 0 : wrong(evaluation, 'a duration of months or years has no fixed length');

const mapDate = (date: DateTime | undefined, read: (date: DateTime) => number): number | undefined =>
  date === undefined ? undefined : read(date);

/** A timestamp on the calendar of a zone: the given one, else the user's, else the company's, else UTC. */
function applyZone(evaluation: Evaluation, { ms }: Timestamp, name: string | undefined): DateTime | undefined {
  const zone = findZone(evaluation, name);
  if (zone === undefined) return undefined;
  spend(evaluation, zonedWork);
  return convertToZone(ms, zone);
}

function findZone(evaluation: Evaluation, given: string | undefined): Zone | undefined {
  const name = given ?? evaluation.variables.get(ofUser) ?? evaluation.variables.get(ofCompany) ?? 'UTC';
  if (typeof name !== 'string') return wrong(evaluation, 'a time zone is a text such as "America/Lima"');
  spendOnce(evaluation, `zone ${name}`, findZoneWork);
  return getZone(name) ?? wrong(evaluation, noZone(name));
}

const noZone = (name: string): string =>
  /^[a-z]{2}(?:[-_][A-Z]{2})?$/.test(name)
    ? `there is no time zone "${name}": the zone stands before the locale, as in format($now, "d MMMM", "America/Lima", "${name.replace('_', '-')}")`
    : `there is no time zone ${JSON.stringify(name.slice(0, 60))}; write ${guessZone(name.slice(0, 60)) ?? 'a name such as "America/Lima"'}`;

/** The zone that was likely meant: without accents and blanks around, by the name of its city alone, or an offset without its name. */
function guessZone(name: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(name.trim()) ?? [];
  if (sign !== undefined) return `"${sign}${hours.padStart(2, '0')}:${minutes}"`;
  const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().replaceAll(' ', '_').toLowerCase();
  const [wanted, known] = [fold(name), Intl.supportedValuesOf('timeZone')];
  const found = known.find((zone) => zone.toLowerCase() === wanted) ?? known.find((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  return found === undefined ? undefined : `"${found}"`;
}

const outOfRange = (evaluation: Evaluation): undefined => wrong(evaluation, 'the result lies outside the years 1 to 9999');

/** A timestamp plus a duration, whose months count on the calendar of a zone; fails outside the years 1 to 9999. */
export function later(evaluation: Evaluation, instant: Timestamp, span: TimeSpan, zoneName?: string): Value | undefined {
  if (span.months === 0) return createTimestamp(Math.floor(instant.ms + span.ms)) ?? outOfRange(evaluation);
  const zone = findZone(evaluation, zoneName);
  if (zone === undefined) return undefined;
  spend(evaluation, zonedWork);
  return createTimestamp(Math.floor(addSpan(instant.ms, span, zone))) ?? outOfRange(evaluation);
}

/** A duration of some milliseconds and months; fails above 10,000 years. */
export const createDuration = (evaluation: Evaluation, ms: number, months = 0): Value | undefined =>
  createTimeSpan(ms, months) ?? wrong(evaluation, 'the duration is longer than 10,000 years');
