import type { Migration } from './extension.ts';
import { exports } from './exports.ts';
import { tables } from './tables.ts';
import { writers } from './writers.ts';

/** Where a user is, and how numbers and dates are written for them. */
const placesOfUsers: Migration = () => ['alter table contacts add column time_zone text', 'alter table contacts add column locale text'];

/** The number of the first schema that this release opens: what an earlier build wrote is refused. */
export const firstSchema = 4;

/**
 * Statements that carry a store from one schema to the next, the first to {@link firstSchema}. Only ever added to: a release
 * opens what those before it wrote (P36), and refuses what a later one did.
 */
export const migrations: readonly Migration[] = [tables, placesOfUsers, writers, exports];
