// An instant as people say it: today by its time, this year without the year, and never with seconds, which only debugging asks for.
import { useMemo } from 'react';
import { useLanguage } from './words.tsx';

/** Says instants in a language, as seen from another instant. */
export function momentsIn(locale: string, timeZone?: string): (at: Date, now: Date) => string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'short', ...zone });
  const today = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
  const thisYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', ...zone });
  const before = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone });
  const year = new Intl.DateTimeFormat(locale, { year: 'numeric', ...zone });
  return (at, now) => {
    if (day.format(at) === day.format(now)) return today.format(at);
    return (year.format(at) === year.format(now) ? thisYear : before).format(at);
  };
}

/** An instant in a list or a conversation, in the reader's language and zone. */
export function useMoment(): (instant: string | number) => string {
  const { locale } = useLanguage();
  const say = useMemo(() => momentsIn(locale), [locale]);
  return (instant) => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? String(instant) : say(date, new Date());
  };
}
