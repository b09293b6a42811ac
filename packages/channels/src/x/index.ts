// The adapter of X, and the answer to its challenge.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { defineChannel, type SendResult } from '../channel-adapter.ts';
import { field, optional, secret, url } from '../fields.ts';
import {
  trimSlashes,
  describeFailedSend,
  isSuccess,
  nameAt,
  pathPart,
  postJson,
  type ProviderAnswer,
  type ProviderError,
  refusedAs,
  textAt,
  unauthorized,
} from '../provider-answer.ts';
import { checkByRead } from '../provider-check.ts';
import { directMessage, xMessage } from './message.ts';
import { fetchUserFile } from '../user-file.ts';
import { publicHosts, receive } from './receive.ts';
import { uploadMedia, type Uploads } from './upload.ts';

const config = z.strictObject({
  consumerKey: secret,
  consumerSecret: secret,
  accessToken: secret,
  accountId: optional(field),
  baseUrl: optional(url),
});

const signatureHeader = 'x-twitter-webhooks-signature';

/** Direct messages of X. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
export const xChannel = defineChannel({
  kind: 'x',
  channels: ['twitter'],
  config,
  secrets: ['consumerKey', 'consumerSecret', 'accessToken'],
  limits: { messagesPerSecond: 180 / 900, burst: 20 }, // 200 requests in 15 minutes
  state: (): Uploads => ({ pending: new Map() }),
  compose: xMessage,
  async send(outbound, context): Promise<SendResult> {
    const { baseUrl = 'https://api.x.com', accessToken } = context.config;
    const root = trimSlashes(baseUrl);
    const message = xMessage(outbound);
    const uploaded = message.media === undefined ? undefined : await uploadMedia(root, message.media, outbound.idempotencyKey, context);
    if (uploaded !== undefined && uploaded.kind !== 'uploaded') return uploaded;
    const url = `${root}/2/dm_conversations/with/${pathPart(outbound.recipient.id)}/messages`;
    const body = directMessage(message, uploaded?.mediaId);
    return postJson({ url, accessToken, body }, context, (answer) => judge(answer, context.clock.now()));
  },
  signatureHeader,
  authenticate({ headers, body }, { config: { consumerSecret } }) {
    const [given, expected] = [headers.get(signatureHeader) ?? '', signatureOf(body, consumerSecret)].map((text) => Buffer.from(text));
    return given !== undefined && expected !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
  },
  receive,
  account: ({ accountId }) => accountId,
  app: ({ consumerSecret }) => consumerSecret,
  fetchFile: ({ message }, context) =>
    fetchUserFile({ url: textAt(message, 'mediaUrl') ?? '', hosts: publicHosts, baseUrl: context.config.baseUrl }, context),
  verify(query, { config: { consumerSecret } }) {
    return answerChallenge(query, consumerSecret);
  },
  check: (context) => {
    const { baseUrl = 'https://api.x.com', accessToken } = context.config;
    const call = { method: 'GET', url: `${trimSlashes(baseUrl)}/2/users/me`, headers: { authorization: `Bearer ${accessToken}` } } as const;
    const error = ({ json }: ProviderAnswer): string | undefined => textAt(json, 'detail') ?? textAt(json, 'title');
    return checkByRead({ call, name: ({ json }) => textAt(json, 'data', 'username'), error }, context);
  },
});

/**
 * A challenge is signed for any caller, with the secret that signs deliveries. No delivery can consist of these characters (JSON needs a
 * brace), so that no caller can have one signed.
 */
const isChallenge = /^[A-Za-z0-9+/=_.~-]{1,512}$/;

/** The answer to a challenge; `undefined` where there is none. */
export function answerChallenge(
  query: URLSearchParams,
  consumerSecret: string,
): { readonly json: { readonly response_token: string } } | undefined {
  const token = query.get('crc_token') ?? '';
  return isChallenge.test(token) ? { json: { response_token: signatureOf(token, consumerSecret) } } : undefined;
}

const signatureOf = (body: string | Uint8Array, consumerSecret: string): string =>
  `sha256=${createHmac('sha256', consumerSecret).update(body).digest('base64')}`;

/** Reads the answer to a direct message; errors are problems with a status, a title and a detail. */
function judge(answer: ProviderAnswer, nowMs: number): SendResult {
  const { status, json } = answer;
  const id = nameAt(json, 'data', 'dm_event_id');
  if (isSuccess(answer)) return id === undefined ? describeFailedSend(answer) : { kind: 'sent', providerMessageId: id };
  const timed = { status, retryAfterMs: answer.retryAfterMs ?? resetMs(answer, nowMs) };
  const said = textAt(json, 'detail') ?? textAt(json, 'title');
  if (said === undefined) return describeFailedSend(timed);
  return describeFailedSend(timed, { text: `(${status}) ${said.slice(0, 500)}`, meaning: meaningOf(status, textAt(json, 'type') ?? '') });
}

/** What X says by the type of a problem, or by a refusal's status; `undefined` where the rule of all providers decides. */
function meaningOf(status: number, type: string): ProviderError | undefined {
  if (/client-forbidden|unsupported-authentication|usage-capped/.test(type)) return unauthorized;
  if (status === 403 || status === 404) return refusedAs('USER_NOT_FOUND'); // the user accepts no messages of the account
  return status === 400 || status === 413 ? refusedAs('INVALID_REQUEST') : undefined;
}

/** X reports in a header when the next quarter of an hour begins. */
function resetMs({ status, headers }: ProviderAnswer, nowMs: number): number | undefined {
  const resetAt = Number(headers['x-rate-limit-reset'] ?? Number.NaN) * 1_000;
  return status === 429 && Number.isFinite(resetAt) ? Math.max(0, resetAt - nowMs) : undefined;
}
