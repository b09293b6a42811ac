import { sql } from 'kysely';
import type { Value } from './statement.ts';

/**
 * Several rows as one parameter, so that one prepared statement takes any number of them: SQLite and PostgreSQL both read the members of
 * a JSON object as rows, in order.
 */
export const encodeList = (rows: readonly (readonly Value[])[]): string => JSON.stringify(Object.fromEntries(rows.entries()));

/**
 * The rows of a {@link encodeList}, as a table to select from.
 *
 * @param list - the place of the value in the statement
 */
export const decodeRows = (list: string) => sql<{ readonly key: string }>`json_each(${list})`.as<'listed'>('listed');

/** A column of a {@link decodeRows} row, by its place in the row. */
export const textColumn = (place: number) => sql<string>`listed.value ->> ${sql.lit(place)}`;

/** The same for integers: PostgreSQL reads JSON members as text. */
export const integerColumn = (place: number) => sql<number>`cast(listed.value ->> ${sql.lit(place)} as bigint)`;
