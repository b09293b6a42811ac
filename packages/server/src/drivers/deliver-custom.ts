import { createHmac } from 'node:crypto';
import { type Dialer, DialerError } from '@hilo/drivers';
import type { AbortSignal } from '@hilo/engine/contract';
import type { Bot } from '../service/companies.ts';
import type { Delivered, DueMessage } from './delivery.ts';

/** How long the other side has (EVT-01). */
const timeoutMs = 20_000;

/** The signature of a body under a bot's secret, both ways: what `X-Hub-Signature-256` holds. */
export const signatureOf = (body: string | Uint8Array, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/**
 * Sends for bots of kind `custom`: posts `{ event, botId, userId, message }` to the provider's `url`, signed with its
 * `appSecret` (EVT-01). A retry has the same `messageId` and `Idempotency-Key`.
 *
 * @throws {Error} when the message may have arrived, or not (P5)
 */
export const createCustomDelivery =
  (dialer: Pick<Dialer, 'request'>) =>
  async ({ id: botId, companyId, provider }: Bot, outbound: DueMessage, signal: AbortSignal): Promise<Delivered> => {
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
      const { status } = await dialer.request({ method: 'POST', url, headers, body, timeoutMs, maxRedirects: 0, signal, scope: companyId });
      if (status >= 200 && status <= 299) return { kind: 'sent', messageId };
      return refused('PROVIDER_REFUSED', `The receiver of bot "${botId}" answered ${status}`);
    } catch (error) {
      if (!(error instanceof DialerError) || error.wasSent) throw error;
      return refused(error.code, error.message);
    }
  };

const refused = (cause: string, message: string): Delivered => ({ kind: 'refused', cause, message });
