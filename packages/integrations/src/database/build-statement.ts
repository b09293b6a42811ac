// Writes the SQL of a call of a table.
import type { Json, JsonObject } from '@hilo/engine/contract';
import type { callDatabase } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { DriverError } from '@hilo/drivers';
import type { Dialect, Statement, Table, ColumnKind } from './session.ts';

type Request = Exclude<z.output<typeof callDatabase.request>, { readonly operation: 'query' }>;
type Where = Extract<Request, { readonly operation: 'delete' }>['where'];

const comparisons = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=', like: 'like' } as const;

/** Patterns around a text whose own signs stand for themselves. */
const patterns = {
  contains: (text: string) => `%${text}%`,
  startsWith: (text: string) => `${text}%`,
  endsWith: (text: string) => `%${text}`,
} as const;

/** Written before a sign that means something in a pattern. No database gives it a meaning of its own, as most do to a backslash. */
const escapeSign = '!';

/**
 * Writes a request as one statement. Every name in it is one of the table's own, quoted; every value is bound (T13).
 *
 * @throws {DriverError} `unknown-name`, `invalid`
 */
export function buildStatement(request: Request, table: Table, dialect: Dialect): Statement {
  const values: Json[] = [];
  const column = (name: string): string => {
    if (table.columns.has(name)) return dialect.quote(name);
    throw new DriverError('unknown-name', `The table "${request.table}" has no column "${name}"`);
  };
  const bind = (name: string, value: Json): string => {
    values.push(bindable(name, value, table.columns.get(name) ?? 'other'));
    return dialect.place(values.length);
  };
  const listed = (name: string, value: Json): string => {
    const items = Array.isArray(value) ? (value as readonly Json[]) : [];
    return items.length === 0 ? '1 = 0' : `${column(name)} in (${items.map((item) => bind(name, item)).join(', ')})`;
  };
  const condition = ({ column: name, op, value = null }: Where[number]): string => {
    if (op === 'isNull') return `${column(name)} is null`;
    if (op === 'notNull') return `${column(name)} is not null`;
    if (op === 'contains' || op === 'startsWith' || op === 'endsWith') {
      const pattern = value === null ? null : patterns[op](plainText(name, value).replaceAll(/[!%_]/g, `${escapeSign}$&`));
      return `${column(name)} like ${bind(name, pattern)} escape '${escapeSign}'`;
    }
    return op === 'in' ? listed(name, value) : `${column(name)} ${comparisons[op]} ${bind(name, value)}`;
  };
  const where = (conditions: Where): string => (conditions.length === 0 ? '' : ` where ${conditions.map(condition).join(' and ')}`);
  const assigned = (given: JsonObject): string =>
    Object.entries(given)
      .map(([name, value]) => `${column(name)} = ${bind(name, value)}`)
      .join(', ');
  const from = dialect.quote(request.table);

  const select = ({ columns, where: conditions, orderBy }: Extract<Request, { readonly operation: 'list' | 'get' }>): string => {
    const chosen = (columns ?? [...table.columns.keys()]).map(column).join(', ');
    const order = orderBy.map(({ column: name, direction }) => `${column(name)} ${direction}`).join(', ');
    return `select ${chosen} from ${from}${where(conditions)}${order === '' ? '' : ` order by ${order}`}`;
  };
  const insert = (given: JsonObject): string => {
    const places = Object.entries(given).map(([name, value]) => bind(name, value));
    const row = `(${Object.keys(given).map(column).join(', ')}) values (${places.join(', ')})`;
    const returning = dialect.returns && table.key.length > 0 ? ` returning ${table.key.map(dialect.quote).join(', ')}` : '';
    return `insert into ${from} ${row}${returning}`;
  };
  if ('values' in request && Object.keys(request.values).length === 0) throw new DriverError('invalid', 'There is no value to write');
  const text = (): string => {
    switch (request.operation) {
      case 'list':
        return `${select(request)} limit ${request.limit} offset ${request.offset}`;
      case 'get':
        return `${select(request)} limit 1`;
      case 'create':
        return insert(request.values);
      case 'update':
        return `update ${from} set ${assigned(request.values)}${where(request.where)}`;
      case 'delete':
        return `delete from ${from}${where(request.where)}`;
    }
  };
  return { text: text(), values };
}

/** @throws {DriverError} `invalid` */
function plainText(column: string, value: Json): string {
  if (typeof value === 'object') throw new DriverError('invalid', `"${column}" can be searched for a text only`);
  return String(value);
}

/**
 * A value in the type of its column. A text column gets a text and a numeric one a number: databases that compare the two match unintended
 * rows, such as every word for the number 0.
 *
 * @throws {DriverError} `invalid`
 */
function bindable(column: string, value: Json, kind: ColumnKind): Json {
  if (value === null) return null;
  switch (kind) {
    case 'json':
      return JSON.stringify(value);
    case 'text':
      return formatText(value);
    case 'list':
      return Array.isArray(value) ? value : formatText(value);
    case 'number':
      if (typeof value === 'number' || typeof value === 'boolean') return value;
      if (typeof value === 'string' && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)) return value;
      throw new DriverError('invalid', `The column "${column}" takes a number`);
    case 'other':
      return typeof value === 'object' ? JSON.stringify(value) : value;
  }
}

const formatText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
