import { setMaxListeners } from 'node:events';
import type { Clock } from '@hilo/engine/contract';
import { call, type Runner } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { type Claim, renewClaim } from './sql.ts';

/** How long a process that is not heard of keeps a campaign from the others. */
export const claimMs = 30_000;

/** A campaign that this process sends. */
export interface HeldClaim {
  /** Aborted when the process stops, or the campaign is somebody else's. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Renews a claim for as long as the work lasts. */
export function holdClaim(
  claim: Claim,
  { runner, clock, log }: { readonly runner: Runner; readonly clock: Clock; readonly log: Logger },
  stopping: AbortSignal,
): HeldClaim {
  const lost = new AbortController();
  let timer: unknown;
  let isOver = false;
  const renew = async (): Promise<void> => {
    try {
      const renewed = await runner.writeOne(call(renewClaim, { ...claim, untilMs: clock.now() + claimMs }));
      if (renewed === undefined) lost.abort();
    } catch (error) {
      log.warn({ campaignId: claim.id, error: String(error) }, 'A claim on a campaign could not be renewed; the next try is soon');
    }
    if (!isOver && !lost.signal.aborted) renewLater();
  };
  const renewLater = (): void => {
    timer = clock.setTimeout(() => void renew(), claimMs / 3);
  };
  renewLater();
  const signal = AbortSignal.any([stopping, lost.signal]);
  setMaxListeners(0, signal); // every message on its way listens
  return {
    signal,
    end() {
      isOver = true;
      clock.clearTimeout(timer);
    },
  };
}
