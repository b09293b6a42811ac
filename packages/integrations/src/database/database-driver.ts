// The driver of databases.
import { type AbortSignal as Signal, type BoundDriver, type Clock, drive, type Json, type JsonObject, fits } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { callDatabase } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { DriverError, type FindCredential, isDialerError, type SocketDialer } from '@hilo/drivers';
import {
  connectionFailure,
  createBreaker,
  createQueue,
  type DatabaseError,
  isDatabaseError,
  type Withhold,
  withholdingSecrets,
} from '@hilo/drivers/kit';
import { buildStatement } from './build-statement.ts';
import { type DatabaseCredential, maxResultBytes, readConnection, type SqliteLimits, sqliteLimits } from './database-credential.ts';
import { openMysql } from './open-mysql.ts';
import { openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import { createSqliteProcesses } from './sqlite-processes.ts';
import type { Opening, Outcome, Session, Table } from './session.ts';

/** The parts of the driver of databases. */
export interface DatabaseDriverOptions {
  /** The way to servers (P30). */
  readonly sockets: SocketDialer;
  readonly credential: FindCredential;
  /** The folder of a company's SQLite files; none are served where left out. */
  readonly sqliteDirectory?: (companyId: string) => string;
  /** Bounds of SQLite files. */
  readonly limits?: Partial<SqliteLimits>;
  readonly clock?: Clock;
}

/** The driver, with the processes that have files open. */
export interface DatabaseDriver extends BoundDriver {
  /** Ends idle connections at once; otherwise they would keep this process alive for some seconds. */
  close(): void;
}

type Request = z.output<typeof callDatabase.request>;
type Result = z.output<typeof callDatabase.result>;

/** Concurrent calls on one connection of a company, and waiting ones (P24). */
const bounds = { maxConcurrent: 8, maxQueued: 64 };
/** Connections that fail one after the other before theirs is left alone, and for how long (P24). */
const breakerLimits = { failuresToOpen: 5, openMs: 10_000 };
/** Connections whose state is remembered; beyond that, unused ones are forgotten. */
const placesKept = 1_000;

/**
 * Performs `database.call`: each on its own connection, which ends with it. A failure reports whether the statement may have been executed
 * (P5).
 *
 * The driver throws a `DriverError` when the company has no such connection, or one with an invalid address.
 */
export function createDatabaseDriver({
  sockets,
  credential,
  sqliteDirectory,
  limits: given,
  clock = systemClock,
}: DatabaseDriverOptions): DatabaseDriver {
  const limits: SqliteLimits = { ...sqliteLimits, ...given };
  const processes = createSqliteProcesses(clock, limits);
  const places = new Map<string, ReturnType<typeof createPlace>>();

  const createPlace = (maxConcurrent: number) => ({
    queue: createQueue({ ...bounds, maxConcurrent, clock }),
    breaker: createBreaker({ ...breakerLimits, clock }),
  });
  /** Each server has its own limits; files of a company are processed on this machine, and share one limit (P23). */
  const getPlace = (companyId: string, credentialId: string, { kind }: DatabaseCredential): ReturnType<typeof createPlace> => {
    const key = JSON.stringify(kind === 'sqlite' ? [companyId] : [companyId, credentialId]);
    const place = places.get(key) ?? createPlace(kind === 'sqlite' ? limits.atOnce : bounds.maxConcurrent);
    if (places.size >= placesKept) for (const [other, { queue }] of places) if (queue.isIdle()) places.delete(other);
    places.set(key, place);
    return place;
  };
  const open = (found: DatabaseCredential, opening: Opening): Promise<Session> => {
    switch (found.kind) {
      case 'postgresql':
        return openPostgres(found, sockets, opening);
      case 'mysql':
        return openMysql(found, sockets, opening);
      case 'sqlite':
        return openSqlite(found, { directory: sqliteDirectory, processes, limits }, opening);
    }
  };

  const driver = drive(callDatabase, async (request, { origin: { companyId }, signal }): Promise<Result> => {
    const found = await readConnection(credential, companyId, request.credentialId);
    if (found.readOnly && !onlyReads(request)) return failedResult(new DriverError('read-only', 'This connection only reads'), false);
    if (signal.aborted) return failedResult(timedOut(request.timeoutMs), false);
    const withhold = withholdingSecrets(found.kind === 'sqlite' ? [] : [found.password]);
    const { queue, breaker } = getPlace(companyId, request.credentialId, found);
    const time = timeLimit(clock, request.timeoutMs, signal);
    let wasSent = false;
    try {
      breaker.check();
      const { leave, waitedMs } = await queue.enter({ timeoutMs: request.timeoutMs, signal });
      const report = breaker.admit();
      try {
        const opening = {
          signal: time.signal,
          timeoutMs: Math.max(1, request.timeoutMs - waitedMs),
          readOnly: onlyReads(request),
          companyId,
        };
        const session = await Promise.race([open(found, opening), time.over]);
        report('reached');
        try {
          return await Promise.race([runRequest(request, session, withhold, () => (wasSent = true)), time.over]);
        } finally {
          session.end();
        }
      } catch (error) {
        report(isDialerError(error) && error.code !== 'EGRESS_REFUSED' && error.code !== 'TIMEOUT' ? 'unreachable' : 'untried');
        throw error;
      } finally {
        leave();
      }
    } catch (error) {
      if (time.isOver()) return failedResult(timedOut(request.timeoutMs), wasSent);
      if (isDialerError(error)) return failedResult(connectionFailure(error), false, { retryAfterMs: error.retryAfterMs });
      if (isDatabaseError(error)) return failedResult(error, wasSent, withhold);
      throw error;
    } finally {
      time.end();
    }
  });
  return { ...driver, close: processes.close };
}

const onlyReads = (request: Request): boolean =>
  request.operation === 'list' || request.operation === 'get' || (request.operation === 'query' && request.readOnly);

/** Aborts when the time is over, or when the caller aborts. */
function timeLimit(clock: Clock, timeoutMs: number, asked: Signal) {
  const ending = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined); // most calls end before
  const abort = (): void => {
    ending.abort();
    over.reject(timedOut(timeoutMs));
  };
  const timer = clock.setTimeout(abort, timeoutMs);
  asked.addEventListener('abort', abort);
  if (asked.aborted) abort();
  return {
    signal: ending.signal,
    /** Rejects then. */
    over: over.promise,
    isOver: () => ending.signal.aborted,
    end() {
      clock.clearTimeout(timer);
      asked.removeEventListener('abort', abort);
    },
  };
}

const timedOut = (timeoutMs: number): DatabaseError => new DriverError('timeout', `The database did not answer within ${timeoutMs} ms`);

/** @param onSend - called right before the statement itself goes out */
async function runRequest(request: Request, session: Session, withhold: Withhold, onSend: () => void): Promise<Result> {
  if (request.operation === 'query') {
    onSend();
    const outcome = await session.run({ text: request.sql, values: request.parameters }, request.maxRows);
    return outcome.names.length === 0
      ? { kind: 'changed', affectedRows: outcome.affectedRows }
      : limitRows(outcome, request.maxRows, withhold);
  }
  const table = await session.table(request.table);
  if (table === undefined) throw new DriverError('unknown-name', `The database has no table "${request.table}"`);
  const statement = buildStatement(request, table, session.dialect);
  onSend();
  const outcome = await session.run(statement, maxRows);
  switch (request.operation) {
    case 'list':
    case 'get':
      return limitRows(outcome, maxRows, withhold);
    case 'create':
      return { kind: 'changed', affectedRows: outcome.affectedRows, key: withhold.object(readKey(outcome, table, request.values)) };
    default:
      return { kind: 'changed', affectedRows: outcome.affectedRows };
  }
}

/** What a list may have. */
const maxRows = 1_000;

/** @throws {DriverError} `too-large` rather than half of what there is */
function limitRows({ names, rows }: Outcome, maxRows: number, { object }: Withhold): Result {
  if (rows.length > maxRows) throw new DriverError('too-large', `There are more than ${maxRows} rows: ask for fewer`, { isAnswer: true });
  const kept: readonly JsonObject[] = rows.map((row) => object(createObject(names, row)));
  if (Buffer.byteLength(JSON.stringify(kept)) > maxResultBytes || !fits(kept))
    throw new DriverError('too-large', `The rows are more than ${maxResultBytes} bytes, or too deep: ask for fewer rows or columns`, {
      isAnswer: true,
    });
  return { kind: 'rows', rows: [...kept] };
}

const createObject = (names: readonly string[], row: readonly Json[]): JsonObject =>
  Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));

/** The primary key of a new row: as the database returned it, else as it was given, else the generated number. */
function readKey({ names, rows, insertId }: Outcome, { key }: Table, values: JsonObject): JsonObject {
  const [row] = rows;
  if (row !== undefined) return createObject(names, row);
  return Object.fromEntries(key.map((name) => [name, values[name] ?? insertId ?? null]));
}

interface FailedOptions {
  readonly text?: Withhold['text'];
  readonly retryAfterMs?: number | undefined;
}

/** @param wasSent - whether the statement may have reached the database */
function failedResult(
  { code: reason, message, nativeCode, isAnswer }: DatabaseError,
  wasSent: boolean,
  { text = (said) => said, retryAfterMs }: FailedOptions = {},
): Result {
  return {
    kind: 'failed',
    reason,
    message: text(message),
    ...(nativeCode !== undefined && { code: text(nativeCode) }),
    outcome: wasSent && !isAnswer ? 'unknown' : 'failed',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
