/** A double of the client of WhatsApp Flows: seals requests as a phone does, and opens answers. */
import { constants, createCipheriv, createDecipheriv, createHmac, publicEncrypt } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';

const iv = Buffer.from('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff', 'hex');
const key = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');

/** A sealed request. */
export type Sealed = JsonObject & {
  readonly encrypted_flow_data: string;
  readonly encrypted_aes_key: string;
  readonly initial_vector: string;
};

/** Seals a request under a public key in PEM. */
export function seal(request: Json | Buffer, publicKey: string): Sealed {
  const cipher = createCipheriv('aes-128-gcm', key, iv, { authTagLength: 16 });
  const plain = Buffer.isBuffer(request) ? request : Buffer.from(JSON.stringify(request));
  const data = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const sealedKey = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, key);
  return {
    encrypted_flow_data: data.toString('base64'),
    encrypted_aes_key: sealedKey.toString('base64'),
    initial_vector: iv.toString('base64'),
  };
}

/** Opens an answer to {@link seal}. */
export function unseal(answer: string): unknown {
  const flipped = Buffer.from(iv.map((byte) => ~byte & 0xff));
  const data = Buffer.from(answer, 'base64');
  const cipher = createDecipheriv('aes-128-gcm', key, flipped, { authTagLength: 16 }).setAuthTag(data.subarray(-16));
  return JSON.parse(Buffer.concat([cipher.update(data.subarray(0, -16)), cipher.final()]).toString());
}

/** The signature of a body, as the provider sends it. */
export const signed = (body: string, appSecret: string): { readonly 'x-hub-signature-256': string } => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
});
