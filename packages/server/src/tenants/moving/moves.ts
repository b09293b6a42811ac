// Moves of companies between databases, step by step.
import { type Arrivals, createArrivals } from './arrivals.ts';
import { createDepartures, type Departures } from './departures.ts';
import { createFence } from './fence.ts';
import { conflict, createMoveRecords, type Move, showMove } from './move-records.ts';
import { createRowMoves } from './move-sql.ts';
import type { MovingParts } from './moving-parts.ts';

/** Moves companies between stores, each while both services run. */
export interface CompanyMoves extends Departures, Arrivals {
  list(): Promise<readonly Move[]>;
}

interface MoveParts extends Omit<MovingParts, 'records' | 'rows' | 'refuseMoves'> {
  /** Why no company can leave or arrive; `undefined` where it can. */
  readonly refusal: string | undefined;
}

/** Moves over one store. Each step is one transaction, so that an interrupted move continues when its command is repeated. */
export function createMoves({ refusal, ...given }: MoveParts): CompanyMoves {
  const { database } = given.store.durability;
  const records = createMoveRecords(given.store);
  const parts: MovingParts = {
    ...given,
    records,
    rows: createRowMoves(database, given.tables),
    refuseMoves() {
      if (refusal !== undefined) throw conflict('MOVE_REFUSED', refusal);
    },
  };
  return {
    list: async () => (await records.all()).map(showMove),
    ...createDepartures(parts, createFence(database, given.tables)),
    ...createArrivals(parts),
  };
}
