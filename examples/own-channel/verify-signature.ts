import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a body was sent by Hilo, signed with the secret of the bot. Pass the unparsed bytes. */
export function isSigned(body: Uint8Array, header: string | undefined, appSecret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
