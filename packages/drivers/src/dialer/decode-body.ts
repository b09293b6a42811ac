import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { DriverError } from '../driver-error.ts';
import { type Answer, tooLarge } from './exchange.ts';

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
} as const;

/** What the dialer can unpack, as a request says it. */
export const acceptEncoding = 'gzip, br';

/**
 * Unpacks an answer, its limit kept while it grows: a packed megabyte can hold a thousand. What is packed in a way that
 * nobody asked for, or more than once, stays as it came.
 *
 * @throws {DriverError} `TOO_LARGE`; `RESET` when it cannot be unpacked
 */
export async function decodeBody(answer: Answer, url: URL, maxBytes: number): Promise<Answer> {
  const { 'content-encoding': encoding = '', ...others } = answer.headers;
  const name = encoding.trim().toLowerCase();
  if (!isPacking(name) || answer.body.length === 0) return answer;
  const headers = Object.fromEntries(Object.entries(others).filter(([header]) => header !== 'content-length'));
  try {
    return { ...answer, headers, body: await unpackers[name](answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url, maxBytes);
    throw new DriverError('RESET', `The answer of ${url.host} is not the ${name} it says it is`, { wasSent: true, cause: error });
  }
}

const isPacking = (name: string): name is keyof typeof unpackers => Object.hasOwn(unpackers, name);
