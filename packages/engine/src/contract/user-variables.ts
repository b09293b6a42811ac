import type { Channel, Contact } from './execution.ts';
import type { JsonObject } from './json.ts';

/** The channels where a user is a phone number (`rules.md`: "phone-number channel" = whatsapp). */
export const phoneNumberChannels: ReadonlySet<Channel> = new Set<Channel>(['whatsapp']);

/**
 * What `$user` holds. `phone` and `phoneNumber` are one value, digits or null, also for a user who came by BSUID
 * (VAR-04, VAR-05); off phone-number channels both keys are absent (VAR-06).
 */
export function userVariables(userId: string, contact: Contact | undefined, channel: Channel | undefined): JsonObject {
  const known = { id: userId, names: contact?.names ?? null };
  if (channel === undefined || !phoneNumberChannels.has(channel)) return known;
  const phone = contact?.phone ?? null;
  return { ...known, phone, phoneNumber: phone, bsuid: contact?.bsuid ?? null };
}
