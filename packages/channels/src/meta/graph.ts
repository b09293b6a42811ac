// What Meta's providers (WhatsApp, Messenger, Instagram) have in common: the Graph API and its deliveries.
import { createHash, timingSafeEqual } from 'node:crypto';
import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import type { ChannelAnswer, ChannelCheck, ChannelContext, SendResult } from '../channel-adapter.ts';
import {
  trimSlashes,
  describeFailedSend,
  isSuccess,
  nameAt,
  numberAt,
  postJson,
  type ProviderAnswer,
  type ProviderError,
  type ProviderErrors,
  textAt,
} from '../provider-answer.ts';
import { checkByRead } from '../provider-check.ts';

/** Where Meta keeps files of users. */
export const fileHosts = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|cdninstagram\.com|facebook\.com|whatsapp\.net)$/;

interface GraphCall {
  readonly url: string;
  readonly accessToken: string;
  readonly body: JsonObject;
  /** The meaning of an error by its code; `undefined` for an unknown code. @param status - of the response */
  meaningOf(error: Json, status: number): ProviderError | undefined;
  /** Where the answer names the message: a path such as `messages.0.id`. */
  readonly idPath: readonly string[];
  /** Reads the number of the recipient out of the answer; left out where users have none. */
  readonly phoneOf?: (answer: Json) => string | null;
}

/** Posts a message to the Graph API. Only a response with the id of the message counts as sent. */
export const postMessage = (
  { meaningOf, idPath, phoneOf, ...post }: GraphCall,
  context: Pick<ChannelContext<unknown, unknown>, 'dialer'>,
): Promise<SendResult> =>
  postJson(post, context, (answer) => {
    const { status, json } = answer;
    const error = getPath(json, ['error']);
    if (error !== undefined && error !== null)
      return describeFailedSend(answer, { text: errorText(error), meaning: meaningOf(error, status) });
    const id = nameAt(json, ...idPath);
    if (!isSuccess(answer) || id === undefined) return describeFailedSend(answer);
    const phone = phoneOf?.(json) ?? undefined;
    return { kind: 'sent', providerMessageId: id, ...(phone !== undefined && { phone }) };
  });

/** Looks up code and subcode as "100/2018001", then the code alone. @returns `undefined` for a code that is not in the table */
export function errorMeaning(error: Json, errors: ProviderErrors): ProviderError | undefined {
  const [code, subcode] = [numberAt(error, 'code'), numberAt(error, 'error_subcode')];
  const key = [`${code}/${subcode}`, `${code}`].find((candidate) => Object.hasOwn(errors, candidate));
  return key === undefined ? undefined : errors[key];
}

/** The text of an error, for the record of the message. */
export function errorText(error: Json): string {
  const readText = (...path: readonly string[]): string => {
    const value = getPath(error, path);
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 500) : '';
  };
  const details = readText('error_data', 'details');
  return [`(${readText('code')})`, readText('message') || readText('title'), details].filter((text) => text !== '').join(' ');
}

/** Answers the GET by which Meta verifies this address. */
export function challengeOf(query: URLSearchParams, verifyToken: string): ChannelAnswer | undefined {
  const isSubscription = query.get('hub.mode') === 'subscribe';
  const [given, expected] = [query.get('hub.verify_token') ?? '', verifyToken].map((token) => createHash('sha256').update(token).digest());
  if (!isSubscription || given === undefined || expected === undefined || !timingSafeEqual(given, expected)) return undefined;
  return { text: query.get('hub.challenge') ?? '' };
}

interface AccountConfig {
  readonly accessToken: string;
  readonly apiVersion: string;
  readonly baseUrl?: string | undefined;
}

/** Reads the fields of the bot's own account, by which Meta shows that token and id belong together. */
export function checkAccount(
  id: string,
  fields: readonly string[],
  context: Pick<ChannelContext<AccountConfig, unknown>, 'config' | 'dialer'>,
): Promise<ChannelCheck> {
  const { accessToken, apiVersion, baseUrl } = context.config;
  const url = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(id)}?fields=${fields.join(',')}`;
  const read = {
    call: { method: 'GET', url, headers: { authorization: `Bearer ${accessToken}` } },
    name: ({ json }: ProviderAnswer) => fields.flatMap((field) => textAt(json, field) ?? []).join(' ') || textAt(json, 'id'),
    error({ json }: ProviderAnswer) {
      const error = getPath(json, ['error']);
      return error === undefined || error === null ? undefined : errorText(error);
    },
  } as const;
  return checkByRead(read, context);
}

/** The root of the Graph API. */
export const graphUrl = (baseUrl: string | undefined): string => trimSlashes(baseUrl ?? 'https://graph.facebook.com');
