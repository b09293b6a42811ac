// Tables as values: columns, rows as programs have them, and the statements between, each of one company.
import type { Compilable } from 'kysely';
import { type Call, call, type StoredRow } from '../statements/call.ts';
import { anyCompanyRows } from '../statements/of-company.ts';
import { oneRow } from './one-row.ts';
import { anyStatement, listRows } from './row-lists.ts';
import type {
  Columns,
  GivenOf,
  ItemOf,
  KeyOf,
  OfCompany,
  Parametered,
  GivenColumns,
  Places,
  Reader,
  Table,
  TableOptions,
} from './table.ts';
import { checkTable, type NamedColumn, sqlName } from './table-check.ts';
import { indexedProperties, tableDdl } from './table-ddl.ts';

/**
 * Defines a table: what SQL has of it, what programs have of it, and the statements between them. Every statement is of one company.
 *
 * @example
 * const tags = defineTable('tags', { companyId: key(text()), id: key(integer()), name: text() }, { moves: 'copied' });
 * await store.runner.write(tags.upsert([{ companyId: '1', id: 7, name: 'VIP' }]));
 * await store.runner.read(tags.all('1'));
 *
 * @throws {RangeError} with the place: a repeated column, a nullable key, a name that SQL reserves, an index of no column
 */
export function defineTable<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
  options: TableOptions,
): Table<Name, C> {
  const named = Object.entries(columns).map(([property, of]): NamedColumn => ({ property, name: sqlName(property), of }));
  const { unique: uniqueProperty, personal = 'none' } = options;
  const personalProperties = personal === 'none' ? [] : [personal.column, personal.among ?? [], Object.keys(personal.blanks ?? {})].flat();
  checkTable(name, named, [
    ...indexedProperties(options),
    ...(uniqueProperty === undefined ? [] : [uniqueProperty]),
    ...personalProperties,
  ]);
  const byProperty = new Map(named.map((one) => [one.property, one]));
  const { stored, items, keys, encodeItem, encodeKey } = createCodec(named);

  // The types of items and keys are computed from the columns, as these two functions compute the values.
  const toRow = (item: GivenOf<C>): StoredRow => encodeItem({ ...item });
  const fromRow = decodeWith(items) as (row: StoredRow) => ItemOf<C>;
  const keyFromRow = decodeWith(keys) as (row: StoredRow) => KeyOf<C>;

  const lists = listRows({
    name,
    keys: select(stored.filter(({ of }) => of.isKey)),
    number: named.find(({ of }) => of.holds === 'number')?.name,
    columns: select(stored.filter(({ of }) => !of.isKey)),
    numbers: select(stored.filter(({ of }) => of.type === 'integer')),
    lasting: select(stored.filter(({ of }) => of.isLasting === true)),
  });
  const readItems = (one: Call<StoredRow>): Call<ItemOf<C>> => ({ ...one, decode: fromRow });
  const filterItems = async (find: typeof lists.changed, runner: Reader, given: readonly GivenOf<C>[]): Promise<readonly GivenOf<C>[]> => {
    const rows = new Map(given.map((item) => [toRow(item), item]));
    return (await find(runner, [...rows.keys()])).flatMap((row) => rows.get(row) ?? []);
  };
  const unique = named.find(({ property }) => property === uniqueProperty);
  const one = oneRow({ name, columns: select(stored), keys: select(keys), unique: unique?.name });
  const begin = beginStatements(columns.companyId);
  const beginReading = (some: readonly NamedColumn[]) =>
    begin((company) => company.selectFrom(name).select(select(some)), decodeWith(some) as (row: StoredRow) => never); // as `Table` says

  return {
    name,
    columns,
    options,
    named,
    ddl: (dialect) => tableDdl(name, named, options, dialect),
    toRow,
    fromRow,
    all: (companyId) => readItems(lists.rows(String(columns.companyId.encode(companyId)))),
    find: (key) => ({ ...call(one.find, encodeKey({ ...key })), decode: fromRow }),
    findUnique(value) {
      if (unique === undefined) throw new RangeError(`Table "${name}" has no column that is unique across companies`);
      return { ...call(one.findUnique, { value: unique.of.encode(value) }), decode: fromRow };
    },
    remove: (key) => ({ ...call(one.remove, encodeKey({ ...key })), decode: keyFromRow }),
    upsert: (given) => lists.put(given.map(toRow)),
    insertMissing: (given) => lists.add(given.map(toRow)),
    insertOne: (item) => ({ ...call(one.insert, toRow(item)), decode: keyFromRow }),
    insertOnce: (item) => ({ ...call(one.insertOnce, toRow(item)), decode: keyFromRow }),
    insert: (given) => lists.addNew(given.map(toRow)),
    changed: (runner, given) => filterItems(lists.changed, runner, given),
    missing: (runner, given) => filterItems(lists.missing, runner, given),
    allOfEveryCompany: () => readItems(lists.rows()),

    read: (names, parameters, build) => beginReading(names.flatMap((property) => byProperty.get(property) ?? []))(parameters, build),
    select: (parameters, build) => beginReading([...new Set([...keys, ...items])])(parameters, build),
    count: begin(
      (company) => company.selectFrom(name).select(({ fn }) => fn.countAll<number>().as('count')),
      ({ count }) => ({ count: Number(count) }),
    ),
    change: begin((company) => company.updateTable(name).returning(select(keys)), keyFromRow),
    removeWhere: begin((company) => company.deleteFrom(name).returning(select(keys)), keyFromRow),
  };
}

type CompanyRows = ReturnType<typeof anyCompanyRows>;

const select = (some: readonly NamedColumn[]): readonly string[] => some.map((one) => one.name);

/** Which columns have which role, and how values get into them. */
function createCodec(named: readonly NamedColumn[]) {
  const stored = named.filter(({ of }) => of.role !== 'internal');
  const items = named.filter(({ of }) => of.role === 'item');
  const keys = named.filter(({ of, property }) => of.isKey || property === 'companyId');
  return {
    stored,
    items,
    keys,
    encodeItem: (item: Readonly<Record<string, unknown>>): StoredRow =>
      Object.fromEntries(stored.map(({ property, name: column, of }) => [column, of.encode(item[of.of ?? property])])),
    encodeKey: (given: Readonly<Record<string, unknown>>): StoredRow =>
      Object.fromEntries(keys.map(({ property, name: column, of }) => [column, of.encode(given[property])])),
  };
}

const decodeWith =
  (some: readonly NamedColumn[]) =>
  (row: StoredRow): object =>
    Object.fromEntries(some.map(({ property, name: column, of }) => [property, of.decode(row[column] ?? null)]));

/** Statements that their authors go on with: they have their company before that. */
const beginStatements =
  (companyId: Columns['companyId']) =>
  <Row>(rows: (company: CompanyRows) => Compilable<StoredRow>, decode: (row: StoredRow) => Row) =>
  <const P extends GivenColumns, Typed>(parameters: P, build: (rows: Typed, given: Places<P>) => Typed) => {
    const made = anyStatement<StoredRow>()((db, given) =>
      continueWith(rows(anyCompanyRows(db, given['company_id'] ?? null)), given, build),
    );
    const encodeGiven = (given: OfCompany & { readonly [name: string]: unknown }): StoredRow => ({
      company_id: companyId.encode(given.companyId),
      ...Object.fromEntries(Object.entries(parameters).map(([parameter, of]) => [parameter, of.encode(given[parameter])])),
    });
    return (given: OfCompany & Parametered<P>): Call<Row> => ({ ...call(made, encodeGiven(given)), decode });
  };

/** Statements over any table are typed by names alone; that these are the table's own is what `Table` says. */
const continueWith = <Rows, Typed, Given>(rows: Rows, given: unknown, build: (rows: Typed, given: Given) => Typed): Rows =>
  build(rows as unknown as Typed, given as Given) as unknown as Rows;
