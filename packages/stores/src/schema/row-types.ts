import type { Generated } from 'kysely';

/** Rows as they are kept. Instants are milliseconds since the Unix epoch; JSON is text, in which every character survives. */
export interface Tables {
  readonly meta: Meta;
  readonly executions: Executions;
  readonly histories: Histories;
  readonly contacts: Contacts;
  readonly people: People;
  readonly memories: Memories;
  readonly queue: Queue;
  readonly set_aside: SetAside;
  readonly take_ups: TakeUps;
  readonly members: Members;
  readonly partitions: Partitions;
  readonly seen: Seen;
  readonly held_signals: HeldSignals;
  readonly exported: Exported;
  readonly turns: Turns;
  readonly contents: Contents;
  readonly drafts: Drafts;
  readonly versions: Versions;
  readonly gates: Gates;
}

/** What keeps a workflow from being started. */
interface Gates {
  readonly company_id: string;
  readonly workflow_id: string;
  /** JSON. */
  readonly gate: string;
  readonly until_ms: number | null;
}

/** What the store is: `application` and `schema`. */
interface Meta {
  readonly name: string;
  readonly value: string;
}

/** The partition of a row's lane, which every key begins with. Only for shared databases. */
type Part = Generated<number>;

/** An execution: its state, and the columns by which it is found. */
interface Executions {
  readonly part: Part;
  /** In the order of creation. */
  readonly id: Generated<number>;
  readonly company_id: string;
  readonly execution_id: string;
  readonly workflow_id: string;
  /** Null on the test route. */
  readonly version: number | null;
  readonly revision: number;
  readonly lane: string;
  readonly parent_execution_id: string | null;
  readonly parent_wait_id: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** The history of the commit that began it, as a row of `histories` has it; null where that commit had none. */
  readonly begun: string | null;
  readonly state: string;
  readonly status: string;
  readonly bot_key: string | null;
  readonly user_key: string | null;
  readonly wait_id: string | null;
  readonly due_at_ms: number | null;
  /** When the wait was opened, if a message answers it. */
  readonly reply_since_ms: number | null;
  /** Among a user's waits that were opened in the same millisecond, the one committed last has the highest. */
  readonly reply_order: number;
  readonly signal_name: string | null;
  readonly signal_value: string | null;
  /** 1 while an effect has no recorded answer, else null. */
  readonly unsettled: number | null;
  /** The last advance of an ended one. */
  readonly ended_at_ms: number | null;
}

/** The records of one commit on one execution, after its first: packed, a list of `[revision, event, entries]`. */
interface Histories {
  readonly part: Part;
  readonly id: Generated<number>;
  readonly execution: number;
  readonly body: string;
}

interface Contacts {
  readonly part: Part;
  /** Ascending in the order in which they became known. */
  readonly id: Generated<number>;
  readonly company_id: string;
  readonly bot_id: string;
  readonly user_key: string;
  readonly user_id: string;
  readonly names: string | null;
  readonly phone: string | null;
  readonly phone_key: string | null;
  readonly bsuid: string | null;
  readonly bsuid_key: string | null;
  readonly time_zone: string | null;
  readonly locale: string | null;
  readonly window_until_ms: number | null;
  /** The person of the contact; null where an earlier release wrote it: then it is the user's own key. */
  readonly person_key: string | null;
}

/** People of a company: each once, whichever bots know them. A trigger adds one with their first contact. */
interface People {
  readonly company_id: string;
  readonly person_key: string;
  /** The id by which they were known first. */
  readonly user_id: string;
  readonly names: string | null;
  readonly phone: string | null;
  readonly bsuid: string | null;
  readonly time_zone: string | null;
  readonly locale: string | null;
  /** Random, begins with the time; a trigger fills it in. */
  readonly id: Generated<string | null>;
  /** JSON. */
  readonly fields: string | null;
  /** `granted` or `revoked`. */
  readonly marketing: string | null;
  readonly consent_at_ms: number | null;
  readonly consent_source: string | null;
  readonly consent_evidence: string | null;
  readonly first_seen_at_ms: number | null;
  /** 1 for those whom a workspace or an operator has given: they are in its export. */
  readonly is_listed: Generated<number>;
}

/** The columns that a contact update writes, in table order. */
export const learnedColumns = [
  ...(['company_id', 'bot_id', 'user_key', 'user_id', 'names', 'phone', 'phone_key'] as const),
  ...(['bsuid', 'bsuid_key', 'time_zone', 'locale', 'person_key', 'window_until_ms'] as const),
];

interface Memories {
  readonly part: Part;
  readonly contact: number;
  readonly name_key: string;
  readonly name: string;
  readonly value: string;
  readonly expires_at_ms: number | null;
}

interface Queue {
  readonly part: Part;
  /** Never reused. */
  readonly seq: Generated<number>;
  readonly company_id: string;
  readonly lane: string;
  readonly accepted_at_ms: number;
  readonly accepted: string;
  /** 0 for what comes from the family of executions itself, and is first in its lane; else 1. */
  readonly rank: number;
}

/** Queued items that cannot be decoded: they are not read again (P17). */
interface SetAside extends Omit<Queue, 'seq' | 'rank'> {
  readonly seq: number;
}

/** How often a lane was recovered after a crash, since it made progress. */
interface TakeUps {
  readonly part: Part;
  readonly lane: string;
  readonly count: number;
}

/** Processes that share the database. A process that was declared dead gets a new row, if it is alive. */
interface Members {
  /** Never reused. */
  readonly id: Generated<number>;
  readonly alive_until_ms: number;
  /** Where others reach it, if they can. */
  readonly address: string | null;
}

/** The owner of each partition: none when it died or released it. Only for shared databases. */
interface Partitions {
  readonly part: number;
  /** 0 without an owner. */
  readonly owner: number;
  /** Grows with each owner. */
  readonly epoch: number;
}

/** Delivery ids, with the answer a repetition gets. */
interface Seen {
  /** The partition of the id itself, which is known before its lane. */
  readonly part: Part;
  readonly key: string;
  readonly until_ms: number;
  readonly answer: string;
}

/** Signals that are held for the first wait that fits. */
interface HeldSignals {
  readonly company_id: string;
  readonly id: string;
  /** As executions have those of their waits. */
  readonly signal_name: string;
  readonly signal_value: string;
  /** JSON: its name, correlation value and payload. */
  readonly signal: string;
  readonly held_at_ms: number;
  readonly until_ms: number;
}

/** Executions whose history was exported. */
interface Exported {
  readonly part: Part;
  readonly execution: number;
}

/** Work that one process at a time does. */
interface Turns {
  readonly name: string;
  readonly holder: string;
  readonly until_ms: number;
}

/** Canvases by their content. */
interface Contents {
  readonly company_id: string;
  readonly hash: string;
  readonly canvas: string;
}

interface Drafts {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly hash: string;
}

interface Versions {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly version: number;
  readonly hash: string;
  readonly published_at_ms: number;
}
