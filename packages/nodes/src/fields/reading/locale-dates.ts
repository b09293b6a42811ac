/** What locales know of dates: names of months and days, the order of day and month, calendars. */
import { DateTime } from 'luxon';
import { foldLetters } from '../../messages/folded-text.ts';
import { latinDigits } from '../../messages/digits.ts';

const dayMs = 86_400_000;
// Written as days since 1970: Luxon reads the locale of the system at its first use, which is a tenth of an import of this package.
const year2000Ms = 10_957 * dayMs;
const inYear2031Ms = 22_284 * dayMs; // 5 January
const mondayMs = 4 * dayMs; // 5 January 1970

interface MonthName {
  /** Folded. */
  readonly name: string;
  /** From 1. */
  readonly month: number;
  /** Whether it stands as a word; in other languages it may have endings and prefixes. */
  readonly isWord: boolean;
  /** Whether the locale has another calendar, and the month is one of it. */
  readonly hasOwnMonth: boolean;
}

/** The names of months in English, Spanish and Portuguese, long and short. */
const known: readonly MonthName[] = [
  'january enero janeiro jan ene',
  'february febrero fevereiro feb fev',
  'march marzo marco mar',
  'april abril apr abr',
  'may mayo maio mai',
  'june junio junho jun',
  'july julio julho jul',
  'august agosto aug ago',
  'september septiembre setiembre setembro sept sep set',
  'october octubre outubro oct out',
  'november noviembre novembro nov',
  'december diciembre dezembro dec dic dez',
].flatMap((names, index) => names.split(' ').map((name) => ({ name, month: index + 1, isWord: true, hasOwnMonth: false })));

/** The names that months have in an answer, the longest first. */
export function monthNames(locale: string | undefined): readonly MonthName[] {
  const own = locale === undefined || /^(?:en|es|pt)\b/.test(locale) ? [] : namesOf(locale);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...known.filter(({ name }) => !names.has(name))].toSorted((one, other) => other.name.length - one.name.length);
}

function namesOf(locale: string): readonly MonthName[] {
  const calendar = calendarOf(locale);
  const number = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, { month: 'numeric', timeZone: 'UTC' });
  const styles = (['long', 'short'] as const).flatMap((month) => [
    new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }),
    new Intl.DateTimeFormat(locale, { month, day: 'numeric', year: 'numeric', timeZone: 'UTC' }),
  ]);
  const names = new Map<string, number>();
  const steps = calendar === 'gregory' ? 12 : 36;
  for (let step = 0; step < steps; step += 1) {
    const dateMs = inYear2031Ms + Math.round((360 / steps) * step) * dayMs;
    const month = Number.parseInt(number.format(dateMs), 10);
    for (const style of styles) {
      const name = latinDigits(foldLetters(style.formatToParts(dateMs).find(({ type }) => type === 'month')?.value ?? ''));
      if (/[^\d\s.]/.test(name) && Number.isInteger(month)) names.set(name, month);
    }
  }
  return [...names].map(([name, month]) => ({ name, month, isWord: name.length < 3, hasOwnMonth: calendar !== 'gregory' }));
}

interface RelativeDay {
  /** Folded. */
  readonly name: string;
  /** Days from today: two where a language has one name for both, as Hindi does for yesterday and tomorrow. */
  readonly offsets: readonly number[];
}

const knownDays: readonly RelativeDay[] = Object.entries({
  '0': [
    'today',
    'tonight',
    'this afternoon',
    'this evening',
    'hoy',
    'esta tarde',
    'esta noche',
    'hoje',
    'ce soir',
    'cet apres-midi',
    'stasera',
    'nanti malam',
  ],
  '1': ['tomorrow', 'tomorow', 'tommorow', 'tommorrow', 'tmrw', '2moro', '2morrow', 'manana', 'mnn', 'amanha', 'بكره', 'بكرة'],
  '2': ['day after tomorrow', 'pasado manana', 'depois de amanha', 'apres demain', 'uebermorgen', 'بعد غد', 'بعد بكره'],
  '-1': ['yesterday', 'last night', 'ayer', 'anoche', 'ontem'],
  '-2': ['day before yesterday', 'anteayer', 'antes de ayer', 'antier', 'anteontem'],
}).flatMap(([offset, names]) => names.map((name) => ({ name, offsets: [Number(offset)] })));

/** The names that days have from today on, the longest first. */
export function relativeDays(locale: string | undefined): readonly RelativeDay[] {
  const days = new Map(knownDays.map(({ name, offsets }) => [name, offsets]));
  const own = new Map<string, number[]>();
  if (locale !== undefined) {
    const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    for (const offset of [-2, -1, 0, 1, 2]) {
      const name = foldLetters(format.format(offset, 'day'));
      if (/^[\p{L}\p{M} '-]{2,40}$/u.test(name)) own.set(name, [...(own.get(name) ?? []), offset]);
    }
    for (const [name, offsets] of own) days.set(name, offsets);
  }
  return [...days].map(([name, offsets]) => ({ name, offsets })).toSorted((one, other) => other.name.length - one.name.length);
}

interface Weekday {
  /** Folded. */
  readonly name: string;
  /** From Monday, 1, to Sunday, 7. */
  readonly weekday: number;
}

const knownWeekdays: readonly Weekday[] = [
  'monday lunes segunda-feira',
  'tuesday martes terca-feira',
  'wednesday miercoles quarta-feira',
  'thursday jueves quinta-feira',
  'friday viernes sexta-feira',
  'saturday sabado',
  'sunday domingo',
].flatMap((names, index) => names.split(' ').map((name) => ({ name, weekday: index + 1 })));

/** The names of weekdays, the longest first. In Portuguese also without "-feira", which elsewhere are the second to the sixth. */
export function weekdayNames(locale: string | undefined): readonly Weekday[] {
  const names = new Map(knownWeekdays.map(({ name, weekday }) => [name, weekday]));
  for (const [name, weekday] of names) names.set(name.replace('-', ' '), weekday);
  if (locale !== undefined && calendarOf(locale) === 'gregory') {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    for (let weekday = 1; weekday <= 7; weekday += 1) {
      const name = foldLetters(format.format(mondayMs + (weekday - 1) * dayMs));
      if (/^[\p{L}\p{M} '-]{2,40}$/u.test(name)) names.set(name, weekday);
      const [first = '', second] = name.split('-');
      if (second === 'feira') names.set(first, weekday);
    }
  }
  return [...names].map(([name, weekday]) => ({ name, weekday })).toSorted((one, other) => other.name.length - one.name.length);
}

/** Whether a locale writes the day or the month first. */
export function monthOrder(locale: string): 'dayFirst' | 'monthFirst' {
  const parts = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric', year: 'numeric' }).formatToParts(0);
  return parts.findIndex(({ type }) => type === 'month') < parts.findIndex(({ type }) => type === 'day') ? 'monthFirst' : 'dayFirst';
}

export const calendarOf = (locale: string): string => new Intl.DateTimeFormat(locale).resolvedOptions().calendar;

/** The ways in which a locale prints a day that are read back as they are printed. */
const printedStyles = (['numeric', '2-digit', 'short', 'long'] as const).map(
  (month) => ({ year: 'numeric', month, day: month === '2-digit' ? '2-digit' : 'numeric', timeZone: 'UTC' }) as const,
);

/**
 * The day that a locale prints as a text, as `2031-04-03`: the numbers of the text are the fields that the locale prints as numbers, in its
 * order, and the day counts only where the locale prints the text for it.
 *
 * @param text - cleaned
 * @param clean - how texts are cleaned
 */
export function readPrinted(text: string, locale: string, clean: (printed: string) => string | undefined): string | undefined {
  const numbers = (text.match(/\d{1,20}/g) ?? []).map(Number);
  if (numbers.length < 2 || numbers.length > 3 || calendarOf(locale) !== 'gregory') return undefined;
  for (const style of printedStyles) {
    const format = new Intl.DateTimeFormat(locale, style);
    const fields = format.formatToParts(inYear2031Ms).filter(({ value }) => /\p{Nd}/u.test(value) && !/\p{L}/u.test(value));
    const at = new Map(fields.filter(({ type }) => type !== 'literal').map(({ type }, index) => [type, numbers[index]]));
    const [year, month, day] = [at.get('year'), at.get('month'), at.get('day')];
    if (at.size !== numbers.length || year === undefined || year < 100 || day === undefined) continue; // of 15.12.26 the century is to be found
    for (const known of month === undefined ? months : [month]) {
      const date = DateTime.utc(year, known, day);
      if (date.isValid && clean(format.format(date.toMillis())) === text) return date.toISODate() ?? undefined;
    }
  }
  return undefined;
}

const months = Array.from({ length: 12 }, (_, index) => index + 1);

/** Years of our calendar that one year of another lasts, and the year in which its year 0 lies. */
const calendars: Readonly<Record<string, readonly [yearLength: number, yearZero: number]>> = {
  buddhist: [1, -543],
  roc: [1, 1911],
  persian: [1, 621],
  'islamic-umalqura': [0.970_22, 621.6],
  'islamic-civil': [0.970_22, 621.6],
  'islamic-tbla': [0.970_22, 621.6],
};

/**
 * The date of a day with a year and a number of our calendar in a month of another one, as some formatters print it; `undefined` where there
 * is not exactly one.
 */
export function inGregorianYear(
  calendar: string,
  { year, month, day }: Readonly<Record<'year' | 'month' | 'day', number>>,
): string | undefined {
  const number = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, { month: 'numeric', timeZone: 'UTC' });
  const dates = Array.from({ length: 12 }, (_, index) => DateTime.utc(year, index + 1, day)).filter(
    (date) => date.isValid && Number.parseInt(number.format(date.toMillis()), 10) === month,
  );
  return dates.length === 1 ? (dates[0]?.toISODate() ?? undefined) : undefined;
}

/** The date, as `2031-04-03`, of a day of another calendar; `undefined` when it has none. The platform converts one way only: near days are tried. */
export function toGregorian(
  calendar: string,
  { year, month, day }: Readonly<Record<'year' | 'month' | 'day', number>>,
): string | undefined {
  const [yearLength, yearZero] = calendars[calendar] ?? [1, Number.NaN];
  const guess = year2000Ms + ((year + (month - 1) / 12 + day / 365) * yearLength + yearZero - 2000) * 365.2425 * dayMs;
  if (!Number.isFinite(guess)) return undefined;
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const wanted = [year, month, day].join();
  for (let step = 0; step <= 2 * 100; step += 1) {
    const dateMs = Math.round(guess / dayMs) * dayMs + (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * dayMs;
    const parts = new Map(format.formatToParts(dateMs).map(({ type, value }) => [type, value]));
    if ([parts.get('year'), parts.get('month'), parts.get('day')].join() === wanted)
      return DateTime.fromMillis(dateMs, { zone: 'utc' }).toISODate() ?? undefined;
  }
  return undefined;
}
