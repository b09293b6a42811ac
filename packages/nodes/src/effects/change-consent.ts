import { defineEffect } from '@hilo/engine/contract';
import { z } from 'zod';

/** What a person may say to marketing messages. */
export const Marketing = z.enum(['granted', 'revoked']);

/** So many characters of a proof are kept at most. */
export const maxEvidenceChars = 1_000;

/**
 * Keeps what the user of the execution said to marketing messages, with what proves it. It never lifts a consent that was revoked: after
 * STOP only START does. A change that was made already is the same change.
 */
export const changeConsent = defineEffect('consent.change', {
  request: z.strictObject({ marketing: Marketing, evidence: z.string().max(maxEvidenceChars).exactOptional() }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('changed') }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
  samples: (_request, { text }) => [{ kind: 'changed' }, { kind: 'refused', cause: 'NO_CONSENT', message: text }] as const,
});
