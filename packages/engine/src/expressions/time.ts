import { DateTime, Duration, FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { instantMs } from '../contract/duration.ts';
import { createCacheByText } from './cache-by-text.ts';
import { TimeSpan, Timestamp, type Value } from './value.ts';

/** The years 1 to 9999 in UTC, as in CEL: others cannot be written as ISO 8601 with four digits. */
const firstMs = -62_135_596_800_000;
const lastMs = 253_402_300_799_999;
/** 10,000 years, as in CEL. */
const longestMs = 315_576_000_000_000;

/** Creates a timestamp; `undefined` for an instant outside the years 1 to 9999. */
export const createTimestamp = (ms: number): Timestamp | undefined => (ms >= firstMs && ms <= lastMs ? new Timestamp(ms) : undefined);

/** 10,000 years in calendar months. */
const longestMonths = 120_000;

/** Creates a duration; `undefined` for more than 10,000 years. */
export const createTimeSpan = (ms: number, months = 0): TimeSpan | undefined =>
  Math.abs(ms) <= longestMs && Math.abs(months) <= longestMonths ? new TimeSpan(ms, months) : undefined;

/** An instant after a duration: first its calendar months in a zone, to the same day or the last one of the month, then the rest. */
export const addSpan = (ms: number, span: TimeSpan, zone: Zone): number =>
  span.months === 0 ? ms + span.ms : convertToZone(ms, zone).plus({ months: span.months }).toMillis() + span.ms;

/** Parses ISO 8601 with a zone, as which timestamps are saved; `undefined` for any other value. */
export function parseTimestamp(value: Value): Timestamp | undefined {
  if (typeof value !== 'string' || value.length < 16 || value.length > 40) return undefined;
  const ms = instantMs(value);
  return ms === undefined ? undefined : createTimestamp(ms);
}

/** ISO 8601 in UTC, with milliseconds. */
export const formatTimestamp = ({ ms }: Timestamp): string => convertToZone(ms, FixedOffsetZone.utcInstance).toISO() ?? '';

/** An instant on the calendar of a zone. */
export const convertToZone = (ms: number, zone: Zone): DateTime => DateTime.fromMillis(ms, { zone, locale: 'en-US' });

const unitMs: { readonly [unit: string]: number } = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Parses `1h30m`, `-1.5h`, `300ms`, and ISO 8601 such as `P1DT2H` or `P1M`; `undefined` for anything else, a part of a month or year
 * among it.
 */
export function parseDuration(text: string): TimeSpan | undefined {
  if (text.length > 100) return undefined;
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest.startsWith('P')) return parseIso(rest, sign === '-' ? -1 : 1);
  const ms = unitsMs(rest);
  return ms === undefined ? undefined : createTimeSpan(sign === '-' ? 0 - ms : ms);
}

function unitsMs(text: string): number | undefined {
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d*)(?:\.(\d*))?([a-zµ]+)/g)) {
    const size = unitMs[unit] ?? 0;
    // The fraction by itself, in whole nanoseconds: added to a large number it would lose its last digits.
    ms += Number(whole) * size + Math.round(Number(`0.${fraction}0`) * size * 1e6) / 1e6;
  }
  return ms;
}

function parseIso(text: string, sign: 1 | -1): TimeSpan | undefined {
  if (!/\d[A-Z]$/.test(text)) return undefined; // luxon accepts a P or T with nothing behind it
  const parsed = Duration.fromISO(text);
  const months = parsed.years * 12 + parsed.months;
  const ms = parsed.set({ years: 0, months: 0 }).toMillis();
  return Number.isFinite(ms) && Number.isSafeInteger(months) ? createTimeSpan(sign * ms + 0, sign * months + 0) : undefined;
}

/** A duration in CEL's notation: seconds, such as `90s` or `-1.5s`. With calendar months in ISO 8601, such as `P1Y2M` or `P1MT90S`. */
export function formatDuration({ ms, months }: TimeSpan): string {
  if (months === 0) return formatSeconds(ms);
  const [years, rest] = [Math.floor(Math.abs(months) / 12), Math.abs(months) % 12];
  const time = ms === 0 ? '' : `T${formatSeconds(months < 0 ? 0 - ms : ms).toUpperCase()}`;
  return `${months < 0 ? '-' : ''}P${years === 0 ? '' : `${years}Y`}${rest === 0 ? '' : `${rest}M`}${time}`;
}

function formatSeconds(ms: number): string {
  const length = Math.abs(ms);
  const wholeMs = Math.floor(length);
  // The fraction of a millisecond by itself: added to a large number it would lose its last digits.
  const nanos = (wholeMs % 1_000) * 1e6 + Math.min(Math.round((length - wholeMs) * 1e6), 999_999);
  const fraction = String(nanos).padStart(9, '0').replace(/0+$/, '');
  return `${ms < 0 ? '-' : ''}${Math.floor(wholeMs / 1_000)}${fraction === '' ? '' : `.${fraction}`}s`;
}

/**
 * The time zone with an IANA name or an offset (`+05:30`, which CEL also writes `05:30`). Luxon caches every spelling of a name for ever, so that it gets the platform's
 * canonical name only.
 *
 * @returns `undefined` for an unknown name
 */
export const getZone: (name: string) => Zone | undefined = createCacheByText(findZone);

function findZone(name: string): Zone | undefined {
  const [, sign, hours, minutes] = /^([+-]?)([01]\d|2[0-3]):([0-5]\d)$/.exec(name) ?? [];
  if (hours !== undefined) return FixedOffsetZone.instance((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)));
  if (name.length > 60) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return known === 'UTC' ? FixedOffsetZone.utcInstance : IANAZone.create(known);
  } catch {
    return undefined;
  }
}
