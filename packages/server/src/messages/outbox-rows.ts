import { statementsOver } from '@hilo/stores';
import type { Generated } from 'kysely';
import type { ServiceTables } from '../platform/database/rows.ts';

/** Rows of what is on its way out. Texts are as `written` and `keyOf` of `@hilo/stores` give them. */
export type OutboxTables = {
  readonly outbox: OutboxRow;
  readonly message_outcomes: OutcomeRow;
  readonly send_keys: SendKeyRow;
  /** As `conversations` describes it: texts of an operator that leave together. */
  readonly operator_groups: { readonly company_id: string; readonly conversation_id: string; readonly due_at_ms: number };
};

/** A message that its channel has not taken yet. Its row goes when it was taken or finally failed. */
type OutboxRow = {
  /** In the order of acceptance. */
  readonly id: Generated<number>;
  readonly company_id: string;
  readonly bot_id: string;
  readonly user_key: string;
  /** That of its row in `messages`. */
  readonly idempotency_key: string;
  readonly attempts: number;
  /** From when on it may be taken: behind a claim, or a pause before it is tried again. */
  readonly due_at_ms: number;
  /** Which process has it in hand, or had it when it died. */
  readonly claimed_by: string | null;
};

/** What became of a message that left by the outbox. */
type OutcomeRow = {
  readonly company_id: string;
  readonly bot_id: string;
  readonly message_id: string;
  /** Of one that failed. */
  readonly code: string | null;
  readonly explanation: string | null;
  readonly updated_at_ms: number;
};

/** An `Idempotency-Key` and what it was used for (MSG-43). */
type SendKeyRow = {
  readonly company_id: string;
  readonly bot_id: string;
  readonly send_key: string;
  /** Of the request: another one with the same key is refused. */
  readonly fingerprint: string;
  readonly message_id: string;
  readonly until_ms: number;
  /** Of a text that is gathered with others; null of a message, which has a name. */
  readonly leaves_at_ms: number | null;
};

/** Defines a statement over these tables, beside the service's others. */
export const statement = statementsOver<ServiceTables & OutboxTables>();
