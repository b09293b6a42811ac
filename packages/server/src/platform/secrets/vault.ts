import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '@hilo/engine/contract';
import { secretKeyRefused } from './secret-file.ts';

/** Encrypts what must be read again: provider secrets and credentials (P31). */
export interface Vault {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  /** AES-256-GCM; bound to the key, the company and the secret, so that a value is of no use anywhere else. */
  seal(companyId: string, secretId: string, secret: string): string;
  /** @throws {HiloError} `SECRET_KEY_REFUSED` when another key, company or secret was sealed, or the value was changed */
  open(companyId: string, secretId: string, sealed: string): string;
}

/** @param masterKey - 32 bytes; what encrypts is derived from it */
export function createVault(masterKey: Uint8Array, random: Random): Vault {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo secrets', 32));
  const keyId = Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo key id', 8)).toString('hex');
  const boundTo = (companyId: string, secretId: string): Buffer => Buffer.from(JSON.stringify([keyId, companyId, secretId]));

  return {
    keyId,
    seal(companyId, secretId, secret) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(companyId, secretId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return [form, keyId, ...[nonce, cipher.getAuthTag(), text].map((part) => Buffer.from(part).toString('base64url'))].join('.');
    },
    open(companyId, secretId, sealed) {
      const [written, sealedBy, nonce = '', tag = '', text = ''] = sealed.split('.');
      if (written !== form || sealedBy !== keyId)
        throw secretKeyRefused(
          `The secrets of this store were encrypted with another key (${sealedBy ?? 'unknown'}, not ${keyId}): give that one as HILO_SECRET_KEY, or put its file secret.key back`,
        );
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
          .setAAD(boundTo(companyId, secretId))
          .setAuthTag(Buffer.from(tag, 'base64url'));
        return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
      } catch (error) {
        throw secretKeyRefused(`Secret "${secretId}" of company ${companyId} was changed since it was encrypted: import it again`, {
          cause: error,
        });
      }
    },
  };
}

/** The first part of a sealed value: how the rest is to be read. */
const form = 'v1';
