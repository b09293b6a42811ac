// Keeps a consent that a canvas was told: one that was revoked is never lifted by it.
import type { Consent } from '@hilo/engine/contract';
import { asCondition, type Call, changePerson, personKeyOf, type Runner, flag, pick, plain } from '@hilo/stores';
import { query } from '../platform/database/schema.ts';
import { personEvents } from '../platform/events/commit-events.ts';
import { telling } from '../platform/events/telling.ts';
import { people } from '../platform/tables/companies.ts';
import type { tellConsent } from './tell-consent.ts';

/** Tells canvases of a change of consent. */
export type TellConsent = (change: Parameters<typeof tellConsent>[1]) => Promise<void>;

interface Said {
  readonly companyId: string;
  readonly userId: string;
  readonly consent: Consent;
}

const marketingOf = people.read(['marketing'], { userId: people.columns.personKey }, (rows, { userId }) =>
  rows.where('person_key', '=', userId),
);

const granted = {
  ...pick(people.columns, 'companyId', 'userId', 'consentAtMs', 'consentSource', 'consentEvidence'),
  personKey: plain(),
  /** Whether a revocation that was said before this is lifted. */
  lifts: flag(),
};

/** Writes nothing to a row that says `revoked`, or that later, judged while it is locked: a STOP that comes meanwhile stands. */
const grant = query(granted, {}, (db, given) =>
  db
    .insertInto('people')
    .values({
      company_id: given.companyId,
      person_key: given.personKey,
      user_id: given.userId,
      is_listed: 0,
      marketing: 'granted',
      consent_at_ms: given.consentAtMs,
      consent_source: given.consentSource,
      consent_evidence: given.consentEvidence,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'person_key'])
        .doUpdateSet(({ ref }) => ({
          marketing: 'granted',
          consent_at_ms: ref('excluded.consent_at_ms'),
          consent_source: ref('excluded.consent_source'),
          consent_evidence: ref('excluded.consent_evidence'),
        }))
        .where(({ eb, or, and, val }) =>
          or([
            eb('people.marketing', 'is', null),
            eb('people.marketing', '<>', 'revoked'),
            and([eb(val(given.lifts), '=', 1), eb('people.consent_at_ms', '<=', given.consentAtMs)]),
          ]),
        ),
    ),
);

const grantOf = ({ companyId, userId, consent: { atMs, source, evidence } }: Said, lifts: boolean): Call =>
  grant({
    companyId,
    personKey: personKeyOf(userId),
    userId,
    consentAtMs: atMs,
    consentSource: source,
    consentEvidence: evidence,
    lifts,
  });

const granting = (said: Said, lifts: boolean): Call => asCondition(grantOf(said, lifts));

/** The write of a consent that somebody else says the person has given: nothing, where they have revoked. */
export const grantUnlessRevoked = (said: Said): Call => grantOf(said, false);

/** The write of a consent that the person themselves has given, over what they said before: its condition fails where they have revoked since. */
export const grantingSince = (said: Said): Call =>
  telling(granting(said, true), () =>
    personEvents({ companyId: said.companyId, userId: said.userId, consent: said.consent }, () => said.consent.atMs),
  );

/**
 * Keeps it in one transaction with the event that tells of it; what was said before already is no change.
 *
 * @returns whether it holds now: it does not where it would lift a consent that was revoked, and nothing is written then
 */
export async function keepConsent(runner: Runner, said: Said): Promise<boolean> {
  const { companyId, userId, consent } = said;
  const before = (await runner.readOne(marketingOf({ companyId, userId })))?.marketing;
  if (before === consent.marketing) return true;
  const writes = consent.marketing === 'granted' ? [granting(said, false)] : changePerson(said);
  const tells = (): ReturnType<typeof personEvents> => personEvents({ companyId, userId, consent }, () => consent.atMs);
  const { failed } = await runner.write(writes.map((one) => telling(one, tells)));
  return failed === undefined;
}
