import { invalidRequest } from './errors.ts';
import { httpLimits } from './limits.ts';

/**
 * The key that identifies repeated deliveries (WEB-27, P10): `webhook-id` of Standard Webhooks, or `Idempotency-Key`.
 *
 * @throws {HttpError} 400 for a malformed key, and for two that differ
 */
export function deliveryKey(headers: { readonly [name: string]: string | undefined }): string | undefined {
  const { 'webhook-id': standard, 'idempotency-key': other } = headers;
  const key = standard ?? other;
  if (key !== (other ?? standard)) throw invalidRequest('webhook-id and Idempotency-Key differ: send one of them');
  if (key !== undefined && (key.length > httpLimits.deliveryKeyChars || !/^[\x21-\x7e]+$/.test(key)))
    throw invalidRequest(
      `webhook-id or Idempotency-Key must be 1 to ${httpLimits.deliveryKeyChars} letters, digits or signs, without blanks`,
    );
  return key;
}
