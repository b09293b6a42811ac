import type { Column } from './columns.ts';

/** Refuses what SQL or the tenant fence would not take of a table, at the start and with the place. */

/** Words that PostgreSQL or SQLite do not take as the name of a table or a column without quotes. */
const reserved = new Set(
  `add all alter analyse analyze and any array as asc asymmetric authorization autoincrement between binary both case cast check collate
  collation column commit concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable delete desc distinct do drop else end escape except exists false fetch for foreign
  freeze from full glob grant group having if ilike in index indexed initially inner insert intersect into is isnull join lateral leading
  left like limit localtime localtimestamp match natural not nothing notnull null offset on only or order outer overlaps placing primary
  raise references regexp returning right select session_user set similar some symmetric system_user table tablesample then to trailing
  transaction trigger true union unique update user using values variadic verbose view when where window with`.split(/\s+/),
);

/** A column with its names. */
export interface NamedColumn {
  /** As programs have it: `createdAtMs`. */
  readonly property: string;
  /** As SQL has it: `created_at_ms`. */
  readonly name: string;
  readonly of: Column;
}

/** The name of a property in SQL. */
export const sqlName = (property: string): string => property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * @param properties - every property that indexes and the like name
 * @throws {RangeError} with the table, the column, and what is wrong
 */
export function checkTable(table: string, columns: readonly NamedColumn[], properties: readonly string[]): void {
  const refuse = (place: string, why: string): never => {
    throw new RangeError(`Table "${table}"${place}: ${why}`);
  };
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(table)) refuse('', 'its name is 1 to 40 lower-case letters, digits or "_"');
  if (reserved.has(table)) refuse('', 'SQL reserves its name');
  const names = new Set<string>();
  for (const { property, name, of } of columns) {
    const place = `, column "${property}"`;
    if (names.has(name)) refuse(place, `a column before it is "${name}" in SQL too`);
    names.add(name);
    if (!/^[a-z][a-zA-Z0-9]{0,39}$/.test(property)) refuse(place, 'its name is camelCase: 1 to 40 letters and digits');
    if (reserved.has(name)) refuse(place, 'SQL reserves its name');
    if (of.isKey && of.isNullable) refuse(place, 'a key is never nullable');
    if (of.of !== undefined && !columns.some((other) => other.property === of.of && other.of.role === 'item'))
      refuse(place, `it is the key of "${of.of}", which is no column of an item`);
  }
  const company = columns.find(({ property }) => property === 'companyId');
  if (company === undefined || company.of.holds !== 'text' || company.of.isNullable)
    refuse('', 'every row is of a company: it needs the column "companyId", a text that is not nullable');
  if (!columns.some(({ of }) => of.isKey)) refuse('', 'it needs a key');
  const numbered = columns.find(({ of }) => of.holds === 'number');
  if (numbered !== undefined && columns.some(({ property, of }) => of.isKey && property !== numbered.property))
    refuse(`, column "${numbered.property}"`, 'a number that the database gives is the only key');
  for (const property of properties)
    if (!columns.some((one) => one.property === property)) refuse(`, column "${property}"`, 'an index names it, and there is none');
}
