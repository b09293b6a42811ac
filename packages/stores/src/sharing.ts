import type { Leases } from '@hilo/engine/contract';
import { enqueue } from './statements/queue.ts';

/** What a store knows of the processes it is shared with. */
export interface Sharing {
  /** This process's number among them: 0 while it has not joined. */
  readonly me: () => number;
  /** @returns those of the lanes that are now this process's */
  readonly claimAll: (lanes: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Adds to the queue, and tells whoever has the lane. */
  readonly enqueue: typeof enqueue;
  readonly leases?: Leases;
}

/** A database that one process has to itself. */
export const unshared: Sharing = { me: () => 0, claimAll: async (lanes) => new Set(lanes), enqueue };
