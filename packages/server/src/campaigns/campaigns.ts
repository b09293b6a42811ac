// Sends the campaigns that are due, one claim at a time.
import type { Clock, Random } from '@hilo/engine/contract';
import { asCondition, type DurableStore } from '@hilo/stores';
import type { Deliver, Paces } from '../messages/messages.ts';
import { tellingEnd, tellingStart } from './campaign-events.ts';
import { type Claim, claimMs, dropClaimsOfDead, giveBack, holdClaim } from '../platform/jobs/claims.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import { sendCampaign } from './send-campaign.ts';
import { anyDue, claim, complete, forgetClaims, type OpenCampaign, releaseDue, unclaimed } from './sql.ts';

interface RunnerParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions' | 'durability'>;
  readonly companies: Pick<LiveCompanies, 'botOf' | 'company' | 'template' | 'refresh'>;
  readonly deliver: Deliver;
  readonly paces: Pick<Paces, 'campaign' | 'campaignAtOnce'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Sends campaigns when they are due. */
export interface CampaignRunner {
  /** Begins to poll for due campaigns: a second from now, and then every second. */
  start(): Promise<void>;
  /** Sends no further message, waits for those under way, and leaves the rest to the next process. */
  stop(): Promise<void>;
}

/** How often the store is polled: a campaign starts within this time after it is due. */
const pollMs = 1_000;

/** Campaigns that one process sends at once. */
const maxAtOnce = 8;

/**
 * Moves due SCHEDULED campaigns through PENDING and IN_PROGRESS to COMPLETED (CAM-15). Each step is one conditional statement, so
 * that either a cancel or a start succeeds (P6), and one process of several sends. Work of a process that died is resumed by the next
 * process to start or, on a shared store, by another one.
 */
export function createCampaignRunner({ store, companies, deliver, paces, clock, random, log }: RunnerParts): CampaignRunner {
  const { runner, executions } = store;
  const owner = Buffer.from(random.bytes(16)).toString('hex');
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  const run = async (campaign: OpenCampaign): Promise<void> => {
    const mine: Claim = { companyId: campaign.companyId, id: campaign.id, owner };
    const lease = holdClaim('campaigns', mine, { runner, clock, log }, stopping.signal);
    try {
      await companies.refresh(); // another process may have just imported the bot and the template
      const parts = { runner, executions, companies, deliver, paces, clock, log };
      const isDone = await sendCampaign(parts, campaign, lease.signal);
      const ending = isDone
        ? tellingEnd(asCondition(complete({ ...mine, nowMs: clock.now() })), mine, 'COMPLETED', clock.now())
        : undefined;
      const isEnded = ending !== undefined && (await runner.write([ending])).failed === undefined;
      if (!isEnded) await runner.write([giveBack('campaigns', mine)]); // it was stopped, or paused: it has recipients left
    } catch (error) {
      log.warn({ campaignId: campaign.id, error: String(error) }, 'A campaign was interrupted; it continues where it stopped');
      await runner.write([giveBack('campaigns', mine)]).catch(() => undefined); // else its claim runs out
    } finally {
      lease.end();
    }
  };

  const startDue = async (nowMs: number): Promise<void> => {
    const isDue = (await runner.read(anyDue({ nowMs }))).length > 0;
    if (isDue) await runner.write([releaseDue({ nowMs })]);
    const limit = maxAtOnce - running.size;
    const found = limit === 0 ? [] : await runner.read(unclaimed({ nowMs, limit }));
    for (const { companyId, id } of found) {
      const name = JSON.stringify([companyId, id]);
      if (stopping.signal.aborted) return;
      if (running.has(name)) continue; // its claim expired while this process was suspended
      const claiming = asCondition(claim({ companyId, id, owner, nowMs, untilMs: clock.now() + claimMs }));
      const claimed = await runner.writeOne(tellingStart(claiming, { companyId, id }, nowMs));
      if (claimed !== undefined)
        running.set(
          name,
          run(claimed).finally(() => running.delete(name)),
        );
    }
  };
  const poller = createPoller({ clock, log, everyMs: pollMs, poll: startDue, failure: 'Due campaigns could not be started' });

  return {
    async start() {
      await dropClaimsOfDead(store, forgetClaims({}));
      poller.start();
    },
    async stop() {
      stopping.abort();
      await poller.stop();
      await Promise.all(running.values());
    },
  };
}
