// STOP and START: what a user writes to stop marketing messages, or to allow them again. It is heard before anything is routed.
import { createHash } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { people, type ConsentRules } from '../platform/tables/companies.ts';
import type { Outbox } from '../messages/messages.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bot } from '../tenants/companies.ts';
import { readConsentWord } from '../tenants/contact-fields.ts';

/** What a message says, where the whole of it is one of the company's words. */
export function hearConsent(rules: ConsentRules | undefined, message: JsonObject): 'granted' | 'revoked' | undefined {
  if (rules === undefined) return undefined;
  const written = [message['text'], message['title']].find((text) => typeof text === 'string');
  const word = typeof written === 'string' && written.length <= longest ? readConsentWord(written) : '';
  if (word === '') return undefined;
  const isOne = (words: readonly string[]): boolean => words.some((each) => readConsentWord(each) === word);
  if (isOne(rules.stop)) return 'revoked';
  return isOne(rules.start) ? 'granted' : undefined;
}

/** A longer message is none of the words, which have 200 characters at most, whatever is around them. */
const longest = 1_000;

const evidenceOf = people.read(['marketing', 'consentEvidence'], { userId: people.columns.personKey }, (rows, { userId }) =>
  rows.where('person_key', '=', userId),
);

interface Heard {
  readonly userId: string;
  readonly evidence: string;
  readonly marketing: 'granted' | 'revoked';
}

/** Confirms a change of consent once: again for the same message is the same confirmation, and a message that changed nothing gets none. */
export async function confirmConsent(
  { store: { runner, executions }, outbox }: Pick<Platform, 'store'> & { readonly outbox: Pick<Outbox, 'accept'> },
  { companyId, id: botId }: Bot,
  rules: ConsentRules,
  { userId, evidence, marketing }: Heard,
): Promise<void> {
  const text = marketing === 'revoked' ? rules.confirmStop : rules.confirmStart;
  if (text === undefined) return;
  const contact = await executions.contact(companyId, botId, [userId]);
  const knownAs = contact?.userId ?? userId;
  const said = await runner.readOne(evidenceOf({ companyId, userId: knownAs }));
  if (said?.consentEvidence !== evidence || said.marketing !== marketing) return;
  const value = `consent:${createHash('sha256')
    .update(JSON.stringify([botId, evidence]))
    .digest('hex')}`;
  await outbox.accept({
    companyId,
    botId,
    userId,
    knownAs,
    message: { type: 'text', text },
    from: 'service',
    key: { value, fingerprint: marketing },
  });
}
