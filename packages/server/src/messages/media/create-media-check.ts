import { type Dialer, DialerError, type DialerResponse } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { essenceOf, headBytes, isPage, judgeContent } from './judge-content.ts';
import type { MediaCheck, MediaFile, MediaVerdict } from './media-check.ts';

/** MED-02: for one request, and for all of them. */
const requestMs = 5_000;
const allMs = 10_000;
const maxRedirects = 3;

/** Asks for the file as it lies there: its size is that of the bytes that come. */
const asItIs = { accept: '*/*', 'accept-encoding': 'identity' };

/** What is wrong with a file, on its way out of the questions below. */
class Unfit extends Error {
  readonly verdict: MediaVerdict;
  constructor(code: Extract<MediaVerdict, { kind: 'refused' }>['code'], message: string) {
    super(message);
    this.verdict = { kind: 'refused', code, message };
  }
}

/**
 * Looks at files with a HEAD and a GET of their beginning, over https alone, each hop checked (MED-02, P30). A host that
 * will not tell the size is asked for the whole file, which is counted as it comes and not kept.
 */
export function createMediaCheck(dialer: Pick<Dialer, 'request'>, clock: Pick<Clock, 'now'>): MediaCheck {
  return async (file) => {
    try {
      return await look(dialer, file, clock);
    } catch (error) {
      if (error instanceof Unfit) return error.verdict;
      if (error instanceof DialerError)
        return { kind: 'refused', code: 'INVALID_MEDIA_URL', message: `The file cannot be fetched: ${error.message}` };
      throw error;
    }
  };
}

async function look(
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
      throw error instanceof DialerError && error.code === 'TOO_LARGE' ? tooLarge(maxBytes) : error;
    }
  };
  const checkSize = (sizeBytes: number | undefined): void => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge(maxBytes);
  };

  // Some hosts answer no HEAD: what they say to the GET counts.
  const head = await ask('HEAD', {});
  const announced = isFine(head.status) ? lengthOf(head) : undefined;
  if (isFine(head.status) && isPage(essenceOf(head.headers['content-type']))) return judgeContent(contentOf(head), type, limit);
  checkSize(announced);

  const beginning = await ask('GET', { range: `bytes=0-${headBytes - 1}` });
  if (!isFine(beginning.status))
    throw new Unfit(
      'INVALID_MEDIA_URL',
      `The host of the file answers ${beginning.status}: give an address that needs no sign-in and leads to the file`,
    );
  const verdict = await judgeContent(contentOf(beginning), type, limit);
  if (verdict.kind === 'refused' || beginning.status !== 206) return verdict; // a whole file was counted as it came
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

/** The whole of which a part came. */
const sizeOfRange = ({ headers }: DialerResponse): number | undefined =>
  wholeNumber(/^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]);

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
