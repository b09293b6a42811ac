import { read } from '@hilo/stores';
import type { Payment } from './payments.ts';
import { paymentStatuses } from './rows.ts';

/** A row of payments as statements give it. */
export interface PaymentColumns {
  readonly id: number;
  readonly company_id: string;
  readonly payment_id: string;
  readonly workflow_id: string;
  readonly node_id: string;
  readonly execution_id: string;
  readonly provider: string;
  readonly credential_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly status: string;
  readonly reference: string | null;
  readonly url: string | null;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly changed_at_ms: number | null;
  readonly heard: string | null;
}

export function paymentOf(row: PaymentColumns, nowMs: number): Payment {
  const status = paymentStatuses.find((known) => known === row.status) ?? 'requested';
  const isOver = (status === 'requested' || status === 'open') && row.expires_at_ms <= nowMs;
  return {
    checkoutId: row.payment_id,
    workflowId: read(row.workflow_id),
    nodeId: read(row.node_id),
    executionId: row.execution_id,
    provider: row.provider,
    credentialId: row.credential_id === null ? null : read(row.credential_id),
    amount: row.amount,
    currency: row.currency,
    description: read(row.description),
    status: isOver ? 'expired' : status,
    isLate: row.heard === null ? null : row.heard === 'late',
    reference: row.reference === null ? null : read(row.reference),
    url: row.url,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    changedAtMs: row.changed_at_ms,
  };
}
