// Removes what is past its retention, in the background.
import type { Clock } from '@hilo/engine/contract';
import { pruneAudit } from '../audit/audit.ts';
import type { DurableStore } from '@hilo/stores';
import { selectAway } from '../platform/database/not-away.ts';
import { pruneJobs } from '../platform/jobs/prune-jobs.ts';
import { pruneCompanies } from './keep-days.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

interface KeepingSettings {
  readonly keepDays: number;
  readonly keepFailedDays: number;
  readonly keepAudit?: number | undefined;
  readonly historyOutbox?: string | undefined;
}

/**
 * Removes executions, jobs and the record of operators' acts past their retention, now and then every hour, in the background; with a
 * history outbox, only exported executions. A company that is about to leave keeps all of its own: the database would refuse a removal
 * together with those of all others.
 *
 * @param alsoPrune - what else is removed each time, each answering how much
 * @returns stops it
 */
export function keepPruning(
  store: Pick<DurableStore, 'prune' | 'runner'>,
  { keepDays, keepFailedDays, keepAudit = 400, historyOutbox }: KeepingSettings,
  clock: Clock,
  log: Logger,
  alsoPrune: readonly ((store: Pick<DurableStore, 'runner'>, nowMs: number) => Promise<number>)[] = [],
): () => Promise<void> {
  const onlyExported = historyOutbox !== undefined;
  const kept = { completedForMs: keepDays * dayMs, failedForMs: keepFailedDays * dayMs, onlyExported };
  const poller = createPoller({
    clock,
    log,
    everyMs: hourMs,
    async poll(nowMs) {
      const away = await store.runner.read(selectAway({}));
      const exceptCompanies = away.map(({ companyId }) => companyId);
      const removed = await store.prune({ nowMs, ...kept, exceptCompanies });
      const ofCompanies = await pruneCompanies(store, { nowMs, onlyExported, exceptCompanies });
      const acts = await pruneAudit(store, nowMs - keepAudit * dayMs);
      const jobs = await pruneJobs(store, nowMs - keepDays * dayMs);
      let others = 0;
      for (const pruneOne of alsoPrune) others += await pruneOne(store, nowMs);
      const executions = removed.executions + ofCompanies.executions;
      const { messages } = ofCompanies;
      if (executions + removed.seen + messages + acts + jobs + others > 0)
        log.info({ ...removed, executions, messages, acts, jobs, others }, 'Removed what need not be kept any longer');
    },
    failure: 'Not all that need not be kept could be removed',
  });
  poller.start();
  poller.wake(clock.now());
  return poller.stop;
}
