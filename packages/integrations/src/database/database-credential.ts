// The credentials of databases, and the bounds of their answers.
import { limits } from '@hilo/engine/contract';
import { z } from 'zod';
import type { FindCredential } from '@hilo/drivers';
import { parseCredential } from '@hilo/drivers/kit';

const text = z.string().min(1);
const server = {
  host: text,
  port: z.int().min(1).max(65_535).exactOptional(),
  database: text,
  username: text,
  password: z.string(),
  /** Whether the server's certificate must be trusted. `off` is for private networks. */
  tls: z.enum(['verify', 'off']).default('verify'),
  /** Refuses every change, whatever a node contains. */
  readOnly: z.boolean().default(false),
};

/**
 * A connection to a database. Its store may keep more beside it, such as an id and a name.
 *
 * - `postgresql`: `host`, `port` (5432), `database`, `username`, `password`, `schema` (`public`), `tls`, `readOnly`
 * - `mysql`, for MariaDB as well: the same with port 3306, and without a schema
 * - `sqlite`: `file`, below the company's own folder, and `readOnly`
 */
export const DatabaseCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('postgresql'), ...server, schema: text.default('public') }),
  z.object({ kind: z.literal('mysql'), ...server }),
  z.object({ kind: z.literal('sqlite'), file: text, readOnly: z.boolean().default(false) }),
]);
export type DatabaseCredential = z.output<typeof DatabaseCredential>;

/** Reads the connection to a database. @throws {DriverError} see {@link parseCredential} */
export const readConnection = (...place: [find: FindCredential, companyId: string, credentialId: string]): Promise<DatabaseCredential> =>
  parseCredential(DatabaseCredential, place, 'leads to no database');

/** What a server may send in one call, its schema counted: more is not read (P16). */
export const maxWireBytes = 4 * 1024 * 1024;

/** The most of it that is kept: the result of an effect is one value, and has something around it. */
export const maxResultBytes = limits.valueBytes - 1024;

/** Every bound of SQLite files, in one table (P20, P22, P26). */
export const sqliteLimits = {
  /** Processor time of one call; where the system does not count that, time as it passes. */
  processorMs: 10_000,
  /** In memory, with what SQLite sorts and gathers: it has no file for that. */
  residentMb: 256,
  /** How often both are looked at while a call is under way. */
  lookMs: 100,
  /** Concurrent calls of one company, on all of its files. */
  atOnce: 4,
  /** What all files of a company take of the disk, those counted that SQLite has beside them. */
  folderBytes: 1024 * 1024 * 1024,
} as const;

export type SqliteLimits = { readonly [Name in keyof typeof sqliteLimits]: number };
