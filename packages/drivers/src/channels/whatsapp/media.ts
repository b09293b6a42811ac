// Files that users send: named by an id in the delivery, and fetched with the bot's token.
import { getPath, type JsonObject } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { DialerResponse } from '../../dialer/dialer.ts';
import { isDialerError } from '../../driver-error.ts';
import type { ChannelContext } from '../channel-adapter.ts';
import { familyOf, familyOfBytes } from '../file-family.ts';
import { errorText, graphUrl } from '../meta/graph.ts';
import { jsonOf, textAt } from '../provider-answer.ts';
import type { config } from './config.ts';

type Context = Pick<ChannelContext<z.output<typeof config>, unknown>, 'config' | 'dialer'>;

/**
 * How long the provider may take to locate a file, and then to send its beginning; and as long again before the turn of each call: a
 * delivery is answered within 3 s.
 */
const lookUpMs = 600;

const MB = 1024 * 1024;

/** The largest files that WhatsApp carries, by the type of their message. */
const mostBytes = { image: 5 * MB, audio: 16 * MB, video: 16 * MB, file: 100 * MB, sticker: MB / 2 } as const;

/** The type of a message that is a file. */
export type MediaType = keyof typeof mostBytes;

/** So much of a file is read to tell its type. */
const beginningBytes = 4_096;

/** Where the provider keeps files of users: the bot's token goes to no other host. */
const fileHosts = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/;

/** Why a file is not what the message says. */
interface MediaError {
  readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
  readonly message: string;
}

const asError = (code: MediaError['code'], message: string): { readonly mediaError: JsonObject } => ({ mediaError: { code, message } });

/**
 * The content of a message with a file. `mediaUrl` is valid for some minutes, and with the bot's token; `mediaId` for 30 days. The file's
 * beginning is fetched, no more than the channel's limit: a file that is too large or of another type than it says has no `mediaUrl`
 * but a `mediaError`. One that could not be looked at has a `mediaError` and, where it is known, its `mediaUrl`. The message is never lost.
 *
 * @param media - the part of the delivery that names the file
 */
export async function mediaOf(type: MediaType, media: JsonObject, context: Context): Promise<JsonObject> {
  const [mediaId, caption, filename, mimeType] = ['id', 'caption', 'filename', 'mime_type'].map((name) => textAt(media, name));
  return {
    type,
    ...(mediaId !== undefined && { mediaId }),
    ...(await placeOf(type, media, context)),
    ...(caption !== undefined && { text: caption }),
    ...(filename !== undefined && { filename }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** Where the file is, or why it is not handed on. */
async function placeOf(type: MediaType, media: JsonObject, context: Context): Promise<JsonObject> {
  const [id, told, mimeType] = [textAt(media, 'id'), textAt(media, 'url'), textAt(media, 'mime_type')];
  if (id === undefined && told === undefined) return {};
  let mediaUrl = told;
  try {
    const maxBytes = mostBytes[type];
    if (mediaUrl === undefined) {
      const found = await locate(id ?? '', context);
      if ('mediaError' in found) return found;
      if (found.sizeBytes > maxBytes) return tooLarge(maxBytes);
      mediaUrl = found.url;
    }
    if (!isOfProvider(mediaUrl, context)) return { mediaUrl };
    const refusal = refusalOf(await begin(mediaUrl, maxBytes, context), mimeType, maxBytes);
    return refusal ?? { mediaUrl };
  } catch (error) {
    if (!isDialerError(error)) throw error;
    if (error.code === 'TOO_LARGE') return asError('MEDIA_TOO_LARGE', `The file of the user is too large: ${error.message}`);
    const failed = asError('INVALID_MEDIA_URL', `The file of the user could not be fetched: ${error.message}`);
    return { ...(mediaUrl !== undefined && { mediaUrl }), ...failed };
  }
}

type Located = { readonly url: string; readonly sizeBytes: number } | ReturnType<typeof asError>;

/** Asks the provider for a file's URL. */
async function locate(id: string, { config, dialer }: Context): Promise<Located> {
  const url = `${graphUrl(config.baseUrl)}/${config.apiVersion}/${encodeURIComponent(id)}?phone_number_id=${encodeURIComponent(config.phoneNumberId)}`;
  const { status, body } = await dialer.request({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${config.accessToken}` },
    maxBytes: 65_536,
    maxRedirects: 0,
    timeoutMs: lookUpMs,
  });
  const answer = jsonOf(body);
  const place = textAt(answer, 'url');
  if (status === 200 && place !== undefined) return { url: place, sizeBytes: Number(getPath(answer, ['file_size'])) || 0 };
  const error = getPath(answer, ['error']) ?? null;
  const said = error === null ? '' : errorText(error);
  return asError(
    'INVALID_MEDIA_URL',
    `WhatsApp does not say where the file of the user is: it answered ${[status, said].join(' ').trim()}`,
  );
}

/** Whether the bot's token may be sent there. */
function isOfProvider(url: string, { config: { baseUrl } }: Context): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (protocol === 'https:' && fileHosts.test(hostname)) || (baseUrl !== undefined && origin === new URL(baseUrl).origin);
}

/** The first bytes of a file. @throws {DriverError} `TOO_LARGE` where a host sends more than the file may have */
const begin = (url: string, maxBytes: number, { config, dialer }: Context): Promise<DialerResponse> =>
  dialer.request({
    method: 'GET',
    url,
    headers: {
      authorization: `Bearer ${config.accessToken}`,
      range: `bytes=0-${beginningBytes - 1}`,
      'accept-encoding': 'identity',
    },
    maxBytes,
    keepBytes: beginningBytes,
    maxRedirects: 0,
    timeoutMs: lookUpMs,
  });

/** Why the file is not handed on. @param said - the type that the message gives it */
function refusalOf(
  { status, headers, body }: DialerResponse,
  said: string | undefined,
  maxBytes: number,
): ReturnType<typeof asError> | undefined {
  if (status !== 200 && status !== 206) return asError('INVALID_MEDIA_URL', `The host of the user's file answered ${status}`);
  const wholeBytes = Number(/\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1] ?? 0);
  if (wholeBytes > maxBytes) return tooLarge(maxBytes);
  const expected = familyOf(said);
  const found = [familyOf(headers['content-type']), familyOfBytes(body)].find((family) => family !== undefined && family !== expected);
  if (expected === undefined || found === undefined) return undefined;
  return asError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file of the user is of another type than the message says: "${said ?? ''}" is of the kind ${found}`,
  );
}

const tooLarge = (maxBytes: number): ReturnType<typeof asError> =>
  asError('MEDIA_TOO_LARGE', `The file of the user is larger than ${maxBytes} bytes`);
