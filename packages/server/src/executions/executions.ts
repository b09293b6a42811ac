import type { ExecutionStore, Json } from '@hilo/engine/contract';
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
