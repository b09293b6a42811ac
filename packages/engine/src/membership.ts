import type { LeaseListener, Leases } from './contract/store.ts';
import type { LaneOwnership } from './lanes.ts';

/** This process among those that share a store. It joins when it first works in a lane. */
export interface Membership extends LaneOwnership {
  join(): Promise<void>;
  leave(): Promise<void>;
}

/** @param work - what the process does when it is told of a lane, or gets one that another left */
export function createMembership(leases: Leases, work: LeaseListener & Pick<LaneOwnership, 'takeUp'>): Membership {
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
    takeUp: work.takeUp,
  };
}
