// The tokens in the addresses of callbacks: what `resumeUrl` of a canvas gives to third parties.
import { parseJsonText, type ResumeClaim } from '@hilo/engine/contract';
import { z } from 'zod';
import { createTokenSeal } from '../platform/secrets/sealed-tokens.ts';
import { type BroughtKeys, type DeriveKey, nothingBrought } from '../platform/secrets/token-keys.ts';

/** Seals claims into tokens, and opens them. */
export interface ResumeTokens {
  /** The same claim gives the same token, since an execution that is replayed writes its texts again. */
  seal(claim: ResumeClaim): string;
  /** @returns `undefined` for what this service has not sealed, or what was changed since */
  open(token: string): ResumeClaim | undefined;
}

/** A claim as it is sealed: company, execution, node, visit, whether it is `oneTimeOnly`, and when it expires. */
const Sealed = z.tuple([z.string(), z.string(), z.string(), z.int().positive(), z.boolean(), z.number()]);

export function createResumeTokens(own: DeriveKey, brought: BroughtKeys = nothingBrought): ResumeTokens {
  const tokens = createTokenSeal(own, brought, 'callbacks');
  return {
    seal: ({ companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs }) =>
      tokens.seal(companyId, JSON.stringify([companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs])),
    open(token) {
      const text = tokens.open(token);
      if (text === undefined) return undefined;
      const [companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs] = Sealed.parse(parseJsonText(text));
      return { companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs };
    },
  };
}
