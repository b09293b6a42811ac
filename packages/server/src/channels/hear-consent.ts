// STOP and START: what a user writes to stop marketing messages, or to allow them again. It is heard before anything is routed.
import { createHash } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { people, type ConsentRules } from '../platform/tables/companies.ts';
import type { Outbox } from '../messages/messages.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bot } from '../tenants/companies.ts';
import { tellConsent } from '../contacts/contacts.ts';
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

/** Tells and confirms a change of consent once: again for the same message is the same, and a message that changed nothing gets none. */
export async function confirmConsent(
  { store, engine, outbox }: Pick<Platform, 'store' | 'engine'> & { readonly outbox: Pick<Outbox, 'accept'> },
  { companyId, id: botId }: Bot,
  rules: ConsentRules,
  { userId, evidence, marketing }: Heard,
): Promise<void> {
  const { runner, executions } = store;
  const contact = await executions.contact(companyId, botId, [userId]);
  const knownAs = contact?.userId ?? userId;
  const said = await runner.readOne(evidenceOf({ companyId, userId: knownAs }));
  if (said?.consentEvidence !== evidence || said.marketing !== marketing) return;
  const digest = createHash('sha256')
    .update(JSON.stringify([botId, evidence]))
    .digest('hex');
  await tellConsent({ store, engine }, { companyId, userId: knownAs, marketing, source: 'keyword', evidence, key: digest });
  const text = marketing === 'revoked' ? rules.confirmStop : rules.confirmStart;
  if (text === undefined) return;
  await outbox.accept({
    companyId,
    botId,
    userId,
    knownAs,
    message: { type: 'text', text },
    from: 'service',
    key: { value: `consent:${digest}`, fingerprint: marketing },
  });
}
