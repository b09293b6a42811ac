/** Texts that are moments, as answers, the language and other systems write them: instants, days, times of day. Two of them meet as numbers. */
import { instantMs } from '@hilo/engine/contract';
import { DateTime } from 'luxon';

/** The zone in which a day or a time beside an instant is meant: that of the user. Asked for only where it counts. */
export type FindZone = () => string;
export const inUtc: FindZone = () => 'UTC';

/** A moment: an instant in milliseconds, a day as days since 1970, or a time of day as seconds. */
interface Moment {
  readonly kind: 'instant' | 'day' | 'time';
  readonly value: number;
}

/** Whether a text may be a moment: looked at before anything is read. */
export const looksLikeMoment = (text: string): boolean =>
  text.length >= 4 && text.length <= 40 && /^(?:[+\d]\d{3,5}-\d\d|\d{1,2}:\d\d(?::\d\d)?$)/.test(text);

const dayMs = 86_400_000;
const [dayText, timeText] = [/^\d{4}-\d\d-\d\d$/, /^(\d{1,2}):(\d\d)(?::(\d\d))?$/];
/** An instant without a zone, as sheets and databases write it. */
const localText = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;

/** The moment that a text is. One without a zone is meant in that of the user. */
export function readMoment(text: string, zone: FindZone): Moment | undefined {
  const [time, hour, minute, second = 0] = timeText.exec(text) ?? [];
  if (time !== undefined)
    return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
      ? { kind: 'time', value: (Number(hour) * 60 + Number(minute)) * 60 + Number(second) }
      : undefined;
  if (dayText.test(text)) {
    const ms = instantMs(`${text}T00:00:00Z`);
    return ms === undefined ? undefined : { kind: 'day', value: Math.floor(ms / dayMs) };
  }
  const ms = localText.test(text) ? DateTime.fromISO(text.replace(' ', 'T'), { zone: zone() }).toMillis() : instantMs(text);
  return ms === undefined || Number.isNaN(ms) ? undefined : { kind: 'instant', value: ms };
}

/** Two moments as numbers of one kind; `undefined` for a day and a time. An instant beside a day or a time is the one that it is in the zone. */
export function meetMoments(left: Moment, right: Moment, zone: FindZone): readonly [number, number] | undefined {
  if (left.kind === right.kind) return [left.value, right.value];
  if (left.kind === 'instant' && right.kind !== 'instant') return [partOf(left.value, right.kind, zone), right.value];
  if (right.kind === 'instant' && left.kind !== 'instant') return [left.value, partOf(right.value, left.kind, zone)];
  return undefined;
}

function partOf(ms: number, kind: 'day' | 'time', zone: FindZone): number {
  const at = DateTime.fromMillis(ms, { zone: zone() });
  return kind === 'day' ? Math.floor(at.setZone('UTC', { keepLocalTime: true }).toMillis() / dayMs) : (at.hour * 60 + at.minute) * 60;
}
