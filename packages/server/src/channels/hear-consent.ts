// STOP and START: what a user writes, or sets in the app of the provider, to stop marketing messages or to allow them again.
import { createHash } from 'node:crypto';
import type { ChannelEvent } from '@hilo/channels';
import type { Commit, JsonObject } from '@hilo/engine/contract';
import type { Call } from '@hilo/stores';
import { people, type ConsentRules } from '../platform/tables/companies.ts';
import { keepMark, type Outbox } from '../messages/messages.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bot } from '../tenants/companies.ts';
import { grantingSince, tellConsent } from '../contacts/contacts.ts';
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

const evidenceOf = people.read(['marketing', 'consentEvidence', 'consentAtMs'], { userId: people.columns.personKey }, (rows, { userId }) =>
  rows.where('person_key', '=', userId),
);

interface Heard {
  readonly userId: string;
  readonly evidence: string;
  readonly marketing: 'granted' | 'revoked';
  /** The message that says it. */
  readonly message: JsonObject;
}

/**
 * Keeps what a user wrote among their messages, since no workflow takes it, and tells and confirms the change of consent: each once. A message
 * that changed nothing is confirmed by none.
 */
export async function takeConsentWord(
  { store, engine, outbox, clock }: Pick<Platform, 'store' | 'engine' | 'clock'> & { readonly outbox: Pick<Outbox, 'accept'> },
  { companyId, id: botId }: Bot,
  rules: ConsentRules,
  { userId, evidence, marketing, message: heard }: Heard,
): Promise<void> {
  const { runner, executions } = store;
  const contact = await executions.contact(companyId, botId, [userId]);
  const knownAs = contact?.userId ?? userId;
  const word = { eventId: evidence, userId: knownAs, content: { ...heard, id: evidence } };
  await runner.write([keepMark({ companyId, botId }, word, clock.now())]);
  const said = await runner.readOne(evidenceOf({ companyId, userId: knownAs }));
  if (said?.consentEvidence !== evidence || said.marketing !== marketing) return;
  const digest = digestOf(botId, evidence);
  const told = { companyId, userId: knownAs, marketing, source: 'keyword', evidence, atMs: said.consentAtMs ?? 0, key: digest } as const;
  await tellConsent({ store, engine }, told);
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

const digestOf = (botId: string, evidence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([botId, evidence]))
    .digest('hex');

/**
 * Keeps what a user set in the app of the provider as their consent, and tells canvases of it. What was said after it, by whichever way,
 * stays; nothing is confirmed, since the app has shown it and the 24-hour window may be closed.
 *
 * @returns `duplicate` for an event that was kept before (P10)
 */
export async function takeConsent(
  { store, engine, clock, log }: Pick<Platform, 'store' | 'engine' | 'clock' | 'log'>,
  { companyId, id: botId }: Bot,
  { eventId, atMs: toldMs, user, marketing, message }: Extract<ChannelEvent, { readonly kind: 'consent' }>,
): Promise<'noted' | 'duplicate'> {
  const { runner, executions } = store;
  const ids = [user.phone, user.bsuid].filter((one) => typeof one === 'string');
  const contact = await executions.contact(companyId, botId, [user.id, ...ids]);
  const userId = contact?.userId ?? user.id;
  const nowMs = clock.now();
  const atMs = toldMs > 0 && toldMs <= nowMs ? toldMs : nowMs;
  const before = await runner.readOne(evidenceOf({ companyId, userId }));
  const isNew = before?.marketing !== marketing && (before?.consentAtMs ?? 0) <= atMs;
  const learned = {
    ...(typeof user.phone === 'string' && { phone: user.phone }),
    ...(typeof user.bsuid === 'string' && { bsuid: user.bsuid }),
    ...(typeof user.names === 'string' && contact?.names === undefined && { names: user.names }),
  };
  const consent = { marketing, atMs, source: 'keyword', evidence: eventId } as const;
  const keep = (contacts: Commit['contacts'], calls: readonly Call[] = []) =>
    store.commitWith({ saves: [], history: [], contacts, enqueue: [], dequeue: [] }, [
      keepMark({ companyId, botId }, { eventId, userId, content: message }, nowMs),
      ...calls,
    ]);
  const contactNow = { companyId, botId, userId, ...learned };
  let kept = isNew
    ? marketing === 'granted'
      ? await keep([contactNow], [grantingSince({ companyId, userId, consent })])
      : await keep([{ ...contactNow, consent }])
    : await keep([]);
  // Refused where they have revoked meanwhile, which stands: what the app said is kept all the same, once.
  if (isNew && marketing === 'granted' && kept.kind === 'conflict') kept = await keep([]);
  // Repeated for a duplicate delivery too: a process may have died in between. The key makes it one event.
  const after = await runner.readOne(evidenceOf({ companyId, userId }));
  if (after?.consentEvidence === eventId && after.marketing === marketing)
    await tellConsent(
      { store, engine },
      { companyId, userId, marketing, source: 'keyword', evidence: eventId, atMs, key: digestOf(botId, eventId) },
    );
  if (kept.kind !== 'committed') return 'duplicate';
  log.info({ companyId, botId, eventId, marketing }, `A user of bot "${botId}" set in the app whether they want marketing messages`);
  return 'noted';
}
