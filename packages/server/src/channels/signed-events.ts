import { createHmac, timingSafeEqual } from 'node:crypto';
import { HiloError } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { parseJson } from '../http/parse-json.ts';
import { utf8 } from '../http/read-body.ts';
import { invalidRequest } from '../http/refusal.ts';
import type { InboundAdapter } from './adapter.ts';
import { InboundEvent } from './inbound-event.ts';

/**
 * Hilo's own contract, of the kinds `log` and `custom` (EVT-02): one event a delivery, signed
 * `X-Hub-Signature-256: sha256=` and the hex HMAC-SHA256 of the body under the bot's `appSecret`.
 */
export const signedEvents: InboundAdapter = {
  signatureHeader: 'x-hub-signature-256',
  isAuthentic({ provider }, { headers, body }) {
    const secret = provider.fields['appSecret'] ?? '';
    const given = /^sha256=([0-9a-f]{64})$/i.exec(headers.get('x-hub-signature-256') ?? '')?.[1];
    if (secret === '' || given === undefined) return false;
    return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest());
  },
  messages({ companyId, id: botId, channel, settings }, { body }) {
    const { data: event, error } = InboundEvent.safeParse(parseJson(utf8(body)));
    if (event === undefined) throw invalidRequest(explained(error.issues));
    if (event.botId !== botId) throw invalidRequest(`botId is "${event.botId}" in the body and "${botId}" in the path: make them the same`);
    if (userIdProblem(event.user.id, channel, settings.userIdFormat) !== undefined)
      throw new HiloError('INVALID_USER_ID', { userId: event.user.id });
    const { eventId, user, message } = event;
    return [{ companyId, botId, eventId, user, message }];
  },
};

/** Every issue, each with the place it is at. */
const explained = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');
