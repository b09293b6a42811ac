import type { ClientBase } from 'pg';
import { StoreError } from '../store-error.ts';
import { codeOf, stateOf } from './postgres-fault.ts';

/** The oldest server that supports every statement of the store. */
const oldest = 13;

/**
 * Checks that a server accepts writes, and is new enough.
 *
 * @throws {StoreError} `STORE_READ_ONLY`, `STORE_UNREACHABLE`
 */
export async function checkServer(client: ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ readonly is_standby: boolean; readonly read_only: string; readonly version: number }>(
    `select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as read_only,
      current_setting('server_version_num')::int / 10000 as version`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('PostgreSQL returned no version');
  if (server.is_standby) throw new StoreError('STORE_READ_ONLY', { place, why: 'it is a standby of another server' });
  if (server.read_only === 'on') throw new StoreError('STORE_READ_ONLY', { place, why: 'default_transaction_read_only is on' });
  if (server.version < oldest)
    throw new StoreError('STORE_UNREACHABLE', {
      place,
      reason: `it is PostgreSQL ${server.version}, and needs to be ${oldest} or newer`,
    });
}

/** What an operator can do about a server that is not reached, by the code of the error. */
const remedies: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^ECONNREFUSED$/, 'start PostgreSQL there, or correct host and port'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'correct the host'],
  [/^28/, 'correct user and password'],
  [/^3D000$/, 'create the database first, or correct its name'],
  [/^42501$/, 'let the role create the schema, or own it'],
  [/^53300$/, 'allow more connections (max_connections), or end others'],
  [/^57P03$/, 'wait until the server has started'],
];

/** Why a server is not reached, and what to do about it. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails once for each of them.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = stateOf(cause) ?? codeOf(cause) ?? '';
  const [, remedy] = remedies.find(([known]) => known.test(code)) ?? [];
  const message = cause instanceof Error ? cause.message : String(cause);
  return remedy === undefined ? message : `${message}: ${remedy}`;
}
