import { DateTime, Duration as LuxonDuration } from 'luxon';
import { z } from 'zod';

/** ISO 8601 as a regular expression, for editors, which show it: short, and a little wider than what is accepted. */
export const isoDuration = String.raw`P(?!$)([\d.,]+[YMWD])*(T([\d.,]+[HMS])+)?`;

/** What an editor says, in place of the pattern, of a text that is no duration. */
export const durationHelp = { patternErrorMessage: 'Write a duration of ISO 8601, such as PT20S, PT2H or P3D' };

const noFixedLength = 'has months or years, which have no fixed length here; write days, such as P30D or P365D';

/** The same without months and years. */
const fixedDuration = String.raw`P(?!$)([\d.,]+[WD])*(T([\d.,]+[HMS])+)?`;

/** ISO 8601 in the canvas (`PT20S`, `P3D`), whole milliseconds here. Always above zero. */
export const Duration = z
  .string()
  .meta({ format: 'duration', pattern: `^${fixedDuration}$`, ...durationHelp, examples: ['PT20S', 'PT2H', 'P3D'] })
  .transform(readDuration);

/** The milliseconds of a text in a canvas, or an issue of it. */
export function readDuration(text: string, context: z.core.$RefinementCtx): number {
  const durationMs = parseDurationMs(text);
  if (durationMs !== undefined) return durationMs;
  if (isOfCalendar(text)) context.addIssue(`"${text}" ${noFixedLength}`);
  else
    context.addIssue(
      `"${text}" is not a duration above zero and up to a hundred years; write ISO 8601, such as PT20S, PT2H or P3D${meantDuration(text)}`,
    );
  return z.NEVER;
}

/** Units as people write them, each row with how a duration has them at its end. */
const units: ReadonlyMap<string, string> = new Map(
  [
    's sec secs second seconds PTnS',
    'm min mins minute minutes PTnM',
    'h hr hrs hour hours PTnH',
    'd day days PnD',
    'w week weeks PnW',
    'month months PnM',
    'y year years PnY',
  ].flatMap((row) => {
    const words = row.split(' ');
    return words.slice(0, -1).map((word) => [word, words.at(-1) ?? ''] as const);
  }),
);

/** What was likely meant by a text that is no duration, such as "2h" or "3 days", for the end of a message; empty where nothing is known. */
export function meantDuration(text: string): string {
  const given = text.trim().toLowerCase();
  if (given.length > 60 || !/^\d+ ?[a-z]+(?:,? (?:and )?\d+ ?[a-z]+)*$/.test(given)) return '';
  const parts = [...given.matchAll(/(\d{1,9}) ?([a-z]+)/g)].map(([, count = '', unit = '']) => units.get(unit)?.replace('n', count));
  const [days, times] = [parts.filter((part) => part?.startsWith('PT') === false), parts.filter((part) => part?.startsWith('PT') === true)];
  const meant = `P${days.map((part) => part?.slice(1)).join('')}${times.length === 0 ? '' : `T${times.map((part) => part?.slice(2)).join('')}`}`;
  return parts.includes(undefined) || parseKeptDurationMs(meant) === undefined ? '' : `; write "${meant}"`;
}

/** A duration that stays text: for values that are stored as authored. */
export const DurationText = z
  .string()
  .meta({ format: 'duration', pattern: `^${fixedDuration}$`, ...durationHelp, examples: ['PT24H'] })
  .refine((text) => !isOfCalendar(text), { error: `This ${noFixedLength}`, abort: true })
  .refine((text) => parseDurationMs(text) !== undefined, {
    error: 'This is not a duration above zero and up to a hundred years; write ISO 8601, such as PT24H or P3D',
  });

/** Whether a duration in ISO 8601 has months or years, whose length depends on the day from which they count. */
export const isOfCalendar = (text: string): boolean => /^P[^T]*\d[YM]/.test(text);

/**
 * Milliseconds of an ISO 8601 duration above zero and up to a hundred years; `undefined` for anything else, and for one of months or
 * years. A fraction such as `PT0.3333M` comes to whole ones, as due times are kept.
 */
export const parseDurationMs = (text: string): number | undefined => (isOfCalendar(text) ? undefined : parseKeptDurationMs(text));

/** The same of a text that was checked before; a month in it counts as 30 days and a year as 365, as where it was published. */
export function parseKeptDurationMs(text: string): number | undefined {
  if (!text.startsWith('P') || beyondIso.test(text)) return undefined;
  const durationMs = Math.round(LuxonDuration.fromISO(text.replace(',', '.'), { locale: 'en-US' }).toMillis());
  return Number.isFinite(durationMs) && durationMs > 0 && durationMs <= longestMs ? durationMs : undefined;
}

/** What luxon accepts beyond ISO 8601: a sign, a `T` without a time, a fraction of any part but the last. */
const beyondIso = /[+-]|T$|[.,]\d+[A-Z].*\d/;

/** A hundred years. */
export const longestMs = 100 * 366 * 86_400_000;

/** ISO 8601 with a zone in the canvas (`2031-03-01T09:00:00-05:00`), milliseconds since the Unix epoch here. */
export const Instant = z
  .string()
  .meta({ format: 'date-time', examples: ['2031-03-01T09:00:00-05:00'] })
  .transform(readInstant);

/** The same of an instant. */
export function readInstant(text: string, context: z.core.$RefinementCtx): number {
  const atMs = instantMs(text);
  if (atMs !== undefined) return atMs;
  context.addIssue(`"${text}" is not an instant; write ISO 8601 with a zone, such as 2031-03-01T09:00:00-05:00`);
  return z.NEVER;
}

/** Milliseconds since the Unix epoch of an ISO 8601 text; `undefined` when it is malformed, or has no day or no zone. */
export function instantMs(text: string): number | undefined {
  if (!/^[^T]*T.*(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i.test(text)) return undefined;
  if (yearOrMonth.test(text)) return undefined;
  const atMs = DateTime.fromISO(text, { setZone: true }).toMillis();
  return atMs >= firstMs && atMs <= lastMs ? atMs : undefined;
}

/** A year, a month or a week before a time: luxon uses its first day. */
const yearOrMonth = /^(?:[+-]\d\d)?\d{4}(?:-?W?\d\d)?T/i;

/** The years 0 to 9999 in UTC: others cannot be written as a `date-time`. */
const [firstMs, lastMs] = [-62_167_219_200_000, 253_402_300_799_999];
