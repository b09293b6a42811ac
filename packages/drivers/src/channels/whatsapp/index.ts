import { isSigned, signatureHeader } from '../signature.ts';
import { defineChannel } from '../channel-adapter.ts';
import { challengeOf, checkAccount, graphUrl, postMessage } from '../meta/graph.ts';
import { config } from './config.ts';
import { whatsappError } from './errors.ts';
import { requestBody } from './request-body.ts';
import { receive } from './receive.ts';

/** The WhatsApp Cloud API. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
export const whatsappChannel = defineChannel({
  kind: 'whatsapp-cloud',
  channels: ['whatsapp'],
  config,
  secrets: ['accessToken', 'appSecret', 'verifyToken'],
  limits: { messagesPerSecond: 80 },
  // WhatsApp has one rule: only the user's own message opens the window.
  templateReopensWindow: 'onReply',
  compose: requestBody,
  /** Posts to the `messages` of the number; the response has the provider's id of the message (`wamid…`). */
  send(outbound, context) {
    const { baseUrl, apiVersion, phoneNumberId, accessToken } = context.config;
    const url = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(phoneNumberId)}/messages`;
    const body = requestBody(outbound);
    return postMessage({ url, accessToken, body, meaningOf: whatsappError, idPath: ['messages', '0', 'id'] }, context);
  },
  signatureHeader,
  authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
  receive,
  verify: (query, { config: { verifyToken } }) => challengeOf(query, verifyToken),
  check: (context) => checkAccount(context.config.phoneNumberId, ['display_phone_number', 'verified_name'], context),
});
