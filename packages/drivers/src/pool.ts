/** Work that ran into a bound: something for a counter, and for the operator's log. */
export interface LimitReached {
  /** Which bound, such as `function-places`. */
  readonly limit: string;
  /** Who ran into it: a company, or an address. */
  readonly holder: string;
  /** Without a secret, and without what a tenant wrote. */
  readonly message: string;
  readonly functionId?: string;
}

/** Called for each one; the receiver counts them all and logs a sample. */
export type OnLimit = (reached: LimitReached) => void;

/** How much of each thing is held, or may be: places, requests, bytes. */
export type Amounts<Name extends string> = { readonly [Thing in Name]: number };

/** Capacity that many holders (companies, addresses) share, of which no holder gets so much that others get none (P23). */
export interface Pool<Name extends string> {
  /** Takes this much more for a holder, of every thing that is named or of none. @returns whether there was room */
  take(holder: string, more: Partial<Amounts<Name>>): boolean;
  give(holder: string, amounts: Partial<Amounts<Name>>): void;
  /** What all holders have together. */
  used(): Amounts<Name>;
}

/**
 * A holder may have its share, and above it no more than is left for all others: one alone gets half, so that the next holder finds room.
 *
 * @param size - the total, for each resource
 * @param share - the share of the total that a holder may have however little is left: above 0, at most 1
 */
export function createPool<Name extends string>(size: Amounts<Name>, share: number): Pool<Name> {
  const things = Object.keys(size) as Name[];
  const nothing = Object.fromEntries(things.map((thing) => [thing, 0])) as Record<Name, number>;
  const total = { ...nothing };
  const held = new Map<string, Record<Name, number>>();

  const hasRoom = (had: Amounts<Name>, more: Partial<Amounts<Name>>): boolean => {
    for (const thing of things) {
      const added = more[thing] ?? 0;
      const free = size[thing] - total[thing];
      if (added !== 0 && (added > free || had[thing] + added > Math.max(size[thing] * share, free))) return false;
    }
    return true;
  };
  const add = (had: Record<Name, number>, amounts: Partial<Amounts<Name>>, sign: 1 | -1): void => {
    for (const thing of things) {
      const amount = sign * (amounts[thing] ?? 0);
      had[thing] += amount;
      total[thing] += amount;
    }
  };

  return {
    take(holder, more) {
      const had = held.get(holder) ?? { ...nothing };
      if (!hasRoom(had, more)) return false;
      held.set(holder, had);
      add(had, more, 1);
      return true;
    },
    give(holder, amounts) {
      const had = held.get(holder) ?? { ...nothing };
      add(had, amounts, -1);
      if (things.every((thing) => had[thing] <= 0)) held.delete(holder);
    },
    used: () => ({ ...total }),
  };
}
