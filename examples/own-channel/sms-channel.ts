// A provider of your own is one value: what its bots are configured with, how a message goes out, and how one comes in.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { defineChannel, failedCall } from '@hilo/channels';
import { z } from 'zod';

/** What our gateway posts for each message of a user. */
const Inbound = z.object({ id: z.string(), from: z.string(), text: z.string(), at: z.number() });

const signatureOf = (body: Uint8Array, secret: string): Buffer => createHmac('sha256', secret).update(body).digest();

/** Text messages through our own gateway. */
export const smsChannel = defineChannel({
  kind: 'sms-gateway',
  channels: ['custom'],
  config: z.strictObject({ url: z.url(), sender: z.string().min(1), apiKey: z.string().min(16), inboundSecret: z.string().min(16) }),
  secrets: ['apiKey', 'inboundSecret'], // encrypted at rest, masked in logs, never exported
  takesIdempotencyKey: true, // the gateway drops a second message of the same key, so that an unknown outcome may be tried again
  async send({ message, recipient, idempotencyKey }, { config: { url, sender, apiKey }, dialer }) {
    if (typeof message['text'] !== 'string')
      return { kind: 'refused', cause: 'INVALID_REQUEST', message: 'Our gateway carries texts alone' };
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    try {
      const body = JSON.stringify({ from: sender, to: recipient.id, text: message['text'] });
      const { status, retryAfterMs } = await dialer.request({ method: 'POST', url: `${url}/messages`, headers, body });
      if (status < 300) return { kind: 'sent' };
      const problem = { cause: 'PROVIDER_REFUSED', message: `The gateway answered ${status}` };
      return status === 429 || status >= 500 ? { kind: 'later', ...problem, retryAfterMs } : { kind: 'refused', ...problem };
    } catch (error) {
      return failedCall(error); // tells whether the message may have arrived
    }
  },
  signatureHeader: 'x-sms-signature',
  authenticate({ headers, body }, { config: { inboundSecret } }) {
    const given = Buffer.from(headers.get('x-sms-signature') ?? '', 'hex');
    const expected = signatureOf(body, inboundSecret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
  receive(delivery) {
    const { data, error } = Inbound.safeParse(delivery.json());
    if (data === undefined) return { kind: 'invalid', code: 'INVALID_REQUEST', message: z.prettifyError(error) };
    const { id, from, text, at: atMs } = data;
    return {
      kind: 'events',
      events: [{ kind: 'message', eventId: id, atMs, user: { id: from, phone: from }, message: { id, type: 'text', text } }],
    };
  },
});
