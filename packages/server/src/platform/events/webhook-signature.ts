// Signs what is sent to subscribers, by the specification of Standard Webhooks.
import { createHmac } from 'node:crypto';
import type { Random } from '@hilo/engine/contract';

const prefix = 'whsec_';
/** Bytes of a secret; one that is drawn has 32. */
const secretBytes = { least: 16, most: 64 };

/** Draws a secret, in the form that libraries of Standard Webhooks read. */
export const drawSecret = (random: Random): string => prefix + Buffer.from(random.bytes(32)).toString('base64');

/** Why a text is no secret; undefined where it is one. */
export function explainSecret(secret: string): string | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '');
  if (isBase64 && bytes.length >= secretBytes.least && bytes.length <= secretBytes.most) return undefined;
  return `A secret is whsec_ and ${secretBytes.least} to ${secretBytes.most} bytes in base64; leave it out, and one is drawn and shown once`;
}

/** The headers of a delivery. @param atMs - of this attempt: receivers refuse old ones */
export function signDelivery(secret: string, id: string, atMs: number, body: string): { readonly [name: string]: string } {
  const seconds = String(Math.floor(atMs / 1_000));
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
