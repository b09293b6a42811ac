import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a body that claims to come from Hilo was signed with the secret of the bot. Give it the bytes as they came. */
export function isSigned(body: Uint8Array, header: string | undefined, appSecret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
