import { LRUCache } from 'lru-cache';

/**
 * A map that forgets what was used longest ago once it has more entries than that. It grows with what it holds: with `max`, lru-cache makes
 * the places of all entries at once, which takes 1 ms for 10,000, and a service has several such maps.
 */
export const createBoundedMap = <Value extends NonNullable<unknown>>(mostEntries: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: mostEntries, sizeCalculation: () => 1 });
