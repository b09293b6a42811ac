import { type DialerErrorCode, isDialerError } from '../driver-error.ts';
import type { SendResult } from './channel-adapter.ts';

/** Why nothing was sent, where it may be otherwise in a while. */
const passing: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TIMEOUT',
  'RESET',
  'DESTINATION_BUSY',
  'CIRCUIT_OPEN',
]);

/**
 * What a call without an answer means for the message that it carried: tried later where no byte left, refused where it cannot
 * go out, unknown where it may have arrived (P5). A redirect that is not followed is an answer: the message was not taken.
 *
 * @throws whatever is no failed call
 */
export function failedCall(error: unknown): SendResult {
  if (!isDialerError(error)) throw error;
  const { code: cause, message, retryAfterMs, wasSent } = error;
  if (cause === 'TOO_MANY_REDIRECTS') return { kind: 'refused', cause, message };
  if (wasSent) return { kind: 'unknown', cause, message };
  return passing.has(cause) ? { kind: 'later', cause, message, retryAfterMs } : { kind: 'refused', cause, message };
}
