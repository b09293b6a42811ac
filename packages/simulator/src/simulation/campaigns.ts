// The campaigns that reach the user of a simulation: a message within a day after the last one answers it, as in the service.
import { campaignReplyMs } from '@hilo/engine/contract';

/** Campaigns that have reached the user. */
export interface Campaigns {
  /** One reaches the user now. */
  reach(id: string): void;
  /** The one that a message of now answers; `undefined` where none does. */
  answered(): string | undefined;
}

/** No campaigns yet. */
export function createCampaigns(clock: { now(): number }): Campaigns {
  let last: { readonly id: string; readonly atMs: number } | undefined;
  return {
    reach(id) {
      last = { id, atMs: clock.now() };
    },
    answered: () => (last !== undefined && clock.now() - last.atMs < campaignReplyMs ? last.id : undefined),
  };
}
