// Tells canvases of a change of consent: executions that wait for the event `contact.consentChanged` of their user go on.
import type { JsonObject } from '@hilo/engine/contract';
import { nameKeys, readContactsOf } from '../platform/database/people.ts';
import { noteOnce } from '../audit/audit.ts';
import { people } from '../platform/tables/companies.ts';
import type { Platform } from '../platform/platform.ts';

/** A change of consent, as subscribers of events hear it too. */
export interface ConsentChange {
  readonly companyId: string;
  /** An id of the person: each bot has its own. */
  readonly userId: string;
  readonly marketing: 'granted' | 'revoked';
  readonly source: 'keyword' | 'node' | 'api';
  readonly evidence?: string | undefined;
  readonly atMs: number;
  /** What the change is told once for: a delivery may be handled again after a crash. */
  readonly key?: string | undefined;
}

const idOf = people.read(['id'], { userId: people.columns.personKey }, (rows, { userId }) => rows.where('person_key', '=', userId));

/** Who is on record for it. */
const actors = { keyword: 'the user', node: 'a workflow', api: 'an operator' } as const;

/** The event that a canvas waits for, with the id of the user as its correlation. */
const eventName = 'contact.consentChanged';

/** Puts a change that no operator made on record, and signals the change under each id that bots have for the person: `$user.id` of an execution is one of them. */
export async function tellConsent(
  { store: { runner }, engine }: Pick<Platform, 'store' | 'engine'>,
  { companyId, userId, marketing, source, evidence, atMs, key }: ConsentChange,
): Promise<void> {
  if (key !== undefined) {
    const person = await runner.readOne(idOf({ companyId, userId }));
    const who = { name: ['consent', companyId, key], actor: actors[source], action: 'changeConsent' };
    await noteOnce(runner, who, { companyId, kind: 'contact', id: person?.id ?? 'unknown', after: { marketing, source } }, atMs);
  }
  const [contacts = []] = await readContactsOf(runner, [nameKeys(companyId, userId)]);
  const payload: JsonObject = { marketing, source, ...(evidence !== undefined && { evidence }) };
  for (const correlation of new Set([userId, ...contacts.map((contact) => contact.userId)])) {
    const once = key === undefined ? {} : { idempotencyKey: `consent:${key}:${correlation}` };
    await engine.signal({ companyId, name: eventName, correlation, payload, ...once });
  }
}
