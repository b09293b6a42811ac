import type { Clock } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** How long executions are kept after their end. */
const kept = { completedForMs: 30 * dayMs, failedForMs: 90 * dayMs };

/** Removes what need not be kept any longer, at once and then every hour, in the background. @returns ends it */
export function keepPruning(store: Pick<DurableStore, 'prune'>, clock: Clock, log: Logger): () => Promise<void> {
  let isStopped = false;
  let timer: unknown;
  let pruning: Promise<void>;
  const prune = async (): Promise<void> => {
    try {
      const removed = await store.prune({ nowMs: clock.now(), ...kept });
      if (removed.executions + removed.seen > 0) log.info({ ...removed }, 'Removed what need not be kept any longer');
    } catch (error) {
      log.warn({ error: String(error) }, 'Nothing could be removed; the next try is in an hour');
    }
    if (!isStopped) timer = clock.setTimeout(() => void (pruning = prune()), hourMs);
  };
  pruning = prune();
  return async () => {
    isStopped = true;
    clock.clearTimeout(timer);
    await pruning;
  };
}
