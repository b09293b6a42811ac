import { getPath, isJsonObject, type Json } from '@hilo/engine/contract';
import type { ChannelEvent, Received } from './channel-adapter.ts';

/** A part of a delivery that cannot be processed: it is counted and reported to operators, and the rest of the delivery is processed. */
export interface LeftOut {
  readonly kind: 'leftOut';
  /** What it is and lacks, in fixed words: these are logged, so they hold nothing of a user. */
  readonly what: string;
}

/** Leaves a part of a delivery out, for a reason in fixed words. */
export const leftOut = (what: string): LeftOut => ({ kind: 'leftOut', what });

/**
 * The entries of the list of a name that are no objects: none can be read.
 *
 * @param what - what an entry should be, in one word
 */
export function leftOutOfList(value: Json | undefined, name: string, what: string): readonly LeftOut[] {
  const list = getPath(value, [name]);
  const unreadable = Array.isArray(list) ? (list as readonly Json[]).filter((entry) => !isJsonObject(entry)) : [];
  return unreadable.map(() => leftOut(`${what} that is no object`));
}

/** The events of a delivery, in their order, with the number of parts that were left out for each reason. */
export function collectParts(parts: readonly (ChannelEvent | LeftOut)[]): Extract<Received, { readonly kind: 'events' }> {
  const events: ChannelEvent[] = [];
  const counts: Record<string, number> = {};
  for (const part of parts) {
    if (part.kind === 'leftOut') counts[part.what] = (counts[part.what] ?? 0) + 1;
    else events.push(part);
  }
  return { kind: 'events', events, ...(events.length < parts.length && { leftOut: counts }) };
}
