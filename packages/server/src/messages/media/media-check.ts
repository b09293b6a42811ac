import { type Dialer, type DialerResponse, isDialerError } from '@hilo/drivers';
import type { Channel, Clock } from '@hilo/engine/contract';
import { channelFacts, type MediaLimit, type MediaType } from '@hilo/nodes';
import { essenceOf, isAllowed, isPage, looksLikePage, typeOf } from '../../platform/content-type.ts';

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

const fits: MediaVerdict = { kind: 'fits' };
const asRefused = (code: 'INVALID_MEDIA_URL' | 'UNSUPPORTED_MEDIA_TYPE', message: string): MediaVerdict => ({
  kind: 'refused',
  code,
  message,
});

/** Types that say nothing about the content. */
const isGeneric = (declared: string): boolean =>
  declared === '' || declared === 'application/octet-stream' || declared === 'binary/octet-stream';
