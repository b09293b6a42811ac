import type { Migration } from './extension.ts';
import { tables } from './tables.ts';

/** The number of the first schema that this release opens: what an earlier build wrote is refused. */
export const firstSchema = 10;

/**
 * Statements that carry a store from one schema to the next, the first to {@link firstSchema}. Only ever added to: a release
 * opens what those before it wrote (P36), and refuses what a later one did.
 */
export const migrations: readonly Migration[] = [tables];
