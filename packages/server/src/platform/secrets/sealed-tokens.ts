// Texts sealed into tokens that go into addresses: whoever has a token can use it, and nobody can make one or read what is in it.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { DeriveKey } from './token-keys.ts';

/** Seals texts into tokens, and opens them. */
export interface TokenSeal {
  /** The same text gives the same token. */
  seal(text: string): string;
  /** @returns `undefined` for what was not sealed here, or was changed since */
  open(token: string): string | undefined;
}

const [nonceBytes, tagBytes] = [12, 16];
/** Longer ones were never sealed: what is in them is bounded. */
const maxTokenChars = 2_048;

/**
 * @param use - what the tokens are for: one of another use is not opened
 */
export function createTokenSeal(derive: DeriveKey, use: 'files' | 'callbacks'): TokenSeal {
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
