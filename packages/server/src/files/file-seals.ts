// The handles of files, and the tokens in their links: both are made with a key, so that nobody guesses one.
import { createHmac } from 'node:crypto';
import { parseJsonText } from '@hilo/engine/contract';
import { z } from 'zod';
import { createTokenSeal } from '../platform/secrets/sealed-tokens.ts';
import { type BroughtKeys, type DeriveKey, nothingBrought } from '../platform/secrets/token-keys.ts';

/** What a link to a file says. */
export interface FileClaim {
  readonly companyId: string;
  readonly fileId: string;
  /** In milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

/** Makes handles and links. */
export interface FileSeals {
  /** The handle of what these texts name in a company: the same for the same, so that a delivery that comes twice is one file. */
  handleOf(companyId: string, kind: 'message' | 'answer' | 'upload' | 'operator', ...named: readonly string[]): string;
  seal(claim: FileClaim): string;
  /** @returns `undefined` for what this service has not sealed, or what was changed since */
  open(token: string): FileClaim | undefined;
}

const Sealed = z.tuple([z.string(), z.string(), z.number()]);

export function createFileSeals(own: DeriveKey, brought: BroughtKeys = nothingBrought): FileSeals {
  const tokens = createTokenSeal(own, brought, 'files');
  const ownKey = own('hilo handles of files');
  return {
    handleOf(companyId, kind, ...named) {
      const key = brought().get(companyId)?.('hilo handles of files') ?? ownKey;
      const text = JSON.stringify([kind, companyId, ...named]);
      return `file_${createHmac('sha256', key).update(text).digest('base64url').slice(0, 32)}`;
    },
    seal: ({ companyId, fileId, expiresAtMs }) => tokens.seal(companyId, JSON.stringify([companyId, fileId, expiresAtMs])),
    open(token) {
      const text = tokens.open(token);
      if (text === undefined) return undefined;
      const [companyId, fileId, expiresAtMs] = Sealed.parse(parseJsonText(text));
      return { companyId, fileId, expiresAtMs };
    },
  };
}
