import type { Headers } from './request-headers.ts';

/** What one request was answered. */
export interface Answer {
  readonly status: number;
  /** Names in small letters; what came several times is joined by ", ", but where only one can be meant: that is the first. */
  readonly headers: Headers;
  readonly body: Uint8Array;
}
