// Random rows of a company for every table that moves.
import { seededRandom } from '@hilo/testing';
import { type DurableStore, encodeText } from '@hilo/stores';
import fc from 'fast-check';
import { partitionOf } from '../../../stores/src/sharing.ts';
import { listColumns, movedTables, notMovedColumns } from '../../src/tenants/moving/moved-tables.ts';
import { type CompanyMoves, createMoves } from '../../src/tenants/moving/moves.ts';
import { tokenKeysId } from '../../src/platform/secrets/token-keys.ts';
import type { Cell, Column, TableRow, TestDatabase } from './databases.ts';

const texts = fc.oneof(
  fc.constantFrom('', '{"a":[1,"\\u0000"]}', '"quoted"', '\\', 'ß 漢字 🙂', "it's", '[1,2]', 'null', 'x'.repeat(300)),
  fc.string({ unit: 'binary' }).map(encodeText),
);
const integers = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)));

/** For each table, what fills rows of a company in it. */
export const fillings = fc.record(
  Object.fromEntries(
    movedTables.map(({ name }) => [
      name,
      fc.array(
        fc.record({
          texts: fc.array(texts, { minLength: 4, maxLength: 4 }),
          integers: fc.array(integers, { minLength: 4, maxLength: 4 }),
          none: fc.boolean(),
        }),
        {
          maxLength: 3,
        },
      ),
    ]),
  ),
);
export type Fillings = typeof fillings extends fc.Arbitrary<infer Value> ? Value : never;

const aCompany = { texts: ['a', 'b', 'c', 'd'], integers: [1, 2, 3, 4], none: true };

/** Fills every table with rows of a company. Keys are made different, and differ between companies where they have to. */
export async function fill(database: TestDatabase, companyId: string, given: Fillings): Promise<void> {
  const columns = Map.groupBy(await database.columns(), ({ table }) => table);
  const numbers = new Map<string, number[]>();
  const parts: Parts = new Map();
  for (const table of movedTables) {
    const rows = table.name === 'companies' ? [aCompany] : (given[table.name] ?? []);
    for (const [index, filling] of rows.entries()) {
      const owners = table.of === undefined ? [] : (numbers.get(table.of.table) ?? []);
      if (table.of !== undefined && owners.length <= index) continue;
      const row: { [column: string]: Cell } = {};
      for (const [place, column] of (columns.get(table.name) ?? []).entries()) {
        if (column.name === table.number && table.name !== 'set_aside') continue;
        if (`${table.name}.${column.name}` in notMovedColumns || column.name === 'part') continue;
        row[column.name] = cell(table, column, companyId, index, filling, place);
      }
      if (table.of !== undefined) row[table.of.column] = owners[index] ?? 0;
      if (columns.get(table.name)?.some(({ name }) => name === 'part')) row['part'] = expectedPart(table, row, parts);
      const number = await database.insert(table.name, row, table.number);
      parts.set(`${table.name} ${number}`, row['part'] ?? null);
      numbers.set(table.name, [...(numbers.get(table.name) ?? []), number]);
    }
  }
}

const keyed = new Set([
  'id',
  'hash',
  'user_key',
  'execution_id',
  'key',
  'lane',
  'message_id',
  'idempotency_key',
  'active_key',
  'effect_key',
  'version',
]);

function cell(
  { name: table, named, unique }: (typeof movedTables)[number],
  { name, isInteger, isNullable, isKey }: Column,
  companyId: string,
  index: number,
  filling: { readonly texts: readonly string[]; readonly integers: readonly number[]; readonly none: boolean },
  place: number,
): Cell {
  if (name === 'company_id') return companyId;
  if (name === 'seq') return Number(companyId) * 100 + index;
  if (name === named?.column) return table === 'seen' && index === 2 ? `${companyId}:#digest` : `${companyId}${named.before}${index}`;
  if (name === unique || name === 'active_key' || `${table}.${name}` === 'file_parts.file_id') return `${companyId}-${index}`;
  if (isKey || keyed.has(name) || name.endsWith('_key') || name.endsWith('_id') || name === 'name') return isInteger ? index : `k${index}`;
  if (name === 'fields' || name === 'settings' || name === 'provider') return '{}';
  if (filling.none && isNullable) return null;
  return isInteger ? (filling.integers[place % 4] ?? 0) : (filling.texts[place % 4] ?? '');
}

/** All of a company, independent of the numbers that a database gives. */
export async function contents(database: TestDatabase, companyId: string): Promise<{ readonly [table: string]: readonly unknown[] }> {
  const found: { [table: string]: readonly unknown[] } = {};
  const names = new Map<string, Map<Cell, string>>();
  for (const table of movedTables) {
    const { name, number, of, named } = table;
    const owners = of === undefined ? undefined : names.get(of.table);
    const isOurs = (row: TableRow): boolean => {
      if (owners !== undefined) return owners.has(row[of?.column ?? ''] ?? null);
      if (named !== undefined) return String(row[named.column]).startsWith(`${companyId}${named.before}`);
      return row['company_id'] === companyId;
    };
    // What seals the addresses of a company is no row of it until it leaves.
    const isContent = (row: { readonly [column: string]: unknown }): boolean => name !== 'secrets' || row['secret_id'] !== tokenKeysId;
    const rows = (await database.rows(name, number)).filter((row) => isOurs(row) && isContent(row));
    names.set(name, new Map(rows.map((row) => [row['id'] ?? null, String(row['execution_id'] ?? row['user_key'])])));
    const plain = rows.map((row) => [owners?.get(row[of?.column ?? ''] ?? null), ...listColumns(table).map((column) => row[column])]);
    // A row that was set aside is numbered by hand: its order means nothing.
    found[name] = number === undefined || name === 'set_aside' ? plain.map((row) => JSON.stringify(row)).toSorted() : plain;
  }
  return found;
}

/**
 * Does something with the moves of a database.
 *
 * @param around - what stands before its store
 * @param opens - whether secrets can be read there
 */
export async function withMoves<Result>(
  database: TestDatabase,
  use: (moves: CompanyMoves) => Promise<Result>,
  {
    around = (store) => store,
    opens = () => true,
  }: { readonly around?: (store: DurableStore) => DurableStore; readonly opens?: () => boolean } = {},
): Promise<Result> {
  const store = await database.open();
  const moves = createMoves({
    endGrants: () => Promise.resolve([]),
    store: around(store),
    vault: {
      open() {
        if (!opens()) throw new Error('Another key');
        return '';
      },
      seal: () => 'sealed',
    },
    tokenKeys: () => new Uint8Array(32),
    fileKey: new Uint8Array(32),
    clock: database.clock,
    random: seededRandom(7),
    tables: movedTables,
    refresh: async () => undefined,
    refusal: undefined,
  });
  const working = use(moves);
  let isOver = false;
  void working.catch(() => undefined).finally(() => (isOver = true));
  while (!isOver) {
    database.clock.advanceBy(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  try {
    return await working;
  } finally {
    await store.close();
  }
}

export async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield new TextEncoder().encode(line);
}

async function linesOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

export const leave = (database: TestDatabase, companyId: string): Promise<readonly string[]> =>
  withMoves(database, async (moves) => {
    await moves.leave(companyId);
    return linesOf(await moves.file(companyId));
  });

type Parts = Map<string, Cell>;

/** The partition of a row: of its lane, its key or its user, or that of the row that it belongs to. */
function expectedPart({ name, of }: (typeof movedTables)[number], row: TableRow, parts: Parts): Cell {
  if (of !== undefined) return parts.get(`${of.table} ${row[of.column]}`) ?? null;
  const { lane, key, company_id, bot_id, user_key } = row;
  return partitionOf(String(name === 'contacts' ? `${company_id}/user/${bot_id}/${user_key}` : (lane ?? key)));
}

/** The rows that are not in their partition. */
export async function misplaced(database: TestDatabase): Promise<readonly string[]> {
  const parts: Parts = new Map();
  const found: string[] = [];
  for (const table of movedTables) {
    for (const row of await database.rows(table.name, table.number)) {
      if (row['part'] === undefined) continue;
      parts.set(`${table.name} ${row['id']}`, row['part']);
      const expected = expectedPart(table, row, parts);
      if (row['part'] !== expected) found.push(`${table.name}: ${JSON.stringify(row)} is not in ${expected}`);
    }
  }
  return found;
}
