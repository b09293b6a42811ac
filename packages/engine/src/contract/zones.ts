import { z } from 'zod';

/** Whether there is a time zone of this IANA name. Offsets such as `+05:00` are none: they know no summer time. */
export const isTimeZone = (name: string): boolean =>
  name.length <= 60 && !/^[+-]/.test(name) && isKnown(() => new Intl.DateTimeFormat('en', { timeZone: name }));

/** Whether numbers and dates can be written by this locale: a language, perhaps a script and a country, that the platform knows. */
export const isLocale = (name: string): boolean =>
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/.test(name) && Intl.NumberFormat.supportedLocalesOf(name).length > 0;

/** What `Intl` does not know, it throws for. */
function isKnown(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}

const quoted = (name: unknown): string => `"${String(name).slice(0, 60)}"`;

/** A time zone by its IANA name: what instants are shown in and times of day are meant in. */
export const TimeZone = z.string().refine(isTimeZone, {
  error: ({ input }) => `There is no time zone ${quoted(input)}: write an IANA name such as America/Lima`,
});

/** How numbers and dates are written for people, as BCP 47 names it: a language and, where it matters, a country. */
export const Locale = z.string().refine(isLocale, {
  error: ({ input }) => `There is no locale ${quoted(input)}: write a language and a country such as es-PE`,
});
