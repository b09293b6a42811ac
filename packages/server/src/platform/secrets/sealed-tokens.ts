// Texts sealed into tokens that go into addresses: whoever has a token can use it, and nobody can make one or read what is in it.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { BroughtKeys, DeriveKey } from './token-keys.ts';

/** Seals texts into tokens, and opens them. */
export interface TokenSeal {
  /** The same text of the same company gives the same token. */
  seal(companyId: string, text: string): string;
  /** @returns `undefined` for what was not sealed here, or was changed since */
  open(token: string): string | undefined;
}

const [nonceBytes, tagBytes] = [12, 16];
/** Longer ones were never sealed: what is in them is bounded. */
const maxTokenChars = 2_048;

/** What tokens are for: one of another use is not opened. */
type TokensFor = 'files' | 'callbacks';

/** Seals with the keys of this service, or with those that a company has brought along. */
export function createTokenSeal(own: DeriveKey, brought: BroughtKeys, use: TokensFor): TokenSeal {
  const seals = new WeakMap<DeriveKey, OneSeal>();
  const sealOf = (derive: DeriveKey): OneSeal => {
    const known = seals.get(derive) ?? createOneSeal(derive, use);
    seals.set(derive, known);
    return known;
  };
  return {
    seal: (companyId, text) => sealOf(brought().get(companyId) ?? own).seal(text),
    open(token) {
      for (const derive of new Set([own, ...brought().values()])) {
        const text = sealOf(derive).open(token);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

interface OneSeal {
  seal(text: string): string;
  open(token: string): string | undefined;
}

function createOneSeal(derive: DeriveKey, use: TokensFor): OneSeal {
  const [key, nonceKey] = [derive(`hilo addresses of ${use}`), derive(`hilo nonces of ${use}`)];
  return {
    seal(text) {
      // Made of the text: a nonce is never used for two texts, and one text has one token.
      const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(token) {
      if (token.length > maxTokenChars || !/^[\w-]+$/.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // Base64 may write the same bytes in several ways; one of them is a token.
      if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== token) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes }).setAuthTag(
          bytes.subarray(-tagBytes),
        );
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        return undefined; // changed, or sealed by another service
      }
    },
  };
}
