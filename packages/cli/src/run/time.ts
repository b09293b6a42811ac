import { writeDuration } from '@hilo/simulator';

/** An instant in UTC, for virtual time is in no time zone. */
export const clockText = (atMs: number): string => `${date.format(atMs).replace(',', '')} ${timeText(atMs)}`;

/** Its time of day, with the day of the week. */
export const dayTimeText = (atMs: number): string => `${weekday.format(atMs)} ${timeText(atMs)}`;

const timeText = (atMs: number): string => time.format(atMs).replace(/:00$/, '');

const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' });
const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** How long, in at most two units: `1d 4h`. */
export function durationText(durationMs: number): string {
  const wholeMs = durationMs >= 1_000 ? Math.floor(durationMs / 1_000) * 1_000 : Math.max(0, durationMs);
  return (writeDuration(wholeMs).match(/\d+[a-z]+/g) ?? []).slice(0, 2).join(' ');
}
