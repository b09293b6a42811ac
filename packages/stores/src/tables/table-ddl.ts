import type { DdlDialect } from '../schema/ddl-dialect.ts';
import { type NamedColumn, sqlName } from './table-check.ts';

/** An index of a table, by properties. */
export interface TableIndex {
  /** In order; `createdAtMs desc` is descending. */
  readonly on: readonly string[];
  readonly isUnique?: true;
  /** SQL: which rows it has; all of them, when left out. */
  readonly where?: string;
}

/** How a table is stored, beside its columns. */
export interface TableLayout {
  /** How rows are mostly found: by their key, which then orders them on the disk, or in other ways. */
  readonly foundBy?: 'key' | 'others';
  /** Columns that are compared byte by byte on every machine: pages are in their order. */
  readonly bytewise?: readonly string[];
  /** Each is called like the table and this: `payments` and `byAge` make `payments_by_age`. */
  readonly indexes?: { readonly [name: string]: TableIndex };
}

/** The properties that indexes name. */
export const indexedProperties = ({ bytewise = [], indexes = {} }: TableLayout): readonly string[] => [
  ...bytewise,
  ...Object.values(indexes).flatMap(({ on }) => on.map((each) => each.replace(/ desc$/, ''))),
];

/** The statements that make a table. Migrations write them out: what was released is never computed from what changes. */
export function tableDdl(
  table: string,
  columns: readonly NamedColumn[],
  { foundBy = 'key', bytewise = [], indexes = {} }: TableLayout,
  dialect: DdlDialect,
): readonly string[] {
  const keys = columns.filter(({ of }) => of.isKey).map(({ name }) => name);
  const isOnlyKey = (name: string): boolean => keys.length === 1 && keys[0] === name;
  const described = columns.map(({ name, of }) => {
    if (of.holds === 'number') return `${name} ${of.isNeverReused === true ? dialect.neverAgain : dialect.growing}`;
    const type = of.type === 'integer' ? dialect.integer : 'text';
    return [
      `${name} ${type}`,
      ...(of.isNullable ? [] : ['not null']),
      ...(isOnlyKey(name) ? ['primary key'] : []),
      ...(of.fallback === undefined ? [] : [`default ${of.fallback}`]),
    ].join(' ');
  });
  const together = keys.length > 1 ? [`primary key (${keys.join(', ')})`] : [];
  const isByKey = foundBy === 'key' && !columns.some(({ of }) => of.holds === 'number');
  return [
    `create table ${table} (\n  ${[...described, ...together].join(',\n  ')}\n)${isByKey ? ` ${dialect.byKey}` : ''}`.trimEnd(),
    ...bytewise.flatMap((property) => dialect.bytewise(table, sqlName(property))),
    ...Object.entries(indexes).map(
      ([name, { on, isUnique, where }]) =>
        `create ${isUnique === true ? 'unique ' : ''}index ${table}_${sqlName(name)} on ${table} (${on.map(sqlName).join(', ')})${
          where === undefined ? '' : ` where ${where}`
        }`,
    ),
  ];
}
