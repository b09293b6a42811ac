import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header of the signature, both ways. */
export const signatureHeader = 'x-hub-signature-256';

/** The signature of a body under a bot's secret. */
export const signatureOf = (body: string | Uint8Array, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/** Whether a body was signed with the secret; compared in constant time. A bot without a secret never accepts any (T5). */
export function isSigned(body: Uint8Array, given: string | null, appSecret: string | undefined): boolean {
  if (appSecret === undefined || appSecret === '' || !/^sha256=[0-9a-f]{64}$/i.test(given ?? '')) return false;
  return timingSafeEqual(Buffer.from((given ?? '').toLowerCase()), Buffer.from(signatureOf(body, appSecret)));
}
