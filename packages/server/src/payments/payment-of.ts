import { read } from '@hilo/stores';
import type { Selectable } from 'kysely';
import type { Payment } from './payments.ts';
import { type PaymentTable, paymentStatuses } from './rows.ts';

/** A row of payments as statements give it: what is not for others to see is left out. */
export type PaymentColumns = Omit<Selectable<PaymentTable>, 'effect_key' | 'tell_at_ms'>;

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
