import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A map that forgets what was used longest ago. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Longer than what callers without a credential are told apart by, such as an address: a longer key is kept as its digest. */
const longestKey = 128;

const shorten = (key: string): string =>
  key.length <= longestKey ? key : `${createHash('sha256').update(key).digest('hex')} ${key.length}`;

/**
 * A map that forgets what was used longest ago once it has more entries than that, however long their keys are: a client's id in a header
 * may have 12,000 characters. It grows with what it holds: with `max`, lru-cache makes the places of all entries at once, which takes 1 ms
 * for 10,000, and a service has several such maps.
 */
export function createBoundedMap<Value extends NonNullable<unknown>>(mostEntries: number): BoundedMap<Value> {
  const entries = new LRUCache<string, Value>({ maxSize: mostEntries, sizeCalculation: () => 1 });
  return {
    get: (key) => entries.get(shorten(key)),
    set: (key, value) => void entries.set(shorten(key), value),
    delete: (key) => void entries.delete(shorten(key)),
  };
}
