// The tokens in the addresses of callbacks: what `resumeUrl` of a canvas gives to third parties.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { parseJsonText, type ResumeClaim } from '@hilo/engine/contract';
import { z } from 'zod';

/** Seals claims into tokens, and opens them. */
export interface ResumeTokens {
  /** The same claim gives the same token, since an execution that is replayed writes its texts again. */
  seal(claim: ResumeClaim): string;
  /** @returns `undefined` for what this service has not sealed, or what was changed since */
  open(token: string): ResumeClaim | undefined;
}

/** A claim as it is sealed: company, execution, node, visit, whether it is `oneTimeOnly`, and when it expires. */
const Sealed = z.tuple([z.string(), z.string(), z.string(), z.int().positive(), z.boolean(), z.number()]);

const [nonceBytes, tagBytes] = [12, 16];
/** Longer ones were never sealed: ids of nodes are bounded. */
const maxTokenChars = 2_048;

/** @param masterKey - 32 bytes, of which the keys are derived */
export function createResumeTokens(masterKey: Uint8Array): ResumeTokens {
  const derive = (use: string): Uint8Array => new Uint8Array(hkdfSync('sha256', masterKey, '', use, 32));
  const [key, nonceKey] = [derive('hilo addresses of callbacks'), derive('hilo nonces of callbacks')];
  return {
    seal({ companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs }) {
      const text = JSON.stringify([companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs]);
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
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
        const [companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs] = Sealed.parse(parseJsonText(text));
        return { companyId, executionId, nodeId, visit, oneTimeOnly, expiresAtMs };
      } catch {
        return undefined; // changed, or sealed by another service
      }
    },
  };
}
