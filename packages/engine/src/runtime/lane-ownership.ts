import type { LeaseListener, Leases } from '../contract/store.ts';
import type { LaneClaims } from './keyed-queue.ts';

/** This process among those that share a store. It joins when it first works in a lane. */
export interface LaneOwnership extends LaneClaims {
  join(): Promise<void>;
  leave(): Promise<void>;
}

/** @param work - what the process does when it is told of a lane, or gets one that another left */
export function createLaneOwnership(leases: Leases, work: LeaseListener & Pick<LaneClaims, 'recoverLane'>): LaneOwnership {
  let joined: Promise<() => Promise<void>> | undefined;

  const join = (): Promise<() => Promise<void>> => {
    joined ??= leases.join(work);
    joined.catch(() => (joined = undefined)); // the next call tries again
    return joined;
  };

  return {
    join: async () => void (await join()),
    async leave() {
      const leave = await joined;
      joined = undefined;
      await leave?.();
    },
    async claim(lane) {
      await join();
      return leases.claim(lane);
    },
    release: (lane) => leases.release(lane),
    recoverLane: work.recoverLane,
  };
}
