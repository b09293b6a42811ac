import { hash, timingSafeEqual } from 'node:crypto';

/**
 * What is kept of an API key or a runtime token: SHA-256 in hexadecimal. They are random and long, so that nobody finds one
 * by trying.
 */
export const keyDigest = (key: string): string => hash('sha256', key);

/** Compares in a time that says nothing of where two digests differ. */
export const sameDigest = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** What is shown of a key, to recognise it by: never more than a quarter of it. */
export const keyPrefix = (key: string): string => key.slice(0, Math.min(8, Math.floor(key.length / 4)));

/** The same of a runtime token: what all of them begin with, up to its `rt_` (AUT-09, TOK-01). */
export const tokenPrefix = (token: string): string => /^[a-z]+_rt_/.exec(token)?.[0] ?? keyPrefix(token);
