// Reads instants of requests: those that can be written in an answer, and those that something is asked for.
import { instantMs } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { invalidFields } from './errors.ts';

/**
 * An instant with its zone, in the years that a `date-time` can have: at the end of 9999 west of Greenwich it is 10000 in UTC already.
 *
 * @param words - what is said of anything else
 * @param error - says it, where that depends on what was given
 */
export const ZonedInstant = (words: string, error: string | ((issue: { readonly input?: unknown }) => string) = words) =>
  z.iso.datetime({ offset: true, error, abort: true }).refine((text) => instantMs(text) !== undefined, words);

/** No further ahead: a year and a day, so that what was asked for by a mistake is noticed. */
const furthestMs = 366 * 86_400_000;

/** Reads the field `at` of a body, in milliseconds. @throws {HttpError} 422 where it is no instant */
export function readInstant(at: string): number {
  const atMs = instantMs(at);
  if (atMs === undefined) throw invalidFields({ at: ['at is an instant of ISO 8601 with a zone, such as 2031-03-01T09:00:00-05:00'] });
  return atMs;
}

/** Reads the field `at` of what is begun then. @throws {HttpError} 422 where it is no instant, or too far ahead */
export function readInstantAhead(at: string, nowMs: number): number {
  const atMs = readInstant(at);
  if (atMs - nowMs > furthestMs) throw invalidFields({ at: ['at is more than 366 days ahead'] });
  return atMs;
}
