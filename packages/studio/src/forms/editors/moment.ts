/** A moment as a day and a time, and back: what the editor of moments can say. */

/** A day and a time: each a path such as `$context.day`; the time also a constant such as `09:00`. */
export interface DayAndTime {
  readonly day: string;
  readonly time: string;
}

const usualTime = '09:00';
const written = /^\{\{instant\((\$[A-Za-z][\w.]*), (?:(\$[A-Za-z][\w.]*)|"(\d\d:\d\d)")\)\}\}$/;
const path = /^\$[A-Za-z][\w.]*$/;

/** The day and the time of a moment; `undefined` for one that is written otherwise. */
export function readMoment(text: string): DayAndTime | undefined {
  if (text === '') return { day: '', time: '' };
  const [, day, time, constant] = written.exec(text) ?? [];
  return day === undefined ? undefined : { day, time: time ?? constant ?? '' };
}

/** The expression of a day and a time; without a time it is that of the morning. */
export function writeMoment({ day, time }: DayAndTime): string {
  if (day === '') return '';
  return `{{instant(${day}, ${path.test(time) ? time : `"${/^\d\d:\d\d$/.test(time) ? time : usualTime}"`})}}`;
}
