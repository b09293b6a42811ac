import { createHmac } from 'node:crypto';
import { type Dialer, DialerError, type DialerErrorCode } from '@hilo/drivers';
import type { AbortSignal } from '@hilo/engine/contract';
import type { Bot } from '../service/companies.ts';
import type { DueMessage, Tried } from './delivery.ts';

/** How long the other side has, once it is called (EVT-01). */
const timeoutMs = 20_000;

/** How long a message waits for its turn, before it stands behind the others that wait for the same receiver (P13, P22). */
const queueingMs = 600_000;

/** The signature of a body under a bot's secret, both ways: what `X-Hub-Signature-256` holds. */
export const signatureOf = (body: string | Uint8Array, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/**
 * Sends for bots of kind `custom`: posts `{ event, botId, userId, message }` to the provider's `url`, signed with its
 * `appSecret` (EVT-01). A retry has the same `messageId` and `Idempotency-Key`, and there is one where it may be otherwise in a
 * while: behind a receiver that is not reached, asks for time with 429, or answers with an error of its own (P4). The signal
 * ends the wait for a turn alone: a call that has begun has its time.
 *
 * @throws {Error} when the message may have arrived, or not (P5)
 */
export const createCustomDelivery =
  (dialer: Pick<Dialer, 'request'>) =>
  async ({ id: botId, companyId, provider }: Bot, outbound: DueMessage, signal: AbortSignal): Promise<Tried> => {
    const { url, appSecret } = provider.fields;
    if (url === undefined || appSecret === undefined)
      return refused('PROVIDER_INCOMPLETE', `Bot "${botId}" needs a "url" and an "appSecret" to send`);

    const { userId, message, messageId, idempotencyKey } = outbound;
    const body = JSON.stringify({ event: 'message', botId, userId, message: { messageId, ...message } });
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      'x-hub-signature-256': signatureOf(body, appSecret),
    };
    try {
      const queueing = { timeoutMs: queueingMs, signal };
      const call = { method: 'POST' as const, url, headers, body, timeoutMs, maxRedirects: 0, scope: companyId, queueing };
      const { status, retryAfterMs } = await dialer.request(call);
      if (status >= 200 && status <= 299) return { kind: 'sent', messageId };
      const problem = { cause: 'PROVIDER_REFUSED', message: `The receiver of bot "${botId}" answered ${status}` };
      return status === 429 || status >= 500 ? { kind: 'later', ...problem, retryAfterMs } : { kind: 'refused', ...problem };
    } catch (error) {
      if (!(error instanceof DialerError) || (error.wasSent && error.code !== 'TOO_MANY_REDIRECTS')) throw error;
      const { code: cause, message, retryAfterMs } = error;
      return passing.has(cause) ? { kind: 'later', cause, message, retryAfterMs } : refused(cause, message);
    }
  };

/** Why nothing was sent, where it may be otherwise in a while. */
const passing: ReadonlySet<DialerErrorCode> = new Set<DialerErrorCode>([
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TIMEOUT',
  'RESET',
  'DESTINATION_BUSY',
  'CIRCUIT_OPEN',
]);

const refused = (cause: string, message: string): Tried => ({ kind: 'refused', cause, message });
