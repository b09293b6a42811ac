// Files that users send: inspected at the provider before a message is passed on, and fetched whole when something first needs their bytes.
import type { JsonObject } from '@hilo/engine/contract';
import { type DialerRequest, type DialerResponse, isDialerError } from '@hilo/drivers';
import { classifyType, classifyBytes } from './file-family.ts';

/** The time limit of one call about a file, and again of its wait for a turn: a delivery is answered within 3 s. */
export const inspectMs = 600;

export const MB = 1024 * 1024;

/** The largest file from a provider whose own limits are higher or unknown. */
const maxFileBytes = 100 * MB;

/** How much of a file is read to find its type. */
const beginningBytes = 4_096;

/** What calls about files are made with: the context of an adapter has it. */
interface Caller {
  readonly dialer: {
    request(
      call: Pick<DialerRequest, 'method' | 'url' | 'headers' | 'maxBytes' | 'keepBytes' | 'maxRedirects'> & { readonly timeoutMs?: number },
    ): Promise<DialerResponse>;
  };
}

/** A file that a delivery names. */
export interface UserFile {
  readonly url: string;
  /** The hosts where the provider keeps files. */
  readonly hosts: RegExp;
  /** Where the bot's provider is configured to be: files may be there as well. */
  readonly baseUrl?: string | undefined;
  /** The type that the message gives it; `undefined` where it gives none. */
  readonly mimeType?: string | undefined;
  /** The size that the provider tells; `undefined` where it tells none. */
  readonly sizeBytes?: number | undefined;
  /** 100 MB, where left out. */
  readonly maxBytes?: number;
  /** Proves the bot to the provider; sent to no other host. */
  readonly accessToken?: string | undefined;
}

/** Why a file is not what the message says, as a field of the message. */
export interface MediaError extends JsonObject {
  readonly mediaError: {
    readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
    readonly message: string;
  };
}

/** The field of a message whose file is not usable. */
export const mediaError = (code: MediaError['mediaError']['code'], message: string): MediaError => ({ mediaError: { code, message } });

/**
 * Reads the beginning of a file, and no more than its limit. One that is too large, not there, or of another type than it says has a
 * `mediaError` and no `mediaUrl`; one that did not answer in time, or is at no host of the provider's, has both. A message is never lost
 * for its file.
 *
 * @returns the fields of the message with the URL of the file, or with the reason why it is not passed on
 */
export async function inspectFile(file: UserFile, { dialer }: Caller): Promise<JsonObject> {
  const { url, mimeType, sizeBytes = 0, maxBytes = maxFileBytes, accessToken } = file;
  if (sizeBytes > maxBytes) return tooLarge(maxBytes);
  if (!isAtProvider(file)) return describeForeignFile(url);
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
      timeoutMs: inspectMs,
    });
    return checkFile(beginning, mimeType, maxBytes) ?? { mediaUrl: url };
  } catch (error) {
    const failed = describeFetchError(error);
    return failed.mediaError.code === 'MEDIA_TOO_LARGE' ? failed : { mediaUrl: url, ...failed };
  }
}

/** The error for a file that could not be fetched, or is too large. @throws any error other than a failed call */
export function describeFetchError(error: unknown): MediaError {
  if (!isDialerError(error)) throw error;
  return error.code === 'TOO_LARGE'
    ? mediaError('MEDIA_TOO_LARGE', `The file of the user is too large: ${error.message}`)
    : mediaError('INVALID_MEDIA_URL', `The file of the user could not be fetched: ${error.message}`);
}

/** Why a fetched file is not passed on; `undefined` for a usable one. */
function checkFile({ status, headers, body }: DialerResponse, said: string | undefined, maxBytes: number): MediaError | undefined {
  if (status !== 200 && status !== 206) return mediaError('INVALID_MEDIA_URL', `The host of the user's file answered ${status}`);
  const wholeBytes = Number(/\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1] ?? 0);
  if (wholeBytes > maxBytes) return tooLarge(maxBytes);
  const expected = classifyType(said);
  const found = [classifyType(headers['content-type']), classifyBytes(body)].find((family) => family !== undefined && family !== expected);
  if (expected === undefined || found === undefined) return undefined;
  return mediaError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The file of the user is of another type than the message says: "${said ?? ''}" is of the kind ${found}`,
  );
}

const tooLarge = (maxBytes: number): MediaError => mediaError('MEDIA_TOO_LARGE', `The file of the user is larger than ${maxBytes} bytes`);

/** Whether a file is at one of the provider's hosts, over https, or at the base URL that the bot's provider is configured with. */
export function isAtProvider({ url, hosts, baseUrl }: Pick<UserFile, 'url' | 'hosts' | 'baseUrl'>): boolean {
  const [place, base] = [webAddress(url), webAddress(baseUrl)];
  if (place === undefined) return false;
  return (place.protocol === 'https:' && hosts.test(place.hostname)) || place.origin === base?.origin;
}

/** The fields for a file at another host, such as behind a shared link: nothing is fetched from hosts that a user chooses. */
function describeForeignFile(url: string): MediaError {
  const place = webAddress(url);
  if (place === undefined) return mediaError('INVALID_MEDIA_URL', 'The file of the user is at no http address, or at one with a password');
  return {
    mediaUrl: url,
    ...mediaError('INVALID_MEDIA_URL', `The file of the user was not looked at: its provider's files are not fetched from ${place.host}`),
  };
}

/** Parses an http or https URL without credentials; `undefined` for anything else. */
function webAddress(text = ''): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

/** What is known of a file that a user sent, when it is fetched. */
export interface SentFile {
  /** The message as `receive` returned it. */
  readonly message: JsonObject;
  /** The `address` of the user, when they sent it. */
  readonly address?: string | undefined;
}

/** A file as its provider gave it. */
export interface FetchedFile {
  readonly content: Uint8Array;
  /** The `Content-Type` of the answer, unparsed: hosts tell anything. */
  readonly contentType: string | undefined;
}

/** The largest file that is brought in from a user. */
const maxFetchedBytes = 25 * MB;

/** Where a fetch begins. */
interface Fetch extends Pick<UserFile, 'url' | 'hosts' | 'baseUrl' | 'sizeBytes' | 'accessToken'> {
  /** None, where left out: a token goes to no other host, and no host may lead to another. */
  readonly maxRedirects?: number;
}

/**
 * Fetches a file from its provider, at most 25 MB of it. Whatever the answer says of its length, the bytes that come are counted.
 *
 * @returns the file, or why there is none
 */
export async function fetchUserFile(
  { url, hosts, baseUrl, sizeBytes = 0, accessToken, maxRedirects = 0 }: Fetch,
  { dialer }: Caller,
): Promise<FetchedFile | MediaError> {
  if (sizeBytes > maxFetchedBytes) return tooLarge(maxFetchedBytes);
  if (!isAtProvider({ url, hosts, baseUrl })) {
    const { mediaError: foreign } = describeForeignFile(url);
    return { mediaError: foreign };
  }
  const headers = { ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }), 'accept-encoding': 'identity' };
  try {
    const { status, headers: told, body } = await dialer.request({ method: 'GET', url, headers, maxBytes: maxFetchedBytes, maxRedirects });
    if (status === 200) return { content: body, contentType: told['content-type'] };
    return mediaError('INVALID_MEDIA_URL', `The host of the user's file answered ${status}`);
  } catch (error) {
    return describeFetchError(error);
  }
}

/** Fetches the file that a message names by an address for anybody, over https or at the base URL of the provider. */
export const fetchPublicFile = ({ message: { mediaUrl } }: SentFile, context: Caller): Promise<FetchedFile | MediaError> =>
  fetchUserFile({ url: typeof mediaUrl === 'string' ? mediaUrl : '', hosts: /^/, maxRedirects: 3 }, context);
