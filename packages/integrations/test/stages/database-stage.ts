// The driver of databases for the contract of drivers: over a file, and over a server that behaves as asked.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@hilo/engine/contract';
import type { DriverStage, RemoteBehaviour } from '@hilo/testing/contracts';
import { createSocketDialer } from '../../../drivers/src/index.ts';
import { createDatabaseDriver } from '../../src/index.ts';
import { startTcp } from '../../../drivers/test/local-servers.ts';

const password = 'pass-word-of-company-7';

/** Statements of a real file; what no file does, a server on the wire of PostgreSQL does. */
const statements: { readonly [behaviour in RemoteBehaviour]?: string } = {
  answers: 'select 1',
  floods: 'with recursive n(i) as (select 1 union all select i + 1 from n limit 900) select i, hex(zeroblob(2000)) from n',
  hangs: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
};

export async function openDatabaseStage(): Promise<DriverStage> {
  const directory = mkdtempSync(join(tmpdir(), 'hilo-contract-'));
  new DatabaseSync(join(directory, 'shop.db')).exec('pragma journal_mode = wal');
  const server = await startTcp((socket) => socket.on('data', (said: Buffer) => meet(socket, said)));
  let lookups = 0;
  const driver = createDatabaseDriver({
    sockets: createSocketDialer({ allow: [server.host] }),
    credential: (companyId, behaviour) => Promise.resolve(companyId === '7' ? credentialFor(behaviour, server.port) : undefined),
    sqliteDirectory() {
      lookups += 1;
      return directory;
    },
  });
  return {
    driver,
    request: (behaviour, timeoutMs) => ({
      operation: 'query',
      sql: statements[behaviour] ?? 'select 1',
      parameters: [],
      readOnly: true,
      maxRows: 1_000,
      credentialId: behaviour,
      timeoutMs,
    }),
    keys: () => [],
    requests: () => lookups + server.connections.length,
    secrets: [password],
    async close() {
      driver.close();
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const credentialFor = (behaviour: string, port: number): JsonObject =>
  behaviour in statements
    ? { kind: 'sqlite', file: 'shop.db' }
    : { kind: 'postgresql', host: '127.0.0.1', port, database: behaviour, username: 'hilo', password, tls: 'off' };

/** A server that asks whoever connects for their password, and then tells it. */
function meet(socket: Socket, said: Buffer): void {
  const text = said.toString();
  if (text.includes('babbles')) socket.end('SSH-2.0-OpenSSH_9.6\r\n');
  else if (text.includes('breaks')) socket.end(Buffer.from('R\0\0'));
  else if (text.startsWith('p')) socket.end(message('E', `SFATAL\0C28P01\0MNo user has the password ${text.slice(5, -1)}\0\0`));
  else socket.write(message('R', '\0\0\0\x03')); // a password, as it is
}

/** A message of PostgreSQL: its kind, its length with these four bytes, and what it says. */
function message(kind: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(text)]);
}
