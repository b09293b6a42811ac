import type { Migration } from '@hilo/stores';

/** Sessions of operators that were ended before their time: no process takes their cookies any more. */
export const endedSessions: Migration = ({ integer, byKey }) => [
  `create table ended_sessions (session_id text not null primary key, until_ms ${integer} not null) ${byKey}`,
];

/** Its rows. */
export interface EndedSessionRow {
  readonly session_id: string;
  /** When the session would have ended by itself: the row may go then. */
  readonly until_ms: number;
}
