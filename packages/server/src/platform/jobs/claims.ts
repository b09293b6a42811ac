// Claims: of the processes that share a store, one works on a row at a time. A process renews its claim for as long as it works; the claim of
// one that died runs out, and another goes on where it stopped.
import { setMaxListeners } from 'node:events';
import type { Clock } from '@hilo/engine/contract';
import { type Call, companyQueriesOver, type DurableStore, hasOthers, integer, plain, type Runner, text } from '@hilo/stores';
import type { Logger } from '../logging/logger.ts';
import { pause } from '../waiting.ts';

/** Tables whose rows are claimed. */
export type ClaimedTable = 'campaigns' | 'jobs' | 'event_subscriptions';

/** The columns of a claim. */
type ClaimedRow = {
  readonly company_id: string;
  readonly id: string;
  readonly claimed_by: string | null;
  readonly claimed_until_ms: number | null;
};

/** A row, and the process that claims it. */
export interface Claim {
  readonly companyId: string;
  readonly id: string;
  readonly owner: string;
}

/** The columns of a claim beside its company. */
export const claimColumns = { id: text(), owner: plain() };

const companyQuery = companyQueriesOver<{ readonly [Table in ClaimedTable]: ClaimedRow }>();

/** How long the claim of an unresponsive process keeps a row from the others. */
export const claimMs = 30_000;

/** Drops the claims that a process finds at its start: where no other shares the store, each is of one that has died. */
export async function dropClaimsOfDead(
  { runner, durability }: Pick<DurableStore, 'durability'> & { readonly runner: Pick<Runner, 'write'> },
  drop: Call,
): Promise<void> {
  if (!hasOthers({ durability })) await runner.write([drop]);
}

const renewal = (table: ClaimedTable) =>
  companyQuery({ ...claimColumns, untilMs: integer() }, {}, (company, given) =>
    company
      .updateTable(table)
      .set({ claimed_until_ms: given.untilMs })
      .where('id', '=', given.id)
      .where('claimed_by', '=', given.owner)
      .returning('id'),
  );

/** What renews a claim of each table. */
export const renewals = { campaigns: renewal('campaigns'), jobs: renewal('jobs'), event_subscriptions: renewal('event_subscriptions') };

const giving = (table: ClaimedTable) =>
  companyQuery(claimColumns, {}, (company, given) =>
    company
      .updateTable(table)
      .set({ claimed_by: null, claimed_until_ms: null })
      .where('id', '=', given.id)
      .where('claimed_by', '=', given.owner),
  );

const givings = { campaigns: giving('campaigns'), jobs: giving('jobs'), event_subscriptions: giving('event_subscriptions') };

/** Gives a row back before the work on it has ended. */
export const giveBack = (table: ClaimedTable, claim: Claim) => givings[table](claim);

/** A claim that this process holds. */
export interface HeldClaim {
  /** Aborted when the process stops, or another process has claimed the row. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Renews a claim for as long as the work lasts. */
export function holdClaim(
  table: ClaimedTable,
  claim: Claim,
  { runner, clock, log }: { readonly runner: Runner; readonly clock: Clock; readonly log: Pick<Logger, 'warn'> },
  stopping: AbortSignal,
): HeldClaim {
  const lost = new AbortController();
  const over = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      const renewed = await runner.writeOne(renewals[table]({ ...claim, untilMs: clock.now() + claimMs }));
      if (renewed === undefined) lost.abort();
    } catch (error) {
      log.warn({ [table]: claim.id, error: String(error) }, 'A claim could not be renewed; the next try is soon');
    }
  };
  const keepRenewing = async (): Promise<void> => {
    for (;;) {
      await pause(clock, claimMs / 3, over.signal);
      if (over.signal.aborted) return;
      await renew();
      if (lost.signal.aborted) return;
    }
  };
  void keepRenewing();
  const signal = AbortSignal.any([stopping, lost.signal]);
  setMaxListeners(0, signal); // every piece of work under way listens
  return {
    signal,
    end: () => over.abort(),
  };
}
