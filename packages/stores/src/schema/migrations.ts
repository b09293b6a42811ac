import type { Migration } from './extension.ts';
import { firstTables } from './first-tables.ts';
import { workByLane } from './work-by-lane.ts';

/**
 * Statements that carry a store from one schema to the next; its number is its place, from 1. Only ever added to: a
 * release opens what those before it wrote (P36), and refuses what a later one did.
 */
export const migrations: readonly Migration[] = [firstTables, workByLane];
