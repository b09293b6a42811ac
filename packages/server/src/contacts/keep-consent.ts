// Keeps a consent that a canvas was told: one that was revoked is never lifted by it.
import type { Consent } from '@hilo/engine/contract';
import { asCondition, type Call, call, changePerson, encodeText, personKeyOf, type Runner } from '@hilo/stores';
import { statement } from '../platform/database/schema.ts';
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

type GrantValues = {
  readonly company_id: string;
  readonly person_key: string;
  readonly user_id: string;
  readonly consent_at_ms: number;
  readonly consent_source: string;
  readonly consent_evidence: string | null;
  /** Whether a revocation that was said before this is lifted; none is, when 0. */
  readonly lifts: 0 | 1;
};

/** Writes nothing to a row that says `revoked`, or that later, judged while it is locked: a STOP that comes meanwhile stands. */
const grant = statement<GrantValues>()((db, given) =>
  db
    .insertInto('people')
    .values({
      company_id: given.company_id,
      person_key: given.person_key,
      user_id: given.user_id,
      is_listed: 0,
      marketing: 'granted',
      consent_at_ms: given.consent_at_ms,
      consent_source: given.consent_source,
      consent_evidence: given.consent_evidence,
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
            and([eb(val(given.lifts), '=', 1), eb('people.consent_at_ms', '<=', given.consent_at_ms)]),
          ]),
        ),
    ),
);

const grantOf = ({ companyId, userId, consent: { atMs, source, evidence } }: Said, lifts: 0 | 1): Call =>
  call(grant, {
    company_id: encodeText(companyId),
    person_key: personKeyOf(userId),
    user_id: encodeText(userId),
    consent_at_ms: atMs,
    consent_source: source,
    consent_evidence: evidence === undefined ? null : encodeText(evidence),
    lifts,
  });

const granting = (said: Said, lifts: 0 | 1): Call => asCondition(grantOf(said, lifts));

/** The write of a consent that somebody else says the person has given: nothing, where they have revoked. */
export const grantUnlessRevoked = (said: Said): Call => grantOf(said, 0);

/** The write of a consent that the person themselves has given, over what they said before: its condition fails where they have revoked since. */
export const grantingSince = (said: Said): Call =>
  telling(granting(said, 1), () =>
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
  const writes = consent.marketing === 'granted' ? [granting(said, 0)] : changePerson(said);
  const tells = (): ReturnType<typeof personEvents> => personEvents({ companyId, userId, consent }, () => consent.atMs);
  const { failed } = await runner.write(writes.map((one) => telling(one, tells)));
  return failed === undefined;
}
