import { limits } from '@hilo/engine/contract';

/** What a server may send in one call, its schema counted: more is not read (P16). */
export const maxWireBytes = 4 * 1024 * 1024;

/** What of it is kept: the result of an effect is one value, and has something around it. */
export const maxResultBytes = limits.valueBytes - 1024;

/** Every bound of SQLite files, in one table (P20, P22, P26). */
export const sqliteLimits = {
  /** Of the processors for one call; where the system does not count that, of time as it passes. */
  processorMs: 10_000,
  /** In memory, with what SQLite sorts and gathers: it has no file for that. */
  residentMb: 256,
  /** How often both are looked at while a call is under way. */
  lookMs: 100,
  /** Calls of one company at once, over all of its files. */
  atOnce: 4,
  /** What all files of a company take of the disk, those counted that SQLite has beside them. */
  folderBytes: 1024 * 1024 * 1024,
} as const;

export type SqliteLimits = { readonly [Name in keyof typeof sqliteLimits]: number };
