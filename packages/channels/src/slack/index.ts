// The adapter of Slack.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { getPath } from '@hilo/engine/contract';
import { z } from 'zod';
import { type ChannelContext, defineChannel, type Delivery } from '../channel-adapter.ts';
import { field, optional, secret, url } from '../fields.ts';
import { trimSlashes, describeFailedSend, isSuccess, nameAt, postJson, type ProviderAnswer, textAt } from '../provider-answer.ts';
import { checkByRead } from '../provider-check.ts';
import { slackErrors } from './errors.ts';
import { slackMessage } from './message.ts';
import { fetchUserFile } from '../user-file.ts';
import { fileHosts, receive } from './receive.ts';

const config = z.strictObject({ botToken: secret, signingSecret: secret, accountId: optional(field), baseUrl: optional(url) });

const signatureHeader = 'x-slack-signature';

/** Slack refuses older deliveries, and so do we: an intercepted copy is soon useless. */
const maxAgeSeconds = 300;

/** Slack, in direct messages with the app. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
export const slackChannel = defineChannel({
  kind: 'slack',
  channels: ['slack'],
  config,
  secrets: ['botToken', 'signingSecret'],
  // Slack allows one message a second in a conversation, and "several hundred a minute" in a workspace.
  limits: { messagesPerSecond: 5 },
  compose: slackMessage,
  send: (outbound, context) => {
    const { baseUrl = 'https://slack.com', botToken: accessToken } = context.config;
    const url = `${trimSlashes(baseUrl)}/api/chat.postMessage`;
    return postJson({ url, accessToken, body: slackMessage(outbound) }, context, (answer) => {
      const { json } = answer;
      const [channel, ts, error] = ['channel', 'ts', 'error'].map((name) => nameAt(json, name));
      if (isSuccess(answer) && getPath(json, ['ok']) === true && ts !== undefined)
        return { kind: 'sent', providerMessageId: `${channel ?? outbound.recipient.id}:${ts}` };
      if (error === undefined) return describeFailedSend(answer);
      return describeFailedSend(answer, {
        text: error.slice(0, 500),
        meaning: Object.hasOwn(slackErrors, error) ? slackErrors[error] : undefined,
      });
    });
  },
  signatureHeader,
  authenticate: isSigned,
  receive,
  account: ({ accountId }) => accountId,
  app: ({ signingSecret }) => signingSecret,
  fetchFile: ({ message }, context) => {
    const { baseUrl, botToken: accessToken } = context.config;
    return fetchUserFile({ url: textAt(message, 'mediaUrl') ?? '', hosts: fileHosts, baseUrl, accessToken }, context);
  },
  check: (context) => {
    const { baseUrl = 'https://slack.com', botToken } = context.config;
    const call = {
      method: 'POST',
      url: `${trimSlashes(baseUrl)}/api/auth.test`,
      headers: { authorization: `Bearer ${botToken}` },
    } as const;
    const name = ({ json }: ProviderAnswer): string | undefined =>
      [textAt(json, 'user'), textAt(json, 'team')].filter((part) => part !== undefined).join(' in ') || undefined;
    return checkByRead({ call, name, error: ({ json }) => textAt(json, 'error') }, context);
  },
});

/** Slack's signature, version 0: of the time and the body, in constant time. A time more than 5 minutes away is refused (P27). */
function isSigned(
  { headers, body }: Pick<Delivery, 'headers' | 'body'>,
  { config: { signingSecret }, clock }: Pick<ChannelContext<{ readonly signingSecret: string }, unknown>, 'config' | 'clock'>,
): boolean {
  const [given, sentAt] = [headers.get(signatureHeader) ?? '', headers.get('x-slack-request-timestamp') ?? ''];
  if (!/^v0=[0-9a-f]{64}$/i.test(given) || !/^\d{1,12}$/.test(sentAt)) return false;
  if (Math.abs(clock.now() / 1_000 - Number(sentAt)) > maxAgeSeconds) return false;
  const expected = createHmac('sha256', signingSecret).update(`v0:${sentAt}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(given.toLowerCase()), Buffer.from(`v0=${expected}`));
}
