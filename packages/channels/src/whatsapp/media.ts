// Files that users send: named by an id in the delivery, and fetched with the bot's token.
import { getPath, type JsonObject } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { ChannelContext } from '../channel-adapter.ts';
import { errorText, fileHosts, graphUrl } from '../meta/graph.ts';
import { parseBody, nameAt, numberAt, pathPart } from '../provider-answer.ts';
import {
  describeFetchError,
  type FetchedFile,
  fetchUserFile,
  inspectFile,
  inspectMs,
  MB,
  mediaError,
  type MediaError,
  type SentFile,
} from '../user-file.ts';
import type { config } from './config.ts';

type Context = Pick<ChannelContext<z.output<typeof config>, unknown>, 'config' | 'dialer'>;

/** The largest files that WhatsApp carries, by the type of their message. */
const maxBytesByType = { image: 5 * MB, audio: 16 * MB, video: 16 * MB, file: 100 * MB, sticker: MB / 2 } as const;

/** The type of a message that is a file. */
export type MediaType = keyof typeof maxBytesByType;

/**
 * The content of a message with a file. `mediaUrl` is valid for some minutes, and with the bot's token; `mediaId` for 30 days. The file's
 * beginning is fetched, no more than the channel's limit: a file that is too large or of another type than it says has no `mediaUrl`
 * but a `mediaError`. One that could not be looked at has a `mediaError` and, where it is known, its `mediaUrl`. The message is never lost.
 *
 * @param media - the part of the delivery that names the file
 */
export async function readMedia(type: MediaType, media: JsonObject, context: Context): Promise<JsonObject> {
  const [mediaId, caption, filename, mimeType] = ['id', 'caption', 'filename', 'mime_type'].map((name) => nameAt(media, name));
  return {
    type,
    ...(mediaId !== undefined && { mediaId }),
    ...(await locateFile(type, media, context)),
    ...(caption !== undefined && { text: caption }),
    ...(filename !== undefined && { filename }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** Where the file is, or why it is not handed on. */
async function locateFile(type: MediaType, media: JsonObject, context: Context): Promise<JsonObject> {
  const [id, told, mimeType] = ['id', 'url', 'mime_type'].map((name) => nameAt(media, name));
  if (id === undefined && told === undefined) return {};
  const found = told === undefined ? await locate(id ?? '', context, inspectMs) : { url: told, sizeBytes: 0 };
  if ('mediaError' in found) return found;
  const { accessToken, baseUrl } = context.config;
  const [{ url, sizeBytes }, maxBytes] = [found, maxBytesByType[type]];
  return inspectFile({ url, hosts: fileHosts, baseUrl, mimeType, sizeBytes, maxBytes, accessToken }, context);
}

type Located = { readonly url: string; readonly sizeBytes: number } | MediaError;

/** Fetches the file of a message. Its address is asked for anew, since one is of use for some minutes only. */
export async function fetchFile({ message }: SentFile, context: Context): Promise<FetchedFile | MediaError> {
  const [id, told] = [nameAt(message, 'mediaId'), nameAt(message, 'mediaUrl')];
  const found = id === undefined ? { url: told ?? '', sizeBytes: 0 } : await locate(id, context, fetchMs);
  if ('mediaError' in found) return found;
  const { accessToken, baseUrl } = context.config;
  return fetchUserFile({ ...found, hosts: fileHosts, baseUrl, accessToken }, context);
}

const fetchMs = 10_000;

/** Asks the provider for a file's URL. */
async function locate(id: string, { config, dialer }: Context, timeoutMs: number): Promise<Located> {
  const url = `${graphUrl(config.baseUrl)}/${config.apiVersion}/${pathPart(id)}?phone_number_id=${encodeURIComponent(config.phoneNumberId)}`;
  const headers = { authorization: `Bearer ${config.accessToken}` };
  try {
    const { status, body } = await dialer.request({ method: 'GET', url, headers, maxBytes: 65_536, maxRedirects: 0, timeoutMs });
    const answer = parseBody(body);
    const place = nameAt(answer, 'url');
    if (status === 200 && place !== undefined) return { url: place, sizeBytes: numberAt(answer, 'file_size') ?? 0 };
    const error = getPath(answer, ['error']) ?? null;
    const said = error === null ? '' : errorText(error);
    return mediaError(
      'INVALID_MEDIA_URL',
      `WhatsApp does not say where the file of the user is: it answered ${[status, said].join(' ').trim()}`,
    );
  } catch (error) {
    return describeFetchError(error);
  }
}
