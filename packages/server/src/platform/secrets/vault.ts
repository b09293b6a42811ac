import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '@hilo/engine/contract';
import { secretKeyRefused } from './secret-file.ts';

/** Encrypts what must be read again: provider secrets and credentials (P31). */
export interface Vault {
  /** Identifies the key that encrypts, without revealing it. */
  readonly keyId: string;
  /** The keys that are read, that one first. */
  readonly keyIds: readonly string[];
  /** Whether a value was encrypted with the key that encrypts now. */
  isCurrent(sealed: string): boolean;
  /** Encrypts with another key from now on; those until now are still read. */
  renew(masterKey: Uint8Array): void;
  /** Reads one key alone again. */
  forgetBefore(): void;
  /** AES-256-GCM; bound to the key, the company and the secret, so that a value is of no use anywhere else. */
  seal(companyId: string, secretId: string, secret: string): string;
  /** @throws {HiloError} `SECRET_KEY_REFUSED` when another key, company or secret was sealed, or the value was changed */
  open(companyId: string, secretId: string, sealed: string): string;
}

/** What encrypts, and what says so in a value. */
interface VaultKey {
  readonly keyId: string;
  readonly key: Buffer;
}

const deriveKey = (masterKey: Uint8Array): VaultKey => ({
  key: Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo secrets', 32)),
  keyId: Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo key id', 8)).toString('hex'),
});

/**
 * @param masterKey - 32 bytes; what encrypts is derived from it
 * @param before - keys that are read as well
 */
export function createVault(masterKey: Uint8Array, random: Random, before: readonly Uint8Array[] = []): Vault {
  let current = deriveKey(masterKey);
  let earlier = before.map(deriveKey).filter(({ keyId }) => keyId !== current.keyId);
  const boundTo = (keyId: string, companyId: string, secretId: string): Buffer => Buffer.from(JSON.stringify([keyId, companyId, secretId]));

  return {
    get keyId() {
      return current.keyId;
    },
    get keyIds() {
      return [current, ...earlier].map(({ keyId }) => keyId);
    },
    isCurrent: (sealed) => sealed.startsWith(`${form}.${current.keyId}.`),
    renew(next) {
      earlier = [current, ...earlier];
      current = deriveKey(next);
    },
    forgetBefore() {
      earlier = [];
    },
    seal(companyId, secretId, secret) {
      const nonce = random.bytes(12);
      const { key, keyId } = current;
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(keyId, companyId, secretId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return [form, keyId, ...[nonce, cipher.getAuthTag(), text].map((part) => Buffer.from(part).toString('base64url'))].join('.');
    },
    open(companyId, secretId, sealed) {
      const [written, sealedBy, nonce = '', tag = '', text = ''] = sealed.split('.');
      const known = [current, ...earlier].find(({ keyId }) => keyId === sealedBy);
      if (written !== form || known === undefined)
        throw secretKeyRefused(
          `The secrets of this store were encrypted with another key (${sealedBy ?? 'unknown'}, not ${current.keyId}): give that one as HILO_SECRET_KEY, or put its file secret.key back`,
        );
      const { key, keyId } = known;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
          .setAAD(boundTo(keyId, companyId, secretId))
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
