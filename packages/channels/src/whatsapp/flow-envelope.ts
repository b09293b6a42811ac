/** The envelope of the data endpoint of WhatsApp Flows: RSA-OAEP around a key of AES-128-GCM, in which request and answer are sealed. */
import { constants, createCipheriv, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { parseBody, textAt } from '../provider-answer.ts';

const tagBytes = 16;
const keyBytes = 16;
const ivBytes = 16;

/** An opened request, and how its answer is sealed. */
export type Opened =
  | { readonly kind: 'opened'; readonly request: JsonObject; readonly seal: (answer: JsonObject) => string }
  /** Sealed for a key that is not there: its sender fetches the public key again. */
  | { readonly kind: 'otherKey' }
  | { readonly kind: 'malformed' };

/** Opens a request with the first of the keys that fits. */
export function openRequest(body: Json, keys: readonly KeyObject[]): Opened {
  const [data, sealedKey, iv] = ['encrypted_flow_data', 'encrypted_aes_key', 'initial_vector'].map((name) => {
    const text = textAt(body, name);
    return text === undefined || !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text) ? undefined : Buffer.from(text, 'base64');
  });
  if (data === undefined || sealedKey === undefined || iv?.length !== ivBytes || data.length <= tagBytes) return { kind: 'malformed' };
  for (const privateKey of keys) {
    const key = openKey(sealedKey, privateKey);
    if (key !== undefined) return openData(data, key, iv);
  }
  return { kind: 'otherKey' };
}

function openKey(sealed: Uint8Array, key: KeyObject): Buffer | undefined {
  try {
    const opened = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, sealed);
    return opened.length === keyBytes ? opened : undefined;
  } catch {
    return undefined;
  }
}

function openData(data: Buffer, key: Buffer, iv: Buffer): Opened {
  try {
    const cipher = createDecipheriv('aes-128-gcm', key, iv, { authTagLength: tagBytes }).setAuthTag(data.subarray(-tagBytes));
    const request = parseBody(Buffer.concat([cipher.update(data.subarray(0, -tagBytes)), cipher.final()]));
    if (!isJsonObject(request)) return { kind: 'malformed' };
    return { kind: 'opened', request, seal: (answer) => sealAnswer(answer, key, iv) };
  } catch {
    return { kind: 'malformed' };
  }
}

/** Seals an answer under the key of its request, with all bits of the vector flipped, as the provider wants it. */
export function sealAnswer(answer: JsonObject, key: Uint8Array, iv: Uint8Array): string {
  const cipher = createCipheriv(
    'aes-128-gcm',
    key,
    iv.map((byte) => ~byte & 0xff),
    { authTagLength: tagBytes },
  );
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
}
