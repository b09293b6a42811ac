import type { Json } from '@hilo/engine/contract';
import type { ColumnKind, Table } from './session.ts';

/**
 * A table out of rows about its columns: the name, the type, and whether it belongs to the primary key. `undefined` where
 * there are none.
 */
export function tableOf(rows: readonly (readonly Json[])[], kindOf: (type: string) => ColumnKind): Table | undefined {
  if (rows.length === 0) return undefined;
  return {
    columns: new Map(rows.map(([column, type]) => [textOf(column), kindOf(textOf(type))])),
    key: rows.filter(([, , isKey]) => isKey === true || (typeof isKey === 'number' && isKey > 0)).map(([column]) => textOf(column)),
  };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
