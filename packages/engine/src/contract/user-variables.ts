import { z } from 'zod';
import type { Channel, Contact } from './execution.ts';
import type { Json, JsonObject } from './json.ts';
import { otherSpellings } from './phone-spellings.ts';

/** Whether this IANA name is a time zone. Offsets such as `+05:00` are not: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (name.length > 60 || /^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false; // it throws for unknown names
  }
}

/** Whether the platform supports this locale: a language, optionally with script and country. */
export const isLocale = (name: string): boolean =>
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/.test(name) && Intl.NumberFormat.supportedLocalesOf(name).length > 0;

const quote = (name: unknown): string => `"${String(name).slice(0, 60)}"`;

/** A time zone by its IANA name: what instants are shown in and times of day are meant in. */
export const TimeZone = z.string().refine(isTimeZone, {
  error: ({ input }) => `There is no time zone ${quote(input)}: write an IANA name such as America/Lima`,
});

/** How numbers and dates are written for people, as BCP 47 names it: a language and, where it matters, a country. */
export const Locale = z.string().refine(isLocale, {
  error: ({ input }) => `There is no locale ${quote(input)}: write a language and a country such as es-PE`,
});

/** The channels where a user is a phone number (`rules.md`: "phone-number channel" = whatsapp). */
export const phoneNumberChannels: ReadonlySet<Channel> = new Set<Channel>(['whatsapp']);

/** How long the window stays open after the user's last message (WIN-01). */
export const sessionWindowMs = 86_400_000;

/** How long after a message of a campaign what the user writes answers it. */
export const campaignReplyMs = 86_400_000;

/**
 * The value of `$user`. `timeZone` and `locale` are set when known. `phone` and its alias `phoneNumber` are one value, digits or null,
 * also for a user with a BSUID (VAR-04, VAR-05); on other than phone-number channels both keys are absent (VAR-06).
 */
export function userVariables(
  userId: string,
  contact: (Pick<Contact, 'names' | 'phone'> & Partial<Pick<Contact, 'timeZone' | 'locale' | 'fields'>>) | undefined,
  channel: Channel | undefined,
): JsonObject {
  const { names = null, timeZone = null, locale = null } = contact ?? {};
  const variables: { [name: string]: Json } = { id: userId, names };
  if (timeZone !== null) variables['timeZone'] = timeZone;
  if (locale !== null) variables['locale'] = locale;
  if (contact?.fields !== undefined) variables['fields'] = contact.fields;
  if (channel === undefined || !phoneNumberChannels.has(channel)) return variables;
  const phone = canonicalPhone(contact?.phone ?? null) ?? canonicalPhone(userId);
  variables['phone'] = phone;
  variables['phoneNumber'] = phone;
  return variables;
}

/**
 * The phone number that the id of an unknown user is, on a phone-number channel, where it has several spellings: their contact has it from
 * the beginning, so that each spelling leads to them (UID-07).
 */
export const spelledPhone = (userId: string, channel: Channel | undefined): { readonly phone?: string } =>
  channel !== undefined && phoneNumberChannels.has(channel) && otherSpellings(userId).length > 0 ? { phone: userId } : {};

const canonical = /^[1-9][0-9]{1,14}$/;

/**
 * The digits of a phone number, without `+`, blanks and hyphens, or null for anything else, such as a business-scoped id (VAR-04,
 * VAR-05). Never rewritten by country: `521…` stays `521…`.
 */
export function canonicalPhone(phone: string | null): string | null {
  if (phone === null || canonical.test(phone)) return phone;
  const digits = phone.trim().replace(/^\+/, '').replace(/[\s-]/g, '');
  return canonical.test(digits) ? digits : null;
}
