// Tells canvases of a change of consent: executions that wait for the event `contact.consentChanged` of their user go on.
import type { JsonObject } from '@hilo/engine/contract';
import { nameKeys, readContactsOf } from '../platform/database/people.ts';
import type { Platform } from '../platform/platform.ts';

/** A change of consent, as subscribers of events hear it too. */
export interface ConsentChange {
  readonly companyId: string;
  /** An id of the person: each bot has its own. */
  readonly userId: string;
  readonly marketing: 'granted' | 'revoked';
  readonly source: 'keyword' | 'node' | 'api';
  readonly evidence?: string | undefined;
  /** What the change is told once for: a delivery may be handled again after a crash. */
  readonly key?: string | undefined;
}

/** The event that a canvas waits for, with the id of the user as its correlation. */
const eventName = 'contact.consentChanged';

/** Signals the change under each id that bots have for the person: `$user.id` of an execution is one of them. */
export async function tellConsent(
  { store: { runner }, engine }: Pick<Platform, 'store' | 'engine'>,
  { companyId, userId, marketing, source, evidence, key }: ConsentChange,
): Promise<void> {
  const [contacts = []] = await readContactsOf(runner, [nameKeys(companyId, userId)]);
  const payload: JsonObject = { marketing, source, ...(evidence !== undefined && { evidence }) };
  for (const correlation of new Set([userId, ...contacts.map((contact) => contact.userId)])) {
    const once = key === undefined ? {} : { idempotencyKey: `consent:${key}:${correlation}` };
    await engine.signal({ companyId, name: eventName, correlation, payload, ...once });
  }
}
