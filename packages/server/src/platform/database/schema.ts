import { encodeText, type RowOf, statementsOver } from '@hilo/stores';
import type { Generated } from 'kysely';
import type { tables } from '../tables/all.ts';
import type { DeliveryState } from '../tables/events.ts';

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
  /** Set when it failed, or no workflow accepted it. */
  readonly cause: string | null;
}

export interface MessageTable extends MessageRow {
  /** In the order of acceptance. */
  readonly id: Generated<number>;
}

/**
 * Rows of the service, beside the engine's own in one database. Every table but the revision's is scoped by the company. Instants are
 * milliseconds since the Unix epoch; `…_key` columns hold what `encodeKey` of `@hilo/stores` returns; columns marked JSON hold it as text.
 */
type OwnTables = {
  readonly service_revision: RevisionRow;
  readonly messages: MessageTable;
};

/** The rows of tables that are values. */
type ValueTables = { readonly [Each in (typeof tables)[number] as Each['name']]: RowOf<Each['columns']> };

/** One row. Its number grows with each change of what every process keeps in memory. */
type RevisionRow = {
  readonly id: number;
  readonly number: number;
};

/** What the life of conversations adds to the service's tables. */
type ConversationTables = {
  readonly operator_groups: OperatorGroup;
  readonly operator_texts: OperatorText;
  readonly conversation_days: ConversationDay;
};

/** Texts of an operator that leave together (GRP-01). */
type OperatorGroup = {
  readonly company_id: string;
  readonly conversation_id: string;
  readonly due_at_ms: number;
  /** 1 once nothing more is added. */
  readonly is_leaving: number;
  /** Distinguishes it from the group that follows in the same conversation; null until it is sent. */
  readonly leaving_id: Generated<string | null>;
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

/** How many conversations began on a day (UTC). An empty text, and the operator 0, mean any; the operator -1 means none. */
type ConversationDay = {
  readonly company_id: string;
  readonly bot_id: string;
  readonly operator_id: number;
  readonly state: string;
  /** Days since 1970. */
  readonly day: number;
  readonly number: number;
};

/** Tables of outgoing messages. Texts are encoded by `encodeText` and `encodeKey` of `@hilo/stores`. */
type OutboxTables = {
  readonly outbox: OutboxRow;
};

/** A message that is not sent yet. Its row is removed when it was sent or finally failed. */
type OutboxRow = {
  /** In the order of acceptance. */
  readonly id: Generated<number>;
  readonly company_id: string;
  readonly bot_id: string;
  readonly user_key: string;
  /** The key of its row in `messages`. */
  readonly idempotency_key: string;
  readonly attempts: number;
  /** When it may be claimed: after another claim expires, or after a pause between tries. */
  readonly due_at_ms: number;
  /** The process that holds the claim, or held it when it died. */
  readonly claimed_by: string | null;
  /** Whether a claim of another process has expired: that process may have sent the message. */
  readonly was_interrupted: Generated<number>;
};

/** When a message of the outbox is due that waits for the end of a takeover: later than any instant. Others of its lane pass it. */
export const heldMs = 8_640_000_000_000_000;

/** An admin token, or a user of the service. Of the service and of no company. */
export interface AccountRow {
  readonly id: string;
  /** `token` or `user`. */
  readonly kind: string;
  readonly name: string;
  /** JSON. */
  readonly roles: string;
  /** JSON: a list of ids, or "all". */
  readonly companies: string;
  readonly prefix: string | null;
  /** SHA-256 of a token. */
  readonly hash: string | null;
  readonly created_at_ms: number;
  readonly last_used_at_ms: number | null;
  readonly revoked_at_ms: number | null;
}

/** A link that logs a user in, by the hash of its code. */
interface LoginLinkRow {
  readonly hash: string;
  readonly account_id: string;
  readonly until_ms: number;
}

/** A payment that an execution requested. */
export type PaymentTable = {
  /** Ascending in the order of requests. */
  readonly id: Generated<number>;
  readonly company_id: string;
  /** Random and unique across companies: part of the address of a test's page. */
  readonly payment_id: string;
  /** The idempotency key of the effect that requested it (P4). */
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
  /** `requested`, `open`, `pending`, `approved`, `rejected` or `expired`. */
  readonly status: string;
  /** The provider's own name for the checkout; null until there is one. */
  readonly reference: string | null;
  readonly url: string | null;
  readonly created_at_ms: number;
  /** Until when the execution waits, or about so. */
  readonly expires_at_ms: number;
  /** When the provider last reported its status. */
  readonly changed_at_ms: number | null;
  /** When the execution is to be signalled; null when it was, or none waits. */
  readonly tell_at_ms: number | null;
  /** Whether the execution was resumed by it: `in-time` or `late`; null until it was signalled. */
  readonly heard: string | null;
};

/** A session of an operator that was ended before its time. */
interface EndedSessionRow {
  readonly session_id: string;
  /** When the session would have ended by itself: the row may go then. */
  readonly until_ms: number;
}

/** Its rows. */
interface PrunedRow {
  readonly company_id: string;
  readonly status: string;
  readonly number: number;
}

/** A draft as its author saved it last. */
interface DraftRevisionRow {
  readonly company_id: string;
  readonly workflow_id: string;
  /** Grows by one with each save. */
  readonly revision: number;
  /** Hash of the content; when the engine's draft has another hash, something without positions replaced it, such as an import. */
  readonly hash: string;
  /** JSON. */
  readonly canvas: string;
  readonly saved_at_ms: number;
  readonly saved_by: string;
}

interface TranscriptRow {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly name: string;
  readonly content: string;
  readonly updated_at_ms: number;
}

interface VersionNoteRow {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly version: number;
  readonly note: string;
  readonly published_by: string;
}

interface ArchivedWorkflowRow {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly archived_at_ms: number;
}

type AuthoringTables = {
  readonly archived_workflows: ArchivedWorkflowRow;
  readonly draft_revisions: DraftRevisionRow;
  readonly transcripts: TranscriptRow;
  readonly version_notes: VersionNoteRow;
};

/** A file that a visitor of a chat sent. */
interface ChatFileRow {
  /** Random: the address is the permission to read the file. */
  readonly file_id: string;
  readonly company_id: string;
  readonly bot_id: string;
  readonly user_key: string;
  /** The browser's own id of the message: the same one again is the same file. */
  readonly message_id: string;
  readonly content_type: string;
  readonly filename: string | null;
  /** In base64. */
  readonly content: string;
  readonly bytes: number;
  readonly created_at_ms: number;
}

/** What an operator did: one row before it, and one after it. Rows are added, and removed by retention alone. */
export interface AuditRow {
  /** In the order of writing. */
  readonly id: Generated<number>;
  /** Empty for what is of no company, or of several. */
  readonly company_id: string;
  readonly at_ms: number;
  readonly request_id: string;
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  readonly object_kind: string | null;
  readonly object_id: string | null;
  /** JSON. */
  readonly before: string | null;
  /** JSON. */
  readonly after: string | null;
  /** `asked`, or the status of the answer. */
  readonly outcome: string;
}

/** A company that came from another store, is leaving or has left. */
interface CompanyMoveRow {
  readonly company_id: string;
  /** Random: the file of a move has it, so that a repeated import is recognised. */
  readonly move_id: string;
  /** Which move of the company it is, counted from 1 wherever it was: an earlier file is refused. */
  readonly number: number;
  /**
   * `closing`: takes nothing new. `fenced`: the database takes nothing of it. `packing`: only inside the transaction in which its rows move.
   * `left`: its rows can be exported. `here`: it is served here. `gone`: its rows were removed.
   */
  readonly state: string;
  /** Once it has left. */
  readonly rows_moved: number | null;
  /** Where it is now. */
  readonly cell: string | null;
  readonly url: string | null;
}

/** A row that left, or that has arrived and is not visible yet. */
interface CompanyMoveLineRow {
  /** In the order of the file. */
  readonly id: Generated<number>;
  /** Which rows belong together: those of one file. */
  readonly stage: string;
  readonly company_id: string;
  /** Its table. */
  readonly kind: string;
  /** The number that it, or the row that it belongs to, had in its table. */
  readonly number: number | null;
  /** JSON: its columns. */
  readonly line: string;
}

/** An event for one of those who are told: written in the transaction of what it tells. */
interface EventDeliveryTable {
  /** In the order in which they were written. */
  readonly seq: Generated<number>;
  readonly company_id: string;
  readonly subscription_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly at_ms: number;
  /** The key of the person whom it is about, or of the thing: events with one key are sent one after the other. */
  readonly subject_key: string;
  /** JSON. */
  readonly data: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Not tried before; 0 is at once. */
  readonly due_at_ms: number;
  /** When the time began in which it is tried. */
  readonly since_ms: number;
  readonly ended_at_ms: number | null;
  /** JSON: how the last attempt ended. */
  readonly answer: string | null;
}

/** How far histories are counted: the last rows of executions, and of later records. */
interface NumberCursorRow {
  readonly name: string;
  readonly begun: number;
  readonly advanced: number;
  readonly at_ms: number;
}

/** Every table of the service. */
export type ServiceTables = ValueTables &
  OwnTables &
  ConversationTables &
  OutboxTables &
  AuthoringTables & {
    readonly payments: PaymentTable;
    readonly ended_sessions: EndedSessionRow;
    readonly accounts: AccountRow;
    readonly login_links: LoginLinkRow;
    readonly pruned_executions: PrunedRow;
    readonly chat_files: ChatFileRow;
    readonly audit: AuditRow;
    readonly event_deliveries: EventDeliveryTable;
    readonly company_moves: CompanyMoveRow;
    readonly company_move_rows: CompanyMoveLineRow;
    readonly number_cursors: NumberCursorRow;
    /** One row, written to find out whether the store writes. */
    readonly probe: { readonly id: number; readonly number: number };
  };

/** Defines a statement over the service's tables, beside the store's own. */
export const statement = statementsOver<ServiceTables>();

/** Writes statements over them. */
export type Database = Parameters<Parameters<ReturnType<typeof statement>>[0]>[0];

/** A workflow by its key, as columns hold it. */
export type WorkflowKey = { readonly companyId: string; readonly workflowId: string };

/** Encodes the ids of a workflow for its columns. */
export const encodeWorkflow = (companyId: string, workflowId: string): WorkflowKey => ({
  companyId: encodeText(companyId),
  workflowId: encodeText(workflowId),
});

/** The value of `active_key`, from bot and user as columns hold them: two conversations that are active at once never have the same. */
export const formatActiveKey = ({
  companyId,
  botId,
  userKey,
}: {
  readonly companyId: string;
  readonly botId: string;
  readonly userKey: string;
}): string => JSON.stringify([companyId, botId, userKey]);
