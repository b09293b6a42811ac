// The list of what is looked for after each run of a cluster.
import { acceptedIsKept } from './accepted-is-kept.ts';
import { conservation } from './conservation.ts';
import { effectsOnce } from './effects-once.ts';
import { liveness, ownFaults } from './liveness.ts';
import { oneWinner } from './one-winner.ts';
import type { Oracle } from '../evidence.ts';
import { order } from './order.ts';
import { pinned } from './pinned.ts';
import { timers } from './timers.ts';

/** Everything that is looked for after each run. */
export const oracles = {
  acceptedIsKept,
  effectsOnce,
  oneWinner,
  order,
  timers,
  pinned,
  conservation,
  ownFaults,
  liveness,
} satisfies { readonly [name: string]: Oracle };

export type OracleName = keyof typeof oracles;
