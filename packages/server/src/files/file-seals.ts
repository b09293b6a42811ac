// The handles of files, and the tokens in their links: both are made with a key, so that nobody guesses one.
import { createHmac } from 'node:crypto';
import { parseJsonText } from '@hilo/engine/contract';
import { z } from 'zod';
import { createTokenSeal } from '../platform/secrets/sealed-tokens.ts';
import type { DeriveKey } from '../platform/secrets/token-keys.ts';

/** What a link to a file says. */
export interface FileClaim {
  readonly companyId: string;
  readonly fileId: string;
  /** In milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

/** Makes handles and links. */
export interface FileSeals {
  /** The handle of what these texts name: the same for the same, so that a delivery that comes twice is one file. */
  handleOf(named: readonly string[]): string;
  seal(claim: FileClaim): string;
  /** @returns `undefined` for what this service has not sealed, or what was changed since */
  open(token: string): FileClaim | undefined;
}

const Sealed = z.tuple([z.string(), z.string(), z.number()]);

export function createFileSeals(derive: DeriveKey): FileSeals {
  const tokens = createTokenSeal(derive, 'files');
  const key = derive('hilo handles of files');
  return {
    handleOf: (named) => `file_${createHmac('sha256', key).update(JSON.stringify(named)).digest('base64url').slice(0, 32)}`,
    seal: ({ companyId, fileId, expiresAtMs }) => tokens.seal(JSON.stringify([companyId, fileId, expiresAtMs])),
    open(token) {
      const text = tokens.open(token);
      if (text === undefined) return undefined;
      const [companyId, fileId, expiresAtMs] = Sealed.parse(parseJsonText(text));
      return { companyId, fileId, expiresAtMs };
    },
  };
}
