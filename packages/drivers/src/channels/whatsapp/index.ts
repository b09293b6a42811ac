import { isSigned, signatureHeader } from '../signature.ts';
import { defineChannel } from '../channel-adapter.ts';
import { challengeOf, checkAccount } from '../meta/graph.ts';
import { config } from './config.ts';
import { requestBody } from './request-body.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';

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
  send,
  signatureHeader,
  authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
  receive,
  verify: (query, { config: { verifyToken } }) => challengeOf(query, verifyToken),
  check: (context) => checkAccount(context.config.phoneNumberId, ['display_phone_number', 'verified_name'], context),
});
