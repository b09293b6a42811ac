// Sends to users of Microsoft Teams.
import { isJsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import type { ChannelContext, ChannelMessage, Recipient, SendResult } from '../channel-adapter.ts';
import { field, optional, secret, url } from '../fields.ts';
import {
  trimSlashes,
  describeFailedSend,
  isSuccess,
  parseInner,
  nameAt,
  pathPart,
  postJson,
  type ProviderErrors,
  rateLimited,
  refusedAs,
  textAt,
  unauthorized,
  unavailable,
} from '../provider-answer.ts';
import type { KeyCache } from './authenticate.ts';
import { teamsMessage } from './message.ts';
import { type ConversationReference, formatMessageId } from './receive.ts';
import { accessToken, type TokenCache } from './token.ts';

export const config = z.strictObject({
  appId: field,
  appPassword: secret,
  tenantId: optional(field),
  tokenUrl: optional(url),
  keysUrl: optional(url),
  baseUrl: optional(url),
});

/** What the adapter keeps of a bot in memory. */
export interface TeamsState {
  readonly access: TokenCache;
  readonly keys: KeyCache;
}

/** The connector's codes. */
const errors: ProviderErrors = {
  Unauthorized: unauthorized,
  AuthorizationFailed: unauthorized,
  TooManyRequests: rateLimited,
  ServiceUnavailable: unavailable,
  PreconditionFailed: unavailable, // several operations on one conversation at once: Teams asks for another try
  MessageSizeTooBig: refusedAs('INVALID_REQUEST'),
  BadArgument: refusedAs('INVALID_REQUEST'),
  BadSyntax: refusedAs('INVALID_REQUEST'),
  ConversationNotFound: refusedAs('USER_NOT_FOUND'),
  ConversationBlockedByUser: refusedAs('USER_NOT_FOUND'),
  ForbiddenOperationException: refusedAs('USER_NOT_FOUND'), // the bot is blocked, or not installed there
  BotNotInConversationRoster: refusedAs('USER_NOT_FOUND'),
};

/** For conversations of which no activity has come yet, in every region. */
const anyRegion = 'https://smba.trafficmanager.net/teams';

/**
 * Posts an activity to the user's last conversation, at the service URL of its activities. When the connector refuses the token, a new
 * one is requested once: nothing was sent with the old one.
 */
export async function send(
  outbound: ChannelMessage,
  context: Pick<ChannelContext<z.output<typeof config>, TeamsState>, 'config' | 'state' | 'dialer' | 'clock'>,
): Promise<SendResult> {
  const { serviceUrl, conversationId } = readConversation(outbound.recipient, context.config.baseUrl);
  const url = `${trimSlashes(serviceUrl)}/v3/conversations/${pathPart(conversationId)}/activities`;
  const body = teamsMessage(outbound);
  for (const isLast of [false, true]) {
    const access = await accessToken(context);
    if (access.kind !== 'token') return access;
    const result = await postJson({ url, accessToken: access.value, body }, context, (answer) => {
      const { json } = answer;
      const [id, code] = [nameAt(json, 'id'), nameAt(json, 'error', 'code')];
      if (isSuccess(answer) && code === undefined && id !== undefined)
        return { kind: 'sent', providerMessageId: formatMessageId(conversationId, id) };
      if (code === undefined) return describeFailedSend(answer);
      const text = `(${code}) ${(textAt(json, 'error', 'message') ?? '').slice(0, 500)}`;
      return describeFailedSend(answer, { text, meaning: Object.hasOwn(errors, code) ? errors[code] : undefined });
    });
    if (isLast || result.kind !== 'refused' || result.cause !== unauthorized.cause) return result;
    context.state.access.token = undefined;
  }
  throw new Error('The second attempt returns');
}

/** The user's last conversation; before any message, the id of a conversation itself. */
function readConversation({ id, address }: Recipient, baseUrl: string | undefined): ConversationReference {
  const known = parseInner(address ?? '');
  const [serviceUrl, conversationId] = isJsonObject(known) ? [textAt(known, 'serviceUrl'), textAt(known, 'conversationId')] : [];
  return { serviceUrl: serviceUrl ?? baseUrl ?? anyRegion, conversationId: conversationId ?? id };
}
