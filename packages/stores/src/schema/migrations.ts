import { firstTables } from './first-tables.ts';
import type { Words } from './words.ts';

/**
 * Statements that carry a store from one schema to the next; its number is its place, from 1. Only ever added to: a
 * release opens what those before it wrote (P36), and refuses what a later one did.
 */
export const migrations: readonly ((words: Words) => readonly string[])[] = [firstTables];

/** The schema this release reads and writes. */
export const latestSchema = migrations.length;
