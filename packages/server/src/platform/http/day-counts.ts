// What networks send in a day, counted in this process: bounds by the second leave room for a day's worth of everything (P22).
import type { Clock } from '@hilo/engine/contract';
import { createBoundedMap } from '../bounded-map.ts';
import { findNetworks } from './socket-address.ts';

/** Counts what networks send in a day. */
export interface DayCounts {
  /**
   * Counts an amount for the networks of an address.
   *
   * @returns 0, or how long it takes until there is room for it: then nothing is counted
   */
  take(address: string, amount: number): number;
}

const dayMs = 86_400_000;

/** More networks than this send in a day only where somebody makes them up: the oldest are forgotten. */
const maxNetworks = 10_000;

/** @param limitADay - for one client; wider networks, which have many, have several times as much */
export function createDayCounts({ now }: Pick<Clock, 'now'>, limitADay: number): DayCounts {
  const counts = createBoundedMap<{ readonly sinceMs: number; readonly amount: number }>(maxNetworks);
  return {
    take(address, amount) {
      const nowMs = now();
      const next = findNetworks(address).map(({ network, clients }) => {
        const known = counts.get(network);
        const isFresh = known !== undefined && nowMs - known.sinceMs < dayMs;
        const sinceMs = isFresh ? known.sinceMs : nowMs;
        return { network, limit: limitADay * clients, sinceMs, amount: (isFresh ? known.amount : 0) + amount };
      });
      const full = next.filter(({ limit, amount: counted }) => counted > limit);
      if (full.length > 0) return Math.max(...full.map(({ sinceMs }) => sinceMs)) + dayMs - nowMs;
      for (const { network, sinceMs, amount: counted } of next) counts.set(network, { sinceMs, amount: counted });
      return 0;
    },
  };
}
