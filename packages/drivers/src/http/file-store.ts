// What the HTTP driver needs of whoever keeps files: their bytes by a handle, and a handle for bytes that came as an answer.
import type { AbortSignal } from '@hilo/engine/contract';
import type { DialerResponse } from '../dialer/dialer.ts';

/** A file by its handle. */
export interface HandledFile {
  readonly content: Uint8Array;
  /** By its content. */
  readonly type: string;
  /** As its sender called it, where they did. */
  readonly name: string | undefined;
}

/** An answer that is to be kept as a file. */
export interface AnswerFile extends Pick<HandledFile, 'content' | 'name'> {
  readonly companyId: string;
  /** The same for each attempt of a call (P4): one call is one file. */
  readonly idempotencyKey: string;
  /** What the answer says that it is. */
  readonly contentType: string | undefined;
  /** Whose execution made the call, where it has a user. */
  readonly user?: { readonly botId: string; readonly userId: string } | undefined;
}

/** Keeps files of companies. */
export interface FileStore {
  /**
   * Reads a file, which is fetched when it is read first.
   *
   * @throws {DriverError} `BAD_URL` where the company has no such file, or its provider does not give it; `TOO_LARGE`
   */
  read(companyId: string, handle: string, signal: AbortSignal): Promise<HandledFile>;
  /** Keeps an answer, durably. @returns its handle */
  keepAnswer(file: AnswerFile): Promise<string>;
}

/** The largest answer that is kept as a file. */
export const maxAnswerBytes = 25 * 1024 * 1024;

/** The name that an answer gives its body, or else the end of its address. */
export function nameOfAnswer({ headers, url }: Pick<DialerResponse, 'headers' | 'url'>): string {
  const disposition = headers['content-disposition'] ?? '';
  const encoded = /;\s*filename\*=(?:utf-8)'[^';]*'([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? /;\s*filename=([^;\s"]+)/i.exec(disposition)?.[1];
  return (encoded === undefined ? plain : decode(encoded)) ?? nameInUrl(url);
}

/** The last segment of a URL's path. */
export function nameInUrl(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1)?.slice(-200) ?? '';
  return decode(last) || 'file';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // cut within a character, or never encoded
  }
}
