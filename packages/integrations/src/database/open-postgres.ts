// Sessions with PostgreSQL.
import type { Duplex } from 'node:stream';
import { type Json, parseJsonText } from '@hilo/engine/contract';
import { DriverError, type SocketDialer } from '@hilo/drivers';
import {
  type DatabaseError,
  type DatabaseErrorCode,
  describeError,
  type Identity,
  isDatabaseError,
  placesProblem,
  secureSocket,
} from '@hilo/drivers/kit';
import { clientStream, createMessageCheck, convertToJson } from './client-stream.ts';
import { type DatabaseCredential, maxWireBytes } from './database-credential.ts';
import { type ColumnKind, type Dialect, type Opening, type Outcome, type Session, type Statement, readTable } from './session.ts';

type Credential = Extract<DatabaseCredential, { readonly kind: 'postgresql' }>;

const dialect: Dialect = { quote: (name) => `"${name.replaceAll('"', '""')}"`, place: (index) => `$${index}`, returns: true };

/** @throws {DriverError} */
export async function openPostgres(credential: Credential, sockets: SocketDialer, opening: Opening): Promise<Session> {
  const { default: pg } = await import('pg').catch((error: unknown) => {
    throw new DriverError('unreachable', 'The package "pg" is not installed: npm install pg', { cause: error });
  });
  const { host, port = 5432, database, username: user, password, tls, schema } = credential;
  const { signal, timeoutMs, readOnly, companyId } = opening;
  const tcp = await sockets.connect({ hostname: host, port, signal, scope: companyId });
  const identity = { hostname: host, authorities: sockets.authorities };
  const socket =
    tls === 'off' ? tcp : await postgresTls(tcp, identity, signal).catch((error: unknown) => Promise.reject(convertError(error)));
  let hasExcess = false;
  const stream = clientStream(socket, maxWireBytes, () => (hasExcess = true), createMessageCheck());
  const end = (): void => void stream.destroy();
  signal.addEventListener('abort', end, { once: true });
  const client = new pg.Client({
    host,
    port,
    user,
    password,
    database,
    stream: () => stream,
    ssl: false, // the stream is secured already, where it is to be
    application_name: 'hilo',
    options: '',
    statement_timeout: timeoutMs, // the server ends a statement after the time-out of the caller
    types: { getTypeParser: chooseParser },
  });
  client.on('error', () => undefined); // the query under way rejects with the same error
  const failed = (error: unknown): DatabaseError =>
    hasExcess ? new DriverError('too-large', `The answer is longer than ${maxWireBytes} bytes`) : convertError(error);

  const ask = async ({ text, values }: Statement): Promise<Outcome> => {
    // The extended protocol, even without values: it accepts a single statement only (T13).
    const config = { text, values: [...values], rowMode: 'array' as const, queryMode: 'extended' };
    const { fields, rows, rowCount } = await client.query<unknown[]>(config);
    return { names: fields.map(({ name }) => name), rows: rows.map((row) => row.map(convertToJson)), affectedRows: rowCount ?? 0 };
  };

  try {
    await client.connect();
    const { rows } = await ask({ text: ownTables, values: [] });
    if (rows.length > 0) throw new DriverError('refused', 'This database holds Hilo’s own data, which no canvas reaches');
  } catch (error) {
    end();
    throw isDatabaseError(error) ? error : failed(error);
  }
  return {
    dialect,
    async table(name) {
      const { rows } = await ask({ text: selectColumns, values: [schema, name] }).catch((error: unknown) => Promise.reject(failed(error)));
      return readTable(rows, classifyColumn);
    },
    async run(statement) {
      try {
        if (!readOnly) return await ask(statement);
        await ask({ text: 'begin transaction read only', values: [] });
        const outcome = await ask(statement);
        await ask({ text: 'commit', values: [] });
        return outcome;
      } catch (error) {
        throw failed(error);
      }
    },
    end() {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}

/** Tables of Hilo's own store, in any schema. */
const ownTables = `select 1 from pg_catalog.pg_class c where c.relkind = 'r' and c.relname in ('meta', 'executions', 'histories', 'seen')
  group by c.relnamespace having count(*) = 4 limit 1`;

const selectColumns = `select a.attname, t.typcategory::text || t.typname::text, coalesce(i.indisprimary, false)
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)
  where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/** By PostgreSQL's own category of a type, and its name behind that. */
function classifyColumn(type: string): ColumnKind {
  if (/^.jsonb?$/.test(type)) return 'json';
  return type.startsWith('S') ? 'text' : type.startsWith('N') ? 'number' : type.startsWith('A') ? 'list' : 'other';
}

/** Types that are returned as text, and types that become JSON values. */
function chooseParser(type: number): (text: string) => Json {
  switch (type) {
    case 16:
      return (text) => text === 't';
    case 20: // 64 bits
      return (text) => convertToJson(BigInt(text));
    case 21:
    case 23:
    case 26:
    case 700:
    case 701:
      return (text) => convertToJson(Number(text));
    case 114:
    case 3802:
      return parseJsonText;
    case 17:
      return (text) => Buffer.from(text.slice(2), 'hex').toString('base64');
    case 1184: // an instant: the session is in UTC
      return (text) => text.replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/, '$1T$2Z');
    default:
      return (text) => text;
  }
}

function convertError(error: unknown): DatabaseError {
  const { code, message } = describeError(error);
  const isAnswer = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error;
  if (!isAnswer) return new DriverError('unreachable', `The connection broke: ${message}`, { nativeCode: code, cause: error });
  const [, given, places] = /supplies (\d+) parameters, but prepared statement .* requires (\d+)/.exec(message) ?? [];
  if (code === '08P01' && places !== undefined)
    return new DriverError('invalid', placesProblem(Number(places), Number(given)), { nativeCode: code, isAnswer, cause: error });
  return new DriverError(classifyError(code), message, { nativeCode: code, isAnswer, cause: error });
}

/** By SQLSTATE, of which the first two characters are the class. */
function classifyError(code: string): DatabaseErrorCode {
  if (code === '57014') return 'timeout';
  if (code === '25006') return 'read-only';
  if (code === '42501' || code.startsWith('28') || code === '3D000') return 'refused';
  if (code.startsWith('23')) return 'constraint';
  if (code.startsWith('53') || code.startsWith('57')) return 'unreachable';
  return 'failed';
}

/** `SSLRequest` of the protocol: its length, and a number that is no version. */
const request = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Requests TLS from a PostgreSQL server and continues with it, verified, or fails. An answer of more than one byte is refused: the bytes
 * after the first may have been injected by an attacker.
 *
 * @throws {Error} when the server does not support TLS, or cannot be trusted
 */
async function postgresTls(socket: Duplex, identity: Identity, signal: AbortSignal): Promise<Duplex> {
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    socket.once('data', resolve).once('close', () => resolve(undefined));
    socket.on('error', giveUp);
    socket.write(request);
    const answer = await promise;
    if (answer === undefined) throw new Error('The connection ended before TLS began');
    if (answer.toString('latin1') !== 'S') throw new Error('The server does not speak TLS: set "tls" to "off" in a network of your own');
    return await secureSocket(socket, identity);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
