// Tells executions how their payments ended.
import type { Engine } from '@hilo/engine';
import type { Clock, ExecutionStore } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller, type Poller } from '../platform/poller.ts';
import { reportAgainMs, reportEnd } from '../executions/executions.ts';
import { postponeNotification, selectPaymentsToReport } from './sql.ts';

interface NotifierParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly executions: Pick<ExecutionStore, 'load' | 'history'>;
  /** Signals waiting workflows. @returns the executions that continued */
  readonly signal: Engine['signal'];
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

const pollEveryMs = 1_000;

/**
 * Signals executions the state of their payments, until they have continued or stopped waiting: an approval that comes then is
 * late: it is stored and logged, and resumes nothing.
 */
export function createPaymentNotifier({ store: { runner }, executions, signal, clock, log }: NotifierParts): Poller {
  /** Whether an execution was resumed by this status, in any process. */
  const hasHeard = async (companyId: string, executionId: string, checkoutId: string, status: string): Promise<boolean> => {
    const history = await executions.history(companyId, executionId);
    return history.some(({ event }) => event.type === 'signal.received' && isAbout(event.payload, checkoutId, status));
  };

  /** @returns whether the execution was resumed or it is too late for it; `undefined` while it may still reach its wait */
  const signalPayment = async (companyId: string, executionId: string, checkoutId: string, status: string) => {
    const payload = { checkoutId, status };
    const heard = await reportEnd({ executions, signal }, { companyId, executionId, kind: 'payment', correlation: checkoutId, payload });
    if (heard !== 'over') return heard === undefined ? undefined : 'in-time';
    return (await hasHeard(companyId, executionId, checkoutId, status)) ? 'in-time' : 'late';
  };

  const notifyAll = async (nowMs: number): Promise<void> => {
    for (const { companyId, paymentId, executionId, status, changedAtMs } of await runner.read(selectPaymentsToReport({ nowMs }))) {
      let heard: 'in-time' | 'late' | undefined;
      try {
        heard = await signalPayment(companyId, executionId, paymentId, status);
      } catch (error) {
        log.warn({ companyId, executionId, error: String(error) }, 'A workflow could not be signalled the end of its payment');
      }
      if (heard === 'late' && status === 'approved')
        log.warn({ companyId, executionId, checkoutId: paymentId }, 'A payment was approved after its wait had ended');
      const tellAtMs = heard === undefined ? (reportAgainMs(nowMs, changedAtMs ?? null) ?? undefined) : undefined;
      await runner.write([postponeNotification({ companyId, paymentId, status, tellAtMs, heard })]);
    }
  };

  return createPoller({
    clock,
    log,
    everyMs: pollEveryMs,
    poll: notifyAll,
    failure: 'The payments to report could not be read or noted',
  });
}

function isAbout(payload: unknown, checkoutId: string, status: string): boolean {
  if (typeof payload !== 'object' || payload === null) return false;
  return 'checkoutId' in payload && payload.checkoutId === checkoutId && 'status' in payload && payload.status === status;
}
