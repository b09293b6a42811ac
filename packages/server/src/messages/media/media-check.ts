import { type Dialer, type DialerResponse, isDialerError } from '@hilo/drivers';
import type { Channel, Clock } from '@hilo/engine/contract';
import { channelFacts, type MediaLimit, type MediaType } from '@hilo/nodes';
import { fileTypeFromBuffer } from 'file-type';

/** A file that is to be sent. */
export interface MediaFile {
  readonly type: MediaType;
  readonly url: string;
  readonly channel: Channel;
  /** Whose message it is: a host that fails is left alone for this company only (P24). */
  readonly companyId: string;
}

/** Whether a file can be sent, and the code of the specification where it cannot (ERR-06). */
export type MediaVerdict =
  | { readonly kind: 'fits' }
  | {
      readonly kind: 'refused';
      readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
      /** What is wrong, without path and query of the URL, which may be secret. */
      readonly message: string;
    };

/** Checks a file at its URL before the channel gets it (MED-01 to MED-06). */
export type MediaCheck = (file: MediaFile) => Promise<MediaVerdict>;

/** MED-02: for one request, and for all of them. */
const requestMs = 5_000;
const allMs = 10_000;
const maxRedirects = 3;

/** Asks for the file as it lies there: its size is that of the bytes that come. */
const asItIs = { accept: '*/*', 'accept-encoding': 'identity' };

/** Carries a refusal out of the checks below. */
class Unfit extends Error {
  readonly verdict: MediaVerdict;
  constructor(code: Extract<MediaVerdict, { kind: 'refused' }>['code'], message: string) {
    super(message);
    this.verdict = { kind: 'refused', code, message };
  }
}

/**
 * Checks files with a HEAD request and a GET of their first bytes, over https only, each redirect checked (MED-02, P30). When a host
 * does not report the size, the whole file is fetched and counted, not stored.
 */
export function createMediaCheck(dialer: Pick<Dialer, 'request'>, clock: Pick<Clock, 'now'>): MediaCheck {
  return async (file) => {
    try {
      return await checkFile(dialer, file, clock);
    } catch (error) {
      if (error instanceof Unfit) return error.verdict;
      if (isDialerError(error))
        return { kind: 'refused', code: 'INVALID_MEDIA_URL', message: `The file cannot be fetched: ${error.message}` };
      throw error;
    }
  };
}

async function checkFile(
  dialer: Pick<Dialer, 'request'>,
  { type, url, channel, companyId }: MediaFile,
  clock: Pick<Clock, 'now'>,
): Promise<MediaVerdict> {
  const limit = channelFacts[channel].media[type];
  const maxBytes = limit?.maxBytes ?? Number.MAX_SAFE_INTEGER;
  const endsAtMs = clock.now() + allMs;

  const ask = async (method: 'HEAD' | 'GET', headers: { readonly [name: string]: string }): Promise<DialerResponse> => {
    const timeoutMs = Math.min(requestMs, endsAtMs - clock.now());
    if (timeoutMs <= 0) throw new Unfit('INVALID_MEDIA_URL', `The file does not come within ${allMs / 1000} seconds`);
    const options = { timeoutMs, maxBytes, keepBytes: headBytes, maxRedirects, scope: companyId };
    try {
      return await dialer.request({ method, url, headers: { ...asItIs, ...headers }, ...options });
    } catch (error) {
      throw isDialerError(error) && error.code === 'TOO_LARGE' ? tooLarge(maxBytes) : error;
    }
  };
  const checkSize = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge(maxBytes);
  };

  // Some hosts refuse HEAD, or end the connection without an answer: the answer to the GET decides.
  const head = await ask('HEAD', {}).catch((error: unknown) => {
    if (isDialerError(error) && error.code === 'RESET') return undefined;
    throw error;
  });
  const announced = head !== undefined && isFine(head.status) ? lengthOf(head) : undefined;
  if (head !== undefined && isFine(head.status) && isPage(essenceOf(head.headers['content-type'])))
    return judgeContent(contentOf(head), type, limit);
  checkSize(announced);

  const beginning = await ask('GET', { range: `bytes=0-${headBytes - 1}` });
  if (!isFine(beginning.status))
    throw new Unfit(
      'INVALID_MEDIA_URL',
      `The host of the file answers ${beginning.status}: give an address that needs no sign-in and leads to the file`,
    );
  const verdict = await judgeContent(contentOf(beginning), type, limit);
  if (verdict.kind === 'refused' || beginning.status !== 206) return verdict; // a whole file was counted while it was read
  const sizeBytes = sizeOfRange(beginning) ?? announced;
  checkSize(sizeBytes);
  if (sizeBytes === undefined && limit !== undefined) await ask('GET', {});
  return verdict;
}

const isFine = (status: number): boolean => status === 200 || status === 206;

const contentOf = ({ headers, body }: DialerResponse) => ({ contentType: headers['content-type'], firstBytes: body });

const tooLarge = (maxBytes: number): Unfit => new Unfit('MEDIA_TOO_LARGE', `The file is larger than ${maxBytes} bytes`);

const lengthOf = ({ headers }: DialerResponse): number | undefined =>
  headers['content-encoding'] === undefined ? wholeNumber(headers['content-length']) : undefined;

/** The total size in a partial response. */
const sizeOfRange = ({ headers }: DialerResponse): number | undefined =>
  wholeNumber(/^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]);

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** The first bytes of a file and its declared type. */
export interface Content {
  /** The `Content-Type` header, unparsed. */
  readonly contentType: string | undefined;
  readonly firstBytes: Uint8Array;
}

/** How many bytes are needed to detect a type. */
const headBytes = 4_100;

/** Judges the type of a file by its header and its bytes (MED-01, MED-03, MED-05, MED-06). */
async function judgeContent({ contentType, firstBytes }: Content, type: MediaType, limit: MediaLimit | undefined): Promise<MediaVerdict> {
  const declared = essenceOf(contentType);
  if (isPage(declared) || looksLikePage(firstBytes))
    return asRefused('INVALID_MEDIA_URL', 'The address leads to a web page: give the address of the file itself');
  const allowed = limit?.contentTypes;
  if (allowed === undefined) return fits;
  const taken = `${type} files are taken as ${allowed.join(', ')}`;
  if (!isGeneric(declared) && !isAllowed(declared, allowed))
    return asRefused('UNSUPPORTED_MEDIA_TYPE', `The file is ${declared} by its header: ${taken}`);
  const found = essenceOf(await typeOf(firstBytes));
  if (found !== '')
    return isAllowed(found, allowed) ? fits : asRefused('UNSUPPORTED_MEDIA_TYPE', `The file is ${found} by its content: ${taken}`);
  // Audio has formats without a signature; images, videos and documents always have one.
  const mayGoByHeader = type === 'audio' && !isGeneric(declared);
  return mayGoByHeader ? fits : asRefused('UNSUPPORTED_MEDIA_TYPE', `The content of the file is of no known type: ${taken}`);
}

/** The type by the bytes. A PNG is recognised by its signature, even when an unknown chunk follows. */
async function typeOf(firstBytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(firstBytes);
  return found?.mime ?? (pngSignature.every((byte, index) => firstBytes[index] === byte) ? 'image/png' : undefined);
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const fits: MediaVerdict = { kind: 'fits' };
const asRefused = (code: 'INVALID_MEDIA_URL' | 'UNSUPPORTED_MEDIA_TYPE', message: string): MediaVerdict => ({
  kind: 'refused',
  code,
  message,
});

/** A content type without its parameters; empty when undefined. */
const essenceOf = (contentType: string | undefined): string => (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Types that say nothing about the content. */
const isGeneric = (declared: string): boolean =>
  declared === '' || declared === 'application/octet-stream' || declared === 'binary/octet-stream';

const isPage = (declared: string): boolean => declared === 'text/html' || declared === 'application/xhtml+xml';

/** How an HTML page begins, after the MIME Sniffing Standard. */
const pageBegins =
  /^(?:\uFEFF|\u00ef\u00bb\u00bf)?[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >\t\n\f\r-]/i;

const looksLikePage = (bytes: Uint8Array): boolean => pageBegins.test(Buffer.from(bytes.subarray(0, 512)).toString('latin1'));

/** Containers whose kinds of content cannot be distinguished by their first bytes. */
const containers: readonly (readonly string[])[] = [
  ['audio/mp4', 'video/mp4', 'audio/x-m4a', 'video/x-m4v', 'application/mp4'],
  ['audio/ogg', 'video/ogg', 'application/ogg'],
  ['audio/3gpp', 'video/3gpp', 'video/3gpp2', 'audio/3gpp2'],
  ['audio/mpeg', 'audio/mp3'],
  ['audio/wav', 'audio/x-wav', 'audio/vnd.wave'],
  ['image/jpeg', 'image/jpg'],
];

/** Whether a type is one of those, by itself or as content of the same container. */
function isAllowed(contentType: string, allowed: readonly string[]): boolean {
  const names = containers.find((container) => container.includes(contentType)) ?? [contentType];
  return allowed.some((pattern) =>
    names.some((name) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
}
