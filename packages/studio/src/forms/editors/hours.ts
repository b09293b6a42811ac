/** The hours of a week as switches and times, and back: what the editor of opening hours can say. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof days)[number];

/** From an hour up to another, as `09:00`. */
export type Interval = readonly [string, string];

const usual: readonly Interval[] = [['09:00', '18:00']];
const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const known: ReadonlySet<string> = new Set(days);

/** A field of the browser for a time ends at 23:59: midnight at the end of a day is its 00:00. */
export const shownClosing = (text: string): string => (text === '24:00' ? '00:00' : text);
export const writtenClosing = (text: string): string => (text === '00:00' ? '24:00' : text);

const isInterval = (value: Json): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  time.test(value[0]) &&
  (value[1] === '24:00' || (time.test(value[1]) && value[1] !== '00:00'));

/** Whether the hours of a week are all of a form that the editor shows. */
export const isWeek = (week: Json | undefined): boolean =>
  week === undefined ||
  (isRecord(week) &&
    Object.entries(week).every(([day, hours]) => known.has(day) && Array.isArray(hours) && (hours as readonly Json[]).every(isInterval)));

export function hoursOf(week: Json | undefined, day: Day): readonly Interval[] {
  const hours = isRecord(week) ? week[day] : undefined;
  return Array.isArray(hours) ? hours.flatMap((one: Json) => (Array.isArray(one) ? [[String(one[0]), String(one[1])] as const] : [])) : [];
}

/** Sets the hours of a day; without any it is closed. The days keep their order. */
export function withHours(week: Json | undefined, day: Day, hours: readonly Interval[]): JsonObject {
  const all = new Map(days.map((one) => [one, one === day ? hours : hoursOf(week, one)]));
  return Object.fromEntries([...all].flatMap(([one, open]) => (open.length === 0 ? [] : [[one, open.map(([from, to]) => [from, to])]])));
}

/** Opens a day with the hours of the last open day before it. */
export function openDay(week: Json | undefined, day: Day): JsonObject {
  const before = days.slice(0, days.indexOf(day)).findLast((one) => hoursOf(week, one).length > 0);
  return withHours(week, day, before === undefined ? usual : hoursOf(week, before));
}
