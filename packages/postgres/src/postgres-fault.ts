import { type Backoff, isHiloError, retryWithBackoff } from '@hilo/engine/contract';
import { storeUnavailable } from '@hilo/stores';
import { storeClosed } from '@hilo/stores/sql-kit';

/** What became of an attempt that failed. */
export type PostgresFault =
  /** Two transactions conflicted, or the server was down: nothing was written, and a retry may succeed. */
  | 'transient'
  /** The server cannot: its disk is full, it only reads, it has no room for another connection. */
  | 'unable'
  /** The statement is wrong. */
  | 'mistake';

/** Classes of SQLSTATE: connection, resources, an operator's act, the system around it. */
const transientClasses = new Set(['08', '40', '57']);
const unableClasses = new Set(['53', '58', 'XX', '25']);

/** idle_in_transaction_session_timeout: the process was paused in a transaction, which the server then ended. */
const idleInTransaction = '25P03';

/** @param error - what the client library threw; what comes from the server has a SQLSTATE */
export function classifyFault(error: unknown): PostgresFault {
  const state = sqlStateOf(error);
  if (state === undefined) return isNetworkError(error) ? 'transient' : 'mistake';
  if (state === idleInTransaction) return 'transient';
  const type = state.slice(0, 2);
  return transientClasses.has(type) ? 'transient' : unableClasses.has(type) ? 'unable' : 'mistake';
}

/**
 * Whether an auto-committed statement may have taken effect: the connection broke, or the server ended it, which does not say whether
 * before the commit or after it.
 */
export function isUnknown(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined ? isNetworkError(error) : /^(08|57)/.test(state);
}

/** Whether the server itself reported it; otherwise the connection broke, and the outcome is unknown. */
export const isFromServer = (error: unknown): boolean => sqlStateOf(error) !== undefined;

/** A trigger of an extension refuses the row for now. In a group it is a mistake of that commit alone, which the others do without. */
const refusedByTrigger = 'HL001';

/** What to do where a pooler gives a connection to others after each transaction, or does not take its settings. */
export const withoutPooler = 'give the address of PostgreSQL itself, not of a pooler such as PgBouncer: Hilo keeps connections of its own';

/** The error as the engine is to see it. */
export const unavailable = (error: unknown): unknown => {
  if (error instanceof Error && error.message.includes('after calling end on the pool')) return storeClosed({ cause: error });
  return (classifyFault(error) === 'mistake' && sqlStateOf(error) !== refusedByTrigger) || isHiloError(error, 'STORE_UNAVAILABLE')
    ? error
    : storeUnavailable(`PostgreSQL: ${reasonOf(error)}`, { cause: error });
};

/** What to do about an error, by its code, if it has one, and its message. */
const remedies: readonly (readonly [known: RegExp, remedy: string])[] = [
  [/^ECONNREFUSED /, 'start PostgreSQL there, or correct host and port'],
  [/^(ENOTFOUND|EAI_AGAIN) /, 'correct the host'],
  [/^E(TIMEDOUT|HOSTUNREACH|NETUNREACH) /, 'correct the host, or let this machine reach it'],
  [/^28000 no pg_hba.conf entry/, 'let pg_hba.conf allow it or, where that demands TLS, add ?sslmode=verify-full to the address'],
  [/^28/, 'correct user and password'],
  [/client password must be a string$/, 'the server asks for one: add it to the address, postgres://user:password@host:5432/database'],
  [/^3D000 /, 'create the database first, or correct its name'],
  [/^(42P01|42703) /, 'restore the whole database from a backup, since tables are missing'],
  [/^55000 .* accepting connections$/, 'let the database take connections, or name another one'],
  [/^42501 /, 'let the role create the schema, or own it'],
  [/^25006 /, 'give the address of the server that takes writes'],
  [/^53100 /, "make room on the server's disk"],
  [/^53300 /, 'allow more connections (max_connections, or the limit of the role or database), or end others'],
  [/^57P03 /, 'wait until the server has started'],
  [/^08P01 unsupported startup parameter/, withoutPooler],
  [/^(26000|42P05) /, withoutPooler],
  [/^(42704|22023) .* parameter /, 'correct the options of the address'],
  [/^The server does not support SSL/, 'leave out sslmode, or turn on ssl at the server'],
  [/^(\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+) /, 'name the certificate of its authority: ?sslmode=verify-full&sslrootcert=FILE'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID /, 'use the host name that its certificate is for'],
  [/^CERT_HAS_EXPIRED /, 'renew its certificate'],
  [/^(Connection terminated|timeout expired)/, 'correct host and port: no PostgreSQL answers there'],
];

/** Why a server is not reached, or does not do what it is asked, and what to do about it. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails once for each of them.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = sqlStateOf(cause) ?? readCode(cause);
  const known = code === undefined ? message : `${code} ${message}`;
  const [, remedy] = remedies.find(([pattern]) => pattern.test(known)) ?? [];
  return remedy === undefined ? message : `${message}: ${remedy}`;
}

/** The code of an error of any source. */
const readCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The server's own code for what went wrong. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = readCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error ? code : undefined;
}

const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && (/^E[A-Z]+$/.test(readCode(error) ?? '') || /connection|timeout|terminated/i.test(error.message));

const maxAttempts = 6;
const backoff: Backoff = { firstMs: 30, longestMs: 1_000 };

/** No retry once so much time has passed; the error goes to the caller (P13, P26). */
const longestMs = 5_000;

/** Node's own timer. */
const clock = { setTimeout: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs) };

/** Retries transient failures: an attempt must leave nothing behind when it fails, or be idempotent. */
export function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const beganMs = performance.now();
  const onFailure = (error: unknown, number: number): void => {
    const isOver = number === maxAttempts || performance.now() - beganMs >= longestMs;
    if (classifyFault(error) !== 'transient' || isOver) throw unavailable(error);
  };
  return retryWithBackoff(attempt, { backoff, clock, onFailure });
}
