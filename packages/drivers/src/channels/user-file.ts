// Files that users send: looked at where the provider keeps them, before they are handed on.
import type { JsonObject } from '@hilo/engine/contract';
import type { DialerResponse } from '../dialer/dialer.ts';
import { isDialerError } from '../driver-error.ts';
import type { ChannelContext } from './channel-adapter.ts';
import { familyOf, familyOfBytes } from './file-family.ts';

/** How long one call about a file may take, and as long again before its turn: a delivery is answered within 3 s. */
export const lookMs = 600;

export const MB = 1024 * 1024;

/** The largest file that is handed on from a provider whose own limits are higher, or not known. */
const mostFileBytes = 100 * MB;

/** So much of a file is read to tell its type. */
const beginningBytes = 4_096;

/** A file at the provider. */
export interface UserFile {
  readonly url: string;
  /** The type that the message gives it; `undefined` where it gives none. */
  readonly mimeType?: string | undefined;
  /** The size that the provider tells; `undefined` where it tells none. */
  readonly sizeBytes?: number | undefined;
  /** 100 MB, where left out. */
  readonly maxBytes?: number;
  /** Sent to the host of `url`, which has to be the provider's own. */
  readonly accessToken?: string | undefined;
}

/** Why a file is not what the message says, as a field of the message. */
export interface MediaError extends JsonObject {
  readonly mediaError: {
    readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
    readonly message: string;
  };
}

export const mediaError = (code: MediaError['mediaError']['code'], message: string): MediaError => ({ mediaError: { code, message } });

/**
 * Reads the beginning of a file, and no more than its limit. One that is too large, not there, or of another type than it says has a
 * `mediaError` and no `mediaUrl`; one that could not be looked at in time has both. A message is never lost for its file.
 *
 * @returns the fields of the message that say where the file is, or why it is not handed on
 */
export async function lookAtFile(file: UserFile, { dialer }: Pick<ChannelContext<unknown, unknown>, 'dialer'>): Promise<JsonObject> {
  const { url, mimeType, sizeBytes = 0, maxBytes = mostFileBytes, accessToken } = file;
  if (sizeBytes > maxBytes) return tooLarge(maxBytes);
  try {
    const beginning = await dialer.request({
      method: 'GET',
      url,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        range: `bytes=0-${beginningBytes - 1}`,
        'accept-encoding': 'identity',
      },
      maxBytes,
      keepBytes: beginningBytes,
      maxRedirects: 0, // the token goes to no other host
      timeoutMs: lookMs,
    });
    return refusalOf(beginning, mimeType, maxBytes) ?? { mediaUrl: url };
  } catch (error) {
    const failed = unseen(error);
    return failed.mediaError.code === 'MEDIA_TOO_LARGE' ? failed : { mediaUrl: url, ...failed };
  }
}

/** The error of a file that no answer came about, or more of it than it may have. @throws what is no error of a call */
export function unseen(error: unknown): MediaError {
  if (!isDialerError(error)) throw error;
  return error.code === 'TOO_LARGE'
    ? mediaError('MEDIA_TOO_LARGE', `The file of the user is too large: ${error.message}`)
    : mediaError('INVALID_MEDIA_URL', `The file of the user could not be fetched: ${error.message}`);
}

/** Why the file is not handed on. */
function refusalOf({ status, headers, body }: DialerResponse, said: string | undefined, maxBytes: number): MediaError | undefined {
  if (status !== 200 && status !== 206) return mediaError('INVALID_MEDIA_URL', `The host of the user's file answered ${status}`);
  const wholeBytes = Number(/\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1] ?? 0);
  if (wholeBytes > maxBytes) return tooLarge(maxBytes);
  const expected = familyOf(said);
  const found = [familyOf(headers['content-type']), familyOfBytes(body)].find((family) => family !== undefined && family !== expected);
  if (expected === undefined || found === undefined) return undefined;
  return mediaError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file of the user is of another type than the message says: "${said ?? ''}" is of the kind ${found}`,
  );
}

export const tooLarge = (maxBytes: number): MediaError =>
  mediaError('MEDIA_TOO_LARGE', `The file of the user is larger than ${maxBytes} bytes`);

/** Whether a URL is at one of a provider's hosts, over https, or at the base URL that the bot's provider is configured with. */
export function isAtProvider(url: string, hosts: RegExp, baseUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return (protocol === 'https:' && hosts.test(hostname)) || (baseUrl !== undefined && origin === new URL(baseUrl).origin);
}
