import { z } from 'zod';
import type { ChannelContext, ChannelMessage, SendResult } from '../channel-adapter.ts';
import { failedCall, classifyStatus } from '../provider-answer.ts';
import { secret, url } from '../fields.ts';
import { signatureHeader, signatureOf } from '../signature.ts';

/** Where messages go, and what signs both ways. */
export const config = z.strictObject({ url, appSecret: secret });

/**
 * Posts `{ event, botId, userId, message }` to the `url` of the bot, signed with its `appSecret` (EVT-01). A retry has the same
 * `messageId` and `Idempotency-Key`. Retried when the receiver is unreachable, answers 429, or fails with a server error (P4).
 */
export async function send(
  { messageId, idempotencyKey, recipient, message }: ChannelMessage,
  { bot, config: { url, appSecret }, dialer }: Pick<ChannelContext<z.output<typeof config>, unknown>, 'bot' | 'config' | 'dialer'>,
): Promise<SendResult> {
  const body = JSON.stringify({ event: 'message', botId: bot.id, userId: recipient.id, message: { messageId, ...message } });
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
    [signatureHeader]: signatureOf(body, appSecret),
  };
  try {
    const { status, retryAfterMs } = await dialer.request({ method: 'POST', url, headers, body });
    if (status >= 200 && status <= 299) return { kind: 'sent' };
    const problem = { cause: 'PROVIDER_REFUSED', message: `The receiver of bot "${bot.id}" answered ${status}` };
    const { fate } = classifyStatus(status, { takesIdempotencyKey: true });
    return fate === 'later' ? { kind: 'later', ...problem, retryAfterMs } : { kind: 'refused', ...problem };
  } catch (error) {
    return failedCall(error);
  }
}
