import { statementsOver } from '@hilo/stores';
import type { Generated } from 'kysely';
import type { ServiceTables } from '../platform/database/rows.ts';

type PaymentTables = {
  readonly payments: PaymentTable;
  readonly payment_events: PaymentEventRow;
  readonly payment_tests: PaymentTestsRow;
};

/** How a payment stands: it was asked for, it may be paid, or the provider said more. */
export const paymentStatuses = ['requested', 'open', 'pending', 'approved', 'rejected', 'expired'] as const;

export type PaymentTable = {
  /** In the order in which they were asked for. */
  readonly id: Generated<number>;
  readonly company_id: string;
  /** Random, and unique among all companies: the address of a test's page is made of it. */
  readonly payment_id: string;
  /** The idempotency key of the effect that asks for it (P4). */
  readonly effect_key: string;
  readonly workflow_id: string;
  readonly node_id: string;
  readonly execution_id: string;
  /** `test`, or the kind of the credential. */
  readonly provider: string;
  readonly credential_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** One of {@link paymentStatuses}. */
  readonly status: string;
  /** The provider's own name for the checkout; null until there is one. */
  readonly reference: string | null;
  readonly url: string | null;
  readonly created_at_ms: number;
  /** Until when the execution waits, or about so. */
  readonly expires_at_ms: number;
  /** When the provider said how it stands. */
  readonly changed_at_ms: number | null;
  /** When the execution is to be told; null where it knows, or nobody waits. */
  readonly tell_at_ms: number | null;
  /** Whether the execution went on by it: `in-time` or `late`; null until it was told. */
  readonly heard: string | null;
};

/** What a provider said, once for each of its events (P10). */
type PaymentEventRow = {
  readonly company_id: string;
  /** The credential that signed it; empty for a test. */
  readonly source: string;
  readonly event_key: string;
  readonly payment_id: string;
  readonly status: string;
  readonly at_ms: number;
};

type PaymentTestsRow = {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly node_key: string;
  readonly number: number;
};

/** Defines a statement over these tables, beside the service's others. */
export const statement = statementsOver<ServiceTables & PaymentTables>();
