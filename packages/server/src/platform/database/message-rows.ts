import type { Generated } from 'kysely';

/** A message that was sent or received. */
export interface MessageRow {
  readonly company_id: string;
  readonly bot_id: string;
  readonly user_key: string;
  readonly user_id: string;
  readonly message_id: string;
  readonly direction: string;
  /** JSON. */
  readonly message: string;
  /** Unique in the company; null for an inbound message. */
  readonly idempotency_key: string | null;
  readonly status: string;
  readonly created_at_ms: number;
  readonly execution_id: string | null;
  readonly node_id: string | null;
  /** Of one that failed, or that no workflow took. */
  readonly cause: string | null;
}

export interface MessageTable extends MessageRow {
  /** In the order of acceptance. */
  readonly id: Generated<number>;
}
