import type { z } from 'zod';
import type { ChannelContext, ChannelMessage, SendResult } from '../channel-adapter.ts';
import { baseOf, postMessage } from '../meta/graph.ts';
import { UnfitMessage } from '../refusal.ts';
import type { config } from './config.ts';
import { whatsappErrors } from './errors.ts';
import { requestBody } from './request-body.ts';

/** Posts a message to the number's `messages`; the provider's name of it (`wamid…`) comes with the answer. */
export async function send(
  outbound: ChannelMessage,
  context: Pick<ChannelContext<z.output<typeof config>, unknown>, 'config' | 'dialer'>,
): Promise<SendResult> {
  const { baseUrl, apiVersion, phoneNumberId, accessToken } = context.config;
  try {
    const body = requestBody(outbound);
    const url = `${baseOf(baseUrl)}/${apiVersion}/${encodeURIComponent(phoneNumberId)}/messages`;
    return await postMessage({ url, accessToken, body, errors: whatsappErrors, idPath: ['messages', '0', 'id'] }, context);
  } catch (error) {
    if (error instanceof UnfitMessage) return { kind: 'refused', cause: error.cause, message: error.message };
    throw error;
  }
}
