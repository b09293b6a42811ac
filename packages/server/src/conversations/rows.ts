import { statementsOver } from '@hilo/stores';
import { type Generated, type RawBuilder, sql } from 'kysely';
import type { ServiceTables } from '../platform/database/rows.ts';

/** What the life of conversations adds to the service's tables. */
type ConversationTables = {
  readonly conversations: LivingConversation;
  readonly operator_groups: OperatorGroup;
  readonly operator_texts: OperatorText;
  readonly conversation_days: ConversationDay;
};

type LivingConversation = {
  /** Since when the user waits for the operator's answer; null while nobody waits. */
  readonly waiting_since_ms: Generated<number | null>;
  /** After how long without a message it expires; null for never. */
  readonly idle_ms: Generated<number | null>;
  /** When it expires; null where it does not, or has ended. */
  readonly due_at_ms: Generated<number | null>;
  /** What workflows wait for: the id of the first conversation of the case, whoever it is transferred to. */
  readonly wait_key: Generated<string | null>;
  /** The execution that handed the user over, which waits or will. */
  readonly execution_id: Generated<string | null>;
  /** When the execution is to be told of the end; null where nobody waits for it, or was told. */
  readonly tell_at_ms: Generated<number | null>;
  /** Names bot and user while it is active, so that they have one at a time; null for one of a workspace that did not go on. */
  readonly active_key: Generated<string | null>;
};

/** Texts of an operator that leave together (GRP-01). */
type OperatorGroup = {
  readonly company_id: string;
  readonly conversation_id: string;
  readonly due_at_ms: number;
  /** 1 once nothing more is added. */
  readonly is_leaving: number;
  /** How many parts of the joined text were accepted to be sent. */
  readonly parts_sent: number;
};

type OperatorText = {
  /** In the order of writing. */
  readonly id: Generated<number>;
  readonly company_id: string;
  readonly conversation_id: string;
  readonly text: string;
};

/** How many conversations began on a day (UTC). An empty text, and the operator 0, mean any; the operator -1 means nobody. */
type ConversationDay = {
  readonly company_id: string;
  readonly bot_id: string;
  readonly operator_id: number;
  readonly state: string;
  /** Days since 1970. */
  readonly day: number;
  readonly number: number;
};

/** Defines a statement over these tables, beside the service's others. */
export const statement = statementsOver<ServiceTables & ConversationTables>();

/** `active`, written out: only so do the databases take the index of those rows. */
export const active: RawBuilder<string> = sql.lit('active');
