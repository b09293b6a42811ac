// Sessions with MySQL and MariaDB.
import { z } from 'zod';
import { DriverError, type SocketDialer } from '@hilo/drivers';
import { type DatabaseError, type DatabaseErrorCode, describeError, isDatabaseError, placesProblem } from '@hilo/drivers/kit';
import { clientStream, convertToJson } from './client-stream.ts';
import { type DatabaseCredential, maxWireBytes } from './database-credential.ts';
import { type ColumnKind, type Dialect, type Opening, type Outcome, type Session, type Statement, readTable } from './session.ts';

type Credential = Extract<DatabaseCredential, { readonly kind: 'mysql' }>;

const dialect: Dialect = { quote: (name) => `\`${name.replaceAll('`', '``')}\``, place: () => '?', returns: false };

/** How rows are read, whoever is asked. */
const connectionOptions = {
  charset: 'utf8mb4',
  disableEval: true, // rows are read without code that is made at run time (P29)
  flags: ['-LOCAL_FILES'], // no server reads files of this machine
  rowsAsArray: true,
  dateStrings: true,
  supportBigNumbers: true,
  multipleStatements: false,
};

/** Opens MySQL or MariaDB. @throws {DriverError} */
export async function openMysql(credential: Credential, sockets: SocketDialer, opening: Opening): Promise<Session> {
  const { createConnection } = await import('mysql2/promise').catch((error: unknown) => {
    throw new DriverError('unreachable', 'The package "mysql2" is not installed: npm install mysql2', { cause: error });
  });
  const { host, port = 3306, database, username: user, password, tls } = credential;
  const { signal, timeoutMs, readOnly, companyId } = opening;
  const socket = await sockets.connect({ hostname: host, port, signal, scope: companyId });
  let hasExcess = false;
  const stream = clientStream(socket, maxWireBytes, () => (hasExcess = true));
  const end = (): void => void stream.destroy();
  signal.addEventListener('abort', end, { once: true });
  const failed = (error: unknown): DatabaseError =>
    hasExcess ? new DriverError('too-large', `The answer is longer than ${maxWireBytes} bytes`) : convertError(error);

  const connection = await createConnection({
    ...connectionOptions,
    host,
    port,
    user,
    password,
    database,
    stream: () => stream,
    ...(tls === 'verify' && { ssl: { ca: [...sockets.authorities], rejectUnauthorized: true, verifyIdentity: true } }),
    connectTimeout: timeoutMs,
  }).catch((error: unknown) => {
    end();
    throw failed(error);
  });
  connection.on('error', () => undefined); // the query under way rejects with the same error

  const ask = async ({ text, values }: Statement): Promise<Outcome> => {
    const bound = values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));
    const sql = { sql: text, rowsAsArray: true };
    // Kept by the client, which executes the same afterwards.
    const { data: prepared } = Prepared.safeParse(await connection.prepare(sql));
    const places = prepared?.statement.parameters.length ?? bound.length;
    if (places !== bound.length) throw new DriverError('invalid', placesProblem(places, bound.length), { isAnswer: true });
    const [result, fields] = await connection.execute(sql, bound);
    if (!Array.isArray(result)) return { names: [], rows: [], affectedRows: result.affectedRows, insertId: convertToJson(result.insertId) };
    const rows: readonly unknown[] = result;
    return {
      names: fields.map(({ name }) => name),
      rows: rows.map((row) => (Array.isArray(row) ? row.map(convertToJson) : [])),
      affectedRows: rows.length,
    };
  };

  try {
    const { rows } = await ask({ text: 'select version()', values: [] });
    for (const setting of settingsOf(rows[0]?.[0], timeoutMs)) await connection.query(setting);
  } catch (error) {
    end();
    throw failed(error);
  }
  return {
    dialect,
    async table(name) {
      const { rows } = await ask({ text: selectColumns, values: [name] }).catch((error: unknown) => Promise.reject(failed(error)));
      const own = rows.filter(([, , , table]) => table === name); // the server may take two spellings for one
      return readTable(own, classifyColumn);
    },
    async run(statement) {
      try {
        if (readOnly && !reading.test(statement.text))
          throw new DriverError('read-only', 'This statement does more than read', { isAnswer: true });
        if (readOnly) await connection.query('start transaction read only');
        const outcome = await ask(statement);
        if (readOnly) await connection.query('commit');
        return outcome;
      } catch (error) {
        throw isDatabaseError(error) ? error : failed(error);
      }
    },
    end() {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}

/** What a session is told first. The server ends a statement after the time-out of the caller; MySQL does so for reads only. */
const settingsOf = (version: unknown, timeoutMs: number): readonly string[] => [
  typeof version === 'string' && version.includes('MariaDB')
    ? `set session max_statement_time = ${timeoutMs / 1000}`
    : `set session max_execution_time = ${timeoutMs}`,
  "set session time_zone = '+00:00'",
];

/** A statement as the client has it, with a description of each place for a value. */
const Prepared = z.object({ statement: z.object({ parameters: z.array(z.unknown()) }) });

/** How a statement begins that reads. What changes a table's shape would end a transaction that only reads, and continue. */
const reading = /^[\s(]*(?:select|with|values|table|show|describe|desc|explain)\b/i;

const selectColumns = `select column_name, data_type, column_key = 'PRI', table_name from information_schema.columns
  where table_schema = database() and table_name = convert(? using utf8mb3) order by ordinal_position`;

function classifyColumn(type: string): ColumnKind {
  if (/^(?:var)?char$|text$|^enum$|^set$/.test(type)) return 'text';
  if (/int$|^decimal$|^float$|^double$|^year$|^bit$/.test(type)) return 'number';
  return type === 'json' ? 'json' : 'other';
}

function convertError(error: unknown): DatabaseError {
  const { code, message } = describeError(error);
  const state = error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string' ? error.sqlState : undefined;
  const number = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  if (state === undefined) return new DriverError('unreachable', `The connection broke: ${message}`, { nativeCode: code, cause: error });
  return new DriverError(classifyError(number, state), message, { nativeCode: code, isAnswer: true, cause: error });
}

/** By the error numbers of MySQL and MariaDB, which are more precise than their SQLSTATE. */
function classifyError(number: number, state: string): DatabaseErrorCode {
  if (state.startsWith('23') || [1364, 3819, 4025].includes(number)) return 'constraint';
  if ([1044, 1045, 1049, 1142, 1143, 1227, 1370, 1698].includes(number) || state.startsWith('28')) return 'refused';
  if (number === 1792 || number === 1290) return 'read-only';
  if (number === 1969 || number === 3024) return 'timeout';
  return number === 1040 || number === 1203 || number === 1226 ? 'unreachable' : 'failed';
}
