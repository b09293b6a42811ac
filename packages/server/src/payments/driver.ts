// The driver of the node `payment`.
import { type BoundDriver, drive, type ExecutionStore } from '@hilo/engine/contract';
import { openCheckout } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import type { Payments } from './payments.ts';

interface PaymentDriverParts {
  readonly payments: Pick<Payments, 'open'>;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly canvases: Pick<DurableStore['canvases'], 'byHash'>;
}

/** Opens checkouts. The configuration is the node of the workflow that the execution is in now: a jump leads to another. */
export const createPaymentDriver = ({ payments, executions, canvases }: PaymentDriverParts): BoundDriver =>
  drive(openCheckout, async ({ timeoutMs, ...order }, { origin: { companyId }, executionId, nodeId, idempotencyKey, signal }) => {
    const record = await executions.load(companyId, executionId);
    const canvas = record === undefined ? undefined : await canvases.byHash(companyId, record.state.canvasHash);
    const workflowId = canvas?.id ?? record?.workflowId ?? '';
    return payments.open({ ...order, companyId, workflowId, nodeId, executionId }, { idempotencyKey, timeoutMs, signal });
  });
