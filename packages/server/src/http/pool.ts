/** How much of something is held, or may be. */
export interface Amount {
  readonly requests: number;
  readonly bytes: number;
}

/** Places for requests and their bytes, of which nobody gets so many that others get none. */
export interface Pool {
  /** Whether there is room for this much more of one holder; where there is, it is held from now on. */
  take(holder: string, more: Amount): boolean;
  give(holder: string, amount: Amount): void;
}

/**
 * A holder may have its share, and above it no more than is left for all others: one alone gets half, and whoever comes then
 * finds room (P23).
 *
 * @param share - of the whole that a holder may have however little is left: above 0, at most 1
 */
export function createPool(size: Amount, share: number): Pool {
  let total: Amount = nothing;
  const held = new Map<string, Amount>();
  const hasRoom = (name: keyof Amount, had: Amount, more: Amount): boolean => {
    const free = size[name] - total[name];
    return more[name] === 0 || (more[name] <= free && had[name] + more[name] <= Math.max(size[name] * share, free));
  };
  return {
    take(holder, more) {
      const had = held.get(holder) ?? nothing;
      if (!hasRoom('requests', had, more) || !hasRoom('bytes', had, more)) return false;
      held.set(holder, sum(had, more));
      total = sum(total, more);
      return true;
    },
    give(holder, amount) {
      const left = difference(held.get(holder) ?? nothing, amount);
      if (left.requests > 0) held.set(holder, left);
      else held.delete(holder);
      total = difference(total, amount);
    },
  };
}

const nothing: Amount = { requests: 0, bytes: 0 };

const sum = (a: Amount, b: Amount): Amount => ({ requests: a.requests + b.requests, bytes: a.bytes + b.bytes });
const difference = (a: Amount, b: Amount): Amount => ({ requests: a.requests - b.requests, bytes: a.bytes - b.bytes });
