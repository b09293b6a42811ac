// The adapters of Messenger and Instagram.
import type { Json } from '@hilo/engine/contract';
import { z } from 'zod';
import { type ChannelAdapter, defineChannel } from '../channel-adapter.ts';
import { isSigned, signatureHeader } from '../signature.ts';
import { apiVersion, field, optional, secret, url } from '../fields.ts';
import {
  numberAt,
  type ProviderError,
  type ProviderErrors,
  rateLimited,
  refusedAs,
  textAt,
  unauthorized,
  unavailable,
} from '../provider-answer.ts';
import { fetchUserFile } from '../user-file.ts';
import { challengeOf, checkAccount, errorMeaning, fileHosts, graphUrl, postMessage } from './graph.ts';
import { receivePageEvents } from './page-events.ts';
import { type PageDialect, pageMessage } from './page-message.ts';

const config = z.strictObject({
  pageId: field,
  accessToken: secret,
  appSecret: secret,
  verifyToken: secret,
  apiVersion,
  baseUrl: optional(url),
});

/** Instagram names its accounts in deliveries, which are not the page. */
const instagramConfig = config.extend({ accountId: optional(field) });

const errors: ProviderErrors = {
  10: unauthorized,
  102: unauthorized,
  190: unauthorized,
  200: unauthorized,
  230: unauthorized, // the app lacks the permission to send
  368: unauthorized, // temporarily blocked for policy violations

  // Permission is missing for this one person now, not for the bot. Messenger and Instagram have a subcode of their own each.
  '10/2018065': refusedAs('OUTSIDE_SESSION_WINDOW'),
  '10/2018278': refusedAs('OUTSIDE_SESSION_WINDOW'),
  '10/2534022': refusedAs('OUTSIDE_SESSION_WINDOW'),
  '10/1545041': refusedAs('USER_NOT_FOUND'),
  '10/2018108': refusedAs('USER_NOT_FOUND'), // they do not receive messages of the page now
  '200/1545041': refusedAs('USER_NOT_FOUND'),
  551: refusedAs('USER_NOT_FOUND'),

  4: rateLimited,
  17: rateLimited,
  32: rateLimited,
  613: rateLimited,
  80002: rateLimited, // calls for one account of Instagram
  80006: rateLimited, // calls for one page of Messenger

  2: unavailable,
  1200: unavailable,

  100: refusedAs('INVALID_REQUEST'),
  '100/2018001': refusedAs('USER_NOT_FOUND'),
  '100/2534014': refusedAs('USER_NOT_FOUND'),
  '100/2018008': refusedAs('INVALID_MEDIA_URL'), // the file could not be fetched
  '100/2018047': refusedAs('INVALID_MEDIA_URL'),
  '100/2018294': refusedAs('INVALID_MEDIA_URL'),
  '100/2018109': refusedAs('MEDIA_TOO_LARGE'),
};

/**
 * What an error means. A missing permission with a subcode of its own that is not in the table is of this message alone, such as that of an app in
 * development to somebody who is none of its testers: nothing says that the bot's other messages would be refused.
 */
function pageError(error: Json): ProviderError | undefined {
  const isOfOne = [10, 200, 230].includes(numberAt(error, 'code') ?? 0) && numberAt(error, 'error_subcode') !== undefined;
  const meaning = errorMeaning(error, errors);
  return isOfOne && meaning === unauthorized ? refusedAs('PROVIDER_REFUSED') : meaning;
}

/** Messenger and Instagram: one interface, two dialects. Without idempotency keys, a send of unknown outcome is not repeated (P5). */
function pageChannel(kind: string, dialect: PageDialect, fields: typeof config | typeof instagramConfig): ChannelAdapter {
  return defineChannel({
    kind,
    channels: [dialect.channel],
    config: fields,
    secrets: ['accessToken', 'appSecret', 'verifyToken'],
    limits: { messagesPerSecond: dialect.messagesPerSecond },
    compose: (outbound) => pageMessage(outbound, dialect),
    send(outbound, context) {
      const { baseUrl, apiVersion: version, pageId, accessToken } = context.config;
      const to = `${graphUrl(baseUrl)}/${version}/${encodeURIComponent(pageId)}/messages`;
      const body = pageMessage(outbound, dialect);
      return postMessage({ url: to, accessToken, body, meaningOf: pageError, idPath: ['message_id'] }, context);
    },
    signatureHeader,
    authenticate: ({ headers, body }, { config: { appSecret } }) => isSigned(body, headers.get(signatureHeader), appSecret),
    receive: receivePageEvents,
    account: (own) => (dialect.channel === 'facebook' ? own.pageId : 'accountId' in own ? own.accountId : undefined),
    app: ({ appSecret }) => appSecret,
    // Meta's own addresses need no token.
    fetchFile: ({ message }, context) =>
      fetchUserFile({ url: textAt(message, 'mediaUrl') ?? '', hosts: fileHosts, baseUrl: context.config.baseUrl }, context),
    verify: (query, { config: { verifyToken } }) => challengeOf(query, verifyToken),
    check: (context) => checkAccount(context.config.pageId, ['name'], context),
  });
}

/** The Messenger Platform of Facebook pages. */
export const messengerChannel = pageChannel('messenger', { channel: 'facebook', asksForPhone: true, messagesPerSecond: 300 }, config);

/** Messages of Instagram's professional accounts. */
export const instagramChannel = pageChannel(
  'instagram',
  { channel: 'instagram', asksForPhone: false, messagesPerSecond: 100 },
  instagramConfig,
);
