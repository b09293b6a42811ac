import type { z } from 'zod';
import type { ChannelContext, ChannelMessage, SendResult } from '../channel-adapter.ts';
import { graphUrl, postMessage } from '../meta/graph.ts';
import type { config } from './config.ts';
import { whatsappError } from './errors.ts';
import { requestBody } from './request-body.ts';

/** Posts a message to the number's `messages`; the provider's name of it (`wamid…`) comes with the answer. */
export function send(
  outbound: ChannelMessage,
  context: Pick<ChannelContext<z.output<typeof config>, unknown>, 'config' | 'dialer'>,
): Promise<SendResult> {
  const { baseUrl, apiVersion, phoneNumberId, accessToken } = context.config;
  const url = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(phoneNumberId)}/messages`;
  return postMessage({ url, accessToken, body: requestBody(outbound), meaningOf: whatsappError, idPath: ['messages', '0', 'id'] }, context);
}
