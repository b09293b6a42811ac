// The rows of all tables of the service, and how statements over them are defined.
import {
  companyQueriesOver,
  type CompanyRows,
  companyStatementsOver,
  encodeText,
  queriesOver,
  type RowOf,
  statementsOver,
  type Tables,
} from '@hilo/stores';
import type { Generated } from 'kysely';
import type { tables } from '../tables/all.ts';

/**
 * Rows of the service, beside the engine's own in one database. Every table but the revision's is scoped by the company. Instants are
 * milliseconds since the Unix epoch; `…_key` columns hold what `encodeKey` of `@hilo/stores` returns; columns marked JSON hold it as text.
 */
type OwnTables = {
  readonly service_revision: RevisionRow;
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
  readonly conversation_days: ConversationDay;
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

/** A session of an operator that was ended before its time. */
interface EndedSessionRow {
  readonly session_id: string;
  /** When the session would have ended by itself: the row may go then. */
  readonly until_ms: number;
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
  ConversationTables & {
    readonly ended_sessions: EndedSessionRow;
    readonly accounts: AccountRow;
    readonly login_links: LoginLinkRow;
    readonly company_moves: CompanyMoveRow;
    readonly company_move_rows: CompanyMoveLineRow;
    readonly number_cursors: NumberCursorRow;
    /** One row, written to find out whether the store writes. */
    readonly probe: { readonly id: number; readonly number: number };
  };

/** Defines a statement over the service's tables, beside the store's own. */
export const statement = statementsOver<ServiceTables>();

/** Defines one whose rows are one company's: most are. */
export const ofCompany = companyStatementsOver<ServiceTables>();

/** Defines one over the rows of one company whose values are encoded and whose rows are decoded by columns. */
export const companyQuery = companyQueriesOver<ServiceTables>();

/** The same over the rows of all companies. */
export const query = queriesOver<ServiceTables>();

/** Writes statements over the rows of one company. */
export type CompanyDatabase = CompanyRows<Tables & ServiceTables>;

/** Writes statements over them. */
export type Database = Parameters<Parameters<ReturnType<typeof statement>>[0]>[0];

/** A workflow by its key, as columns hold it. */
export type WorkflowKey = { readonly companyId: string; readonly workflowId: string };

/** Encodes the ids of a workflow for its columns. */
export const encodeWorkflow = (companyId: string, workflowId: string): WorkflowKey => ({
  companyId: encodeText(companyId),
  workflowId: encodeText(workflowId),
});
