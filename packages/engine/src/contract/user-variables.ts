import type { Channel, Contact } from './execution.ts';
import type { JsonObject } from './json.ts';

/** The channels where a user is a phone number (`rules.md`: "phone-number channel" = whatsapp). */
export const phoneNumberChannels: ReadonlySet<Channel> = new Set<Channel>(['whatsapp']);

/** How long the window stays open after the user's last message (WIN-01). */
export const sessionWindowMs = 86_400_000;

/**
 * What `$user` holds. `timeZone` and `locale` are there where somebody said them. `phone` and its alias `phoneNumber` are one value, digits or null, also for a user who came by BSUID
 * (VAR-04, VAR-05); off phone-number channels both keys are absent (VAR-06).
 */
export function userVariables(
  userId: string,
  contact: (Pick<Contact, 'names' | 'phone'> & Partial<Pick<Contact, 'timeZone' | 'locale'>>) | undefined,
  channel: Channel | undefined,
): JsonObject {
  const { names = null, timeZone = null, locale = null } = contact ?? {};
  const known = { id: userId, names, ...(timeZone !== null && { timeZone }), ...(locale !== null && { locale }) };
  if (channel === undefined || !phoneNumberChannels.has(channel)) return known;
  const phone = canonicalPhone(contact?.phone ?? null) ?? canonicalPhone(userId);
  return { ...known, phone, phoneNumber: phone };
}

const canonical = /^[1-9][0-9]{1,14}$/;

/**
 * The digits of a phone number, without `+`, blanks and hyphens, or null for what is none, a business-scoped id among them
 * (VAR-04, VAR-05). Never rewritten by country: `521…` stays `521…`.
 */
export function canonicalPhone(phone: string | null): string | null {
  if (phone === null || canonical.test(phone)) return phone;
  const digits = phone.trim().replace(/^\+/, '').replace(/[\s-]/g, '');
  return canonical.test(digits) ? digits : null;
}
