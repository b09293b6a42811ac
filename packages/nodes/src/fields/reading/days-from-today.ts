/**
 * Reads a day that is said from today: `mañana`, `in 3 days`, `hace dos semanas`, `el lunes`, `next friday`, `viernes 5`, `el 25`. English,
 * Spanish and Portuguese; of other languages what their locale calls the days from the day before yesterday on, and its weekdays.
 */
import { findText } from '@hilo/engine/contract';
import type { DateTime } from 'luxon';
import type { ReadingContext } from './clean.ts';
import { relativeDays, weekdayNames } from './locale-dates.ts';

type Reading = Pick<ReadingContext, 'locale' | 'isStrict'>;

interface Bounded extends Reading {
  /** Whether a day lies within the bounds of the question. */
  readonly fits: (date: string) => boolean;
}

/**
 * The days that an answer says from today. A weekday counts only where nothing else in the answer is a day.
 *
 * @param text - folded, with digits for number words
 */
export function readDaysFromToday(text: string, today: DateTime, place: Bounded): readonly DateTime[] {
  if (lastOfMonth.test(text)) return [today.endOf('month').startOf('day')];
  const named = [...readNamed(text, today, place), ...readDistances(text, today, place)];
  return named.length > 0 ? named : readDayOfMonth(text, today, place);
}

/** The last day of this month. "Fin de mes" and "the end of the month" are some days. */
const lastOfMonth =
  /^(?:(?:el|the|on|o|no|para|for) ){0,3}(?:ultimo dia (?:del|de este|deste|do) (?:presente )?mes|last day of (?:the|this) month)[.!]{0,3}$/;

const hasWords = (text: string): boolean => /[\p{L}\d]/u.test(text);

/** Days by name: `hoy`, `tomorrow`, `depois de amanhã`. "La mañana" is the morning. */
function readNamed(text: string, today: DateTime, { locale, isStrict, fits }: Bounded): readonly DateTime[] {
  const found: DateTime[] = [];
  let rest = ` ${text.replace(/\b(?:por|de|en|a|esta) la manana\b|\besta manana\b|\bfrom today\b/g, ' ')} `;
  for (const { name, offsets } of relativeDays(locale)) {
    const at = findText(rest, name);
    if (at < 0 || isInWord(rest, at, name)) continue;
    rest = rest.slice(0, at) + rest.slice(at + name.length);
    const dates = offsets.map((days) => today.plus({ days }));
    // Of two days of one name it is the one that the question can mean.
    const meant = dates.length > 1 ? dates.filter((date) => fits(date.toISODate() ?? '')) : dates;
    found.push(...(meant.length === 1 ? meant : dates));
  }
  return isStrict && hasWords(rest) ? [] : found;
}

const isInWord = (text: string, at: number, name: string): boolean =>
  /[\p{L}\p{M}]$/u.test(text.slice(0, at)) || /^[\p{L}\p{M}]/u.test(text.slice(at + name.length));

/** `in 3 days`, `dentro de una semana`, `hace 2 meses`, `3 days ago`; in French, German and Italian too. */
function readDistances(text: string, today: DateTime, { isStrict }: Reading): readonly DateTime[] {
  return [...text.matchAll(distance)].flatMap(({ 0: written, index, groups = {} }) => {
    if (isStrict && hasWords(text.slice(0, index) + text.slice(index + written.length))) return [];
    const { lead, count = '1', unit = 'day', tail } = groups;
    const isPast = (tail !== undefined && !/^ (?:from|lagi)/.test(tail)) || (lead !== undefined && pastLeads.has(lead));
    if (lead === undefined && tail === undefined) return [];
    const counted = /^\d/.test(count) ? Number(count) : 1;
    return [today.plus({ [unitNames.get(unit) ?? 'days']: isPast ? -counted : counted })];
  });
}

const distance =
  /(?:\b(?<lead>in|en|dentro de|de aqui a|em|daqui a|daqui|hace|ha|faz|dans|il y a|vor|fra|tra|dalam)(?: unos| unas| uns| umas| como| about| aproximadamente)? )?\b(?<count>\d{1,3}|an?|une?|una?|uma?|one|ein(?:e[mrn]?)?) (?<unit>day|dia|week|semana|month|mes|year|ano|jour|semaine|moi|an|tag|woche|monat|jahr|giorn[io]|settiman[ae]|mes[ei]|ann[io]|hari|minggu|bulan|tahun)(?:es|e?n|s)?\b(?<tail> (?:ago|atras|fa|lagi|from (?:now|today))\b)?/g;
const pastLeads: ReadonlySet<string> = new Set(['hace', 'ha', 'faz', 'il y a', 'vor']);
const unitNames: ReadonlyMap<string, 'weeks' | 'months' | 'years'> = new Map(
  Object.entries({
    weeks: 'week semana semaine woche settimana settimane minggu',
    months: 'month mes moi monat mese mesi bulan',
    years: 'year ano an jahr anno anni tahun',
  } as const).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit as 'weeks' | 'months' | 'years'] as const)),
);

/** `el 25`, `día 25`, `the 25th`, `25th` as the whole answer: the next such day, today included; `15 de este mes`, `15 del próximo mes`. */
function readDayOfMonth(text: string, today: DateTime, { isStrict }: Reading): readonly DateTime[] {
  const [, number, next] = dayOfNamedMonth.exec(text) ?? [];
  if (number !== undefined) {
    const date = today.startOf('month').plus({ months: next === undefined ? 0 : 1, days: Number(number) - 1 });
    return date.day === Number(number) ? [date] : [];
  }
  const [, behind, ordinal] = dayOfMonth.exec(isStrict ? text : text.replace(besideDay, '')) ?? [];
  const day = Number(behind ?? ordinal);
  return Number.isNaN(day)
    ? []
    : nextDays(today)
        .filter((date) => date.day === day)
        .slice(0, 1);
}

const dayOfMonth =
  /^(?:(?:(?:para|for|on|by|ok,?|si,?|sim,?|yes,?|mejor|a mas tardar|maximo|no maximo) ){0,2}(?:el dia|el|the|no dia|o dia|dia|le|il|am|den|tanggal|tgl) (\d{1,2})(?:st|nd|rd|th|e?ro)?|(\d{1,2})(?:st|nd|rd|th|e?ro))[.!]{0,3}$/;
/** What may stand behind the number of a day: a time, a part of the day, how many people, a courtesy. */
const besideDay =
  /,? (?:(?:at|as|a las?) \d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.? ?m| ?h(?:rs?|oras?)?)?|\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.? ?m|h(?:rs?|oras?)?)|(?:de|en|por|pela|in|na|at|a) (?:la |the )?(?:manana|tarde|noche|manha|noite|morning|afternoon|evening|night|mediodia|noon)|(?:para|for) \d{1,2}(?: \p{L}{4,9})?|por favor|please|gracias|thanks|mejor|instead)(?=[,.! ]|$)/gu;

const dayOfNamedMonth =
  /^(?:(?:el|the|o|dia) ){0,2}(\d{1,2})(?:st|nd|rd|th)? (?:de |del |of |do |deste |d)?(?:(proximo mes|mes que viene|mes entrante|mes que entra|mes que vem|next month|mes proximo)|este mes|this month|deste mes|corriente)[.!]{0,3}$/;

/** Enough days for each number from 1 to 31 to come once. */
const nextDays = (today: DateTime): readonly DateTime[] => Array.from({ length: 62 }, (_, days) => today.plus({ days }));

/**
 * The weekday of an answer, as the next one from tomorrow on; `lunes 30` is the next 30th, where that is a Monday.
 *
 * @returns `undefined` where it may be either of two days: today's weekday without "next", and what is "next friday" in English while this
 *   week still has a Friday
 */
export function readWeekday(text: string, today: DateTime, { locale, isStrict }: Reading): DateTime | undefined {
  const found = findWeekdays(text, locale);
  const [one, another] = found;
  if (one === undefined || another !== undefined) return undefined;
  const [behind, day] =
    /^,? (?:(?:the|el|dia) )?(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d:./-]| ?(?:am|pm|a\.m|p\.m|h|hrs?|horas?)\b)/u.exec(text.slice(one.to)) ??
    [];
  const others = `${text.slice(0, one.from)} ${text.slice(one.to + (behind?.length ?? 0))}`;
  if (isStrict && (others.match(/[\p{L}\d]{1,40}/gu) ?? []).some((word) => !besideWeekday.has(word))) return undefined;
  if (day !== undefined) {
    const next = nextDays(today).find((date) => date.day === Number(day));
    return next?.weekday === one.weekday ? next : undefined;
  }
  const coming = today.plus({ days: ((one.weekday - today.weekday + 6) % 7) + 1 });
  // "El lunes pasado" is not today, on a Monday.
  if (/\b(?:last|pasad[oa]|passad[oa])\b/.test(others)) return coming.minus({ days: one.weekday === today.weekday ? 14 : 7 });
  if (nextWeek.test(others)) return today.startOf('week').plus({ days: 7 + one.weekday - 1 });
  const isThisWeek = coming.weekNumber === today.weekNumber;
  if (/\bnext\b/.test(others)) return isThisWeek ? undefined : coming;
  if (one.weekday !== today.weekday || /\b(?:proxim[oa]|que viene|que vem)\b/.test(others)) return coming;
  return /\b(?:este|esta|this|neste|nesta|hoy|today|hoje)\b/.test(others) ? today : undefined;
}

/** A weekday that a text names, and where. */
interface NamedWeekday {
  /** From Monday, 1, to Sunday, 7. */
  readonly weekday: number;
  readonly from: number;
  readonly to: number;
}

/** The weekdays that a text names. */
export function findWeekdays(text: string, locale: string | undefined): readonly NamedWeekday[] {
  const found: NamedWeekday[] = [];
  let rest = text;
  for (const { name, weekday } of weekdayNames(locale)) {
    for (let from = findText(rest, name); from >= 0; from = findText(rest, name, from + 1)) {
      if (isInWord(rest, from, name) || (name === 'minggu' && /\d $/.test(rest.slice(0, from)))) continue; // weeks, as well as Sunday
      found.push({ weekday, from, to: from + name.length });
      rest = `${rest.slice(0, from)}${'\0'.repeat(name.length)}${rest.slice(from + name.length)}`;
    }
  }
  return found;
}

/** "El viernes de la próxima semana", "friday next week". */
const nextWeek = /\bproxima semana\b|\bsemana (?:que vi?ene|que vem|proxima)\b|\bnext week\b/;

/** What may stand beside a weekday that must be alone. */
const besideWeekday: ReadonlySet<string> = new Set(
  'el la o a on no na the this este esta neste nesta next proximo proxima que viene vem last pasado passado passada de semana week'.split(
    ' ',
  ),
);
