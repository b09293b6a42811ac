// The adapter of WhatsApp's Cloud API.
import { canonicalPhone, type Json } from '@hilo/engine/contract';
import { isSigned, signatureHeader } from '../signature.ts';
import { defineChannel } from '../channel-adapter.ts';
import { challengeOf, checkAccount, graphUrl, postMessage } from '../meta/graph.ts';
import { listAt, nameAt } from '../provider-answer.ts';
import { config } from './config.ts';
import { exchange } from './flow-exchange.ts';
import { type FlowKeys, makeKey, readKey, registerKey } from './flow-keys.ts';
import { whatsappError } from './errors.ts';
import { requestBody } from './request-body.ts';
import { fetchFile } from './media.ts';
import { receive } from './receive.ts';
import { templateManagement } from './manage-templates.ts';

/** WhatsApp's spelling of the number that a message was sent to, where its answer is of that number. */
function readSpelling(answer: Json, to: Json | undefined): string | null {
  const [contact] = listAt(answer, 'contacts');
  if (contact === undefined || typeof to !== 'string' || canonicalPhone(nameAt(contact, 'input') ?? null) !== canonicalPhone(to))
    return null;
  return canonicalPhone(nameAt(contact, 'wa_id') ?? null);
}

/** The WhatsApp Cloud API. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
export const whatsappChannel = defineChannel({
  kind: 'whatsapp-cloud',
  channels: ['whatsapp'],
  config,
  secrets: ['accessToken', 'appSecret', 'verifyToken', 'flowKey'],
  state: (): FlowKeys => ({}),
  limits: { messagesPerSecond: 80 },
  // WhatsApp has one rule: only the user's own message opens the window.
  templateReopensWindow: 'onReply',
  compose: requestBody,
  /** Posts to the `messages` of the number; the response has the provider's id of the message (`wamid…`) and its spelling of the recipient. */
  send(outbound, context) {
    const { baseUrl, apiVersion, phoneNumberId, accessToken } = context.config;
    const url = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(phoneNumberId)}/messages`;
    const body = requestBody(outbound);
    const phoneOf = (answer: Json): string | null => readSpelling(answer, body['to']);
    return postMessage({ url, accessToken, body, meaningOf: whatsappError, idPath: ['messages', '0', 'id'], phoneOf }, context);
  },
  signatureHeader,
  authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
  receive,
  account: ({ phoneNumberId }) => phoneNumberId,
  fetchFile,
  verify: (query, { config: { verifyToken } }) => challengeOf(query, verifyToken),
  exchange: {
    answer: exchange,
    makeKey: ({ rotate }, { config: { flowKey }, clock }) => makeKey(flowKey, rotate, clock.now()),
    register: registerKey,
  },
  templates: templateManagement,
  async check(context) {
    const { flowKey, phoneNumberId } = context.config;
    const account = await checkAccount(phoneNumberId, ['display_phone_number', 'verified_name'], context);
    if (flowKey === undefined || !account.isWorking) return account;
    const { publicKey } = await makeKey(flowKey, false, context.clock.now());
    const { isRegistered, status } = await readKey(publicKey, context);
    if (isRegistered) return { ...account, message: `${account.message}; the key of its forms is VALID` };
    return { isWorking: false, message: `${account.message}; the key of its forms is ${status}: run hilo channels flow-key` };
  },
});
