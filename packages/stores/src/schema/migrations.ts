import type { Migration } from './extension.ts';
import { tables } from './tables.ts';

/** The number of the first schema that this release opens: what an earlier build wrote is refused. */
export const firstSchema = 10;

/**
 * Migrations from one schema to the next, the first to {@link firstSchema}. Append-only: a release opens stores of earlier releases
 * (P36), and refuses those of later ones.
 */
export const migrations: readonly Migration[] = [tables];
