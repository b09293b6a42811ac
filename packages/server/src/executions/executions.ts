import { type Clock, type ExecutionStore, type Json } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { z } from '@hono/zod-openapi';

/**
 * Whether an execution waits for the signal with this correlation value, or may still reach that wait: it is running, or its node is
 * about to be retried.
 */
export async function mightStillWait(
  executions: Pick<ExecutionStore, 'load'>,
  companyId: string,
  executionId: string,
  correlation: string,
): Promise<boolean> {
  const record = await executions.load(companyId, executionId);
  if (record === undefined) return false;
  const { status, wait } = record.state;
  return (
    status === 'running' ||
    status === 'quarantined' ||
    (status === 'waiting' && wait?.kind === 'retry') ||
    wait?.correlation?.value === correlation
  );
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

interface KeepingSettings {
  readonly keepDays: number;
  readonly keepFailedDays: number;
  readonly historyOutbox?: string | undefined;
}

/**
 * Removes executions past their retention, now and then every hour, in the background; with a history outbox, only exported ones.
 *
 * @returns stops it
 */
export function keepPruning(
  store: Pick<DurableStore, 'prune'>,
  { keepDays, keepFailedDays, historyOutbox }: KeepingSettings,
  clock: Clock,
  log: Logger,
): () => Promise<void> {
  const onlyExported = historyOutbox !== undefined;
  const kept = { completedForMs: keepDays * dayMs, failedForMs: keepFailedDays * dayMs, onlyExported };
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

/** A signal's fields besides its name. The payload is JSON, and validated by the engine. */
export const SignalBody = z.object(
  {
    correlation: z.string('correlation is a text: that of the waits it answers, or "" where they name none'),
    payload: z.custom<Json>().default(null),
  },
  'The signal is an object: { "correlation": "…", "payload": … }',
);

/** The executions that a signal resumed. */
export const Answered = z
  .object({ executionIds: z.array(z.string()).openapi({ description: 'The executions that waited for it and were resumed' }) })
  .openapi('SignalAnswered');
