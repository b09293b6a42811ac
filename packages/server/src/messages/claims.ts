import type { Clock } from '@hilo/engine/contract';
import { call, type Runner } from '@hilo/stores';
import { renewClaim } from './outbox-sql.ts';

/**
 * How long a claim holds that is not renewed: so soon is taken over what a process that died had in hand. It may have handed
 * that over, so that the next one tries again with the same key (P5).
 */
export const claimMs = 20_000;

/** The claims on what this process has in hand: they hold for as long as it lives and reaches the store. */
export interface Claims {
  /** Holds the claim on a row of the outbox while something is done with it. */
  during<Done>(id: number, work: () => Promise<Done>): Promise<Done>;
  /** Lets them hold from now on; to be called well within the time that a claim holds. */
  renew(): Promise<void>;
}

export function createClaims(runner: Runner, me: string, clock: Pick<Clock, 'now'>): Claims {
  const held = new Set<number>();

  return {
    async during(id, work) {
      held.add(id);
      try {
        return await work();
      } finally {
        held.delete(id);
      }
    },
    async renew() {
      if (held.size === 0) return;
      const untilMs = clock.now() + claimMs;
      const claims = [...held].map((id) => call(renewClaim, { id, me, untilMs }));
      await runner.write(claims);
    },
  };
}
