// Tables as values: columns, rows as programs have them, and the statements between, each of one company.
import type { DeleteQueryBuilder, DeleteResult, Kysely, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from 'kysely';
import { type Call, call, type Runner, type StoredRow } from '../statements/call.ts';
import type { DdlDialect } from '../schema/ddl-dialect.ts';
import { anyCompanyRows, type AnyTables } from '../statements/of-company.ts';
import type { Value } from '../statements/statement.ts';
import type { Column, ItemIn, StoredIn } from './columns.ts';
import { anyStatement, listRows } from './row-lists.ts';
import { checkTable, type NamedColumn, sqlName } from './table-check.ts';
import { indexedProperties, tableDdl, type TableLayout } from './table-ddl.ts';

/** The columns of a table by property. Each table has `companyId`. */
export interface Columns {
  readonly companyId: Column<string, string>;
  readonly [property: string]: Column;
}

type NamesOf<C> = keyof C & string;
type ItemNames<C> = {
  [Name in NamesOf<C>]: C[Name] extends { readonly role: 'internal' | 'derived' } ? never : Name;
}[NamesOf<C>];
type OptionalNames<C> = { [Name in NamesOf<C>]: C[Name] extends { readonly isNullable: true } ? Name : never }[NamesOf<C>];

/** A row as programs read it: by property, decoded, without what is derived or internal. */
export type ItemOf<C> = { readonly [Name in ItemNames<C>]: ItemIn<C[Name]> };
/** A row as programs write it: what is optional may be left out. */
export type GivenOf<C> = Omit<ItemOf<C>, OptionalNames<C>> & Partial<Pick<ItemOf<C>, OptionalNames<C> & ItemNames<C>>>;

type KeyNames<C> = { [Name in NamesOf<C>]: C[Name] extends { readonly isKey: true } ? Name : never }[NamesOf<C>];
/** What finds one row: the company, and the key. */
export type KeyOf<C> = { readonly [Name in KeyNames<C> | 'companyId']: Name extends keyof C ? ItemIn<C[Name]> : never };

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;
/** A row as Kysely has it: by column, every one of them. */
export type RowOf<C> = { readonly [Name in NamesOf<C> as Snake<Name>]: StoredIn<C[Name]> };

/** The parameters of a statement, by name: each is encoded as a column is. */
interface Parameters {
  readonly [name: string]: Column;
}
type Parametered<P> = { readonly [Name in keyof P]: ItemIn<P[Name]> };
type Places<P> = { readonly [Name in keyof P]: StoredIn<P[Name]> };
type OfCompany = { readonly companyId: string };

type Schema<Name extends string, C> = { readonly [Table in Name]: RowOf<C> };
type Selecting<Name extends string, C> = SelectQueryBuilder<Schema<Name, C>, Name, object>;
type Updating<Name extends string, C> = UpdateQueryBuilder<Schema<Name, C>, Name, Name, UpdateResult>;
type Deleting<Name extends string, C> = DeleteQueryBuilder<Schema<Name, C>, Name, DeleteResult>;

/** What a table is beside its columns. */
export interface TableOptions extends TableLayout {
  /** Its list in the file of a workspace, where it is there. */
  readonly workspace?: string;
  /**
   * What becomes of its rows when the company moves to another store: `copied`, or `stays` as well until the company is forgotten, because
   * its callers are recognised by them; or why they do not move.
   */
  readonly moves: 'copied' | 'stays' | { readonly notBecause: string };
  /** The property in which no two companies have the same value. */
  readonly unique?: string;
  /** Whose its rows are: they go when that person is erased. Tables of the service always say it. */
  readonly personal?: Personal;
}

/** What the column of a personal table names: an id of a user, a person, a contact, or something of theirs. */
export type PersonalOwner = 'user' | 'person' | 'contact' | 'execution' | 'conversation' | 'room' | 'message';

/**
 * Whose a table's rows are: `none`, or the column that says whose a row is. An erasure removes those rows, or blanks what
 * `blanks` names of them where the rows are counted.
 *
 * @example
 * const personal: Personal = { of: 'user', column: 'userKey', among: 'botId' };
 */
export type Personal =
  | 'none'
  | {
      readonly of: PersonalOwner;
      readonly column: string;
      /** The column of bots or campaigns that stands before it in the index by which such rows are found. */
      readonly among?: 'botId' | 'campaignId';
      /** What each of these columns becomes; the rows stay. */
      readonly blanks?: { readonly [property: string]: string | number | null };
    };

type Reader = Pick<Runner, 'readEach'>;

/** What a table is, whatever its columns are. */
export interface TableFacts {
  readonly name: string;
  readonly options: TableOptions;
  /** Its columns in order, with their names in SQL. */
  readonly named: readonly NamedColumn[];
  /** The statements that make it. A migration has them as text: what was released never changes. */
  ddl(dialect: DdlDialect): readonly string[];
}

/** The rows of a table as items. Statements are values (`Call`), for any transaction; each is of one company. */
export interface TableRows<Item, Given, Key> {
  toRow(item: Given): StoredRow;
  fromRow(row: StoredRow): Item;
  /** All rows of a company, in the order of their key or number. */
  all(companyId: string): Call<Item>;
  find(key: Key): Call<Item>;
  /** The row, of whichever company, that has this value where no two companies have the same. @throws {RangeError} where there is no such column */
  findUnique(value: string): Call<Item>;
  /** Gives a row where there was one. */
  remove(key: Key): Call<Key>;
  /**
   * Inserts missing rows and updates different ones: each statement gives a row for each that it changed.
   *
   * @throws {RangeError} like all that looks for rows by their key, where the database numbers them
   */
  upsert(items: readonly Given[]): readonly Call[];
  /** Inserts missing rows and leaves the others: each statement gives a row for each that it inserted. */
  insertMissing(items: readonly Given[]): readonly Call[];
  /** Inserts a row by a statement of its own, which gives its key; the transaction fails where one is there already. */
  insertOne(item: Given): Call<Key>;
  /** The same, which gives no row and changes nothing where a row of the same key, or one that a unique index forbids, is there already. */
  insertOnce(item: Given): Call<Key>;
  /** Inserts rows; nothing of the transaction is written where one is there already. */
  insert(items: readonly Given[]): readonly Call[];
  /** @returns those that are missing or differ: what `upsert` would write */
  changed(runner: Reader, items: readonly Given[]): Promise<readonly Given[]>;
  /** @returns those that are missing: what `insertMissing` would write */
  missing(runner: Reader, items: readonly Given[]): Promise<readonly Given[]>;
  /** Rows of all companies, in the order of their key: for what a process keeps of all of them. */
  allOfEveryCompany(): Call<Item>;
}

/** A table as a value. */
export interface Table<Name extends string, C extends Columns> extends TableFacts, TableRows<ItemOf<C>, GivenOf<C>, KeyOf<C>> {
  readonly name: Name;
  readonly columns: C;

  /**
   * Defines a statement that reads some properties of a company's rows.
   *
   * @example
   * const byStatus = campaigns.read(['id'], { status: text() }, (rows, { status }) => rows.where('status', '=', status));
   * await runner.read(byStatus({ companyId, status: 'PENDING' }));
   */
  read<const Names extends readonly NamesOf<C>[], const P extends Parameters>(
    names: Names,
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<{ readonly [Read in Names[number]]: ItemIn<C[Read]> }>;
  /** The same for whole rows, with their number where the database gives one. */
  select<const P extends Parameters>(
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<ItemOf<C> & KeyOf<C>>;
  /** The same for how many rows there are. */
  count<const P extends Parameters>(
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<{ readonly count: number }>;
  /** The same for a change: it gives the key of each row that it changed. */
  change<const P extends Parameters>(
    parameters: P,
    build: (rows: Updating<Name, C>, given: Places<P>) => Updating<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<KeyOf<C>>;
  /** The same for a removal. */
  removeWhere<const P extends Parameters>(
    parameters: P,
    build: (rows: Deleting<Name, C>, given: Places<P>) => Deleting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<KeyOf<C>>;
}

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
  const stored = named.filter(({ of }) => of.role !== 'internal');
  const items = named.filter(({ of }) => of.role === 'item');
  const keys = named.filter(({ of, property }) => of.isKey || property === 'companyId');
  const select = (some: readonly NamedColumn[]): readonly string[] => some.map((one) => one.name);

  const encodeItem = (item: Readonly<Record<string, unknown>>): StoredRow =>
    Object.fromEntries(stored.map(({ property, name: column, of }) => [column, of.encode(item[of.of ?? property])]));
  const encodeKey = (given: Readonly<Record<string, unknown>>): StoredRow =>
    Object.fromEntries(keys.map(({ property, name: column, of }) => [column, of.encode(given[property])]));
  const decodeWith =
    (some: readonly NamedColumn[]) =>
    (row: StoredRow): object =>
      Object.fromEntries(some.map(({ property, name: column, of }) => [property, of.decode(row[column] ?? null)]));

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
  const encodeGiven = (parameters: Parameters, given: OfCompany & { readonly [name: string]: unknown }): StoredRow => ({
    company_id: columns.companyId.encode(given.companyId),
    ...Object.fromEntries(Object.entries(parameters).map(([parameter, of]) => [parameter, of.encode(given[parameter])])),
  });
  const selectOne = anyStatement<StoredRow>()((db, given) =>
    keys.reduce((rows, one) => rows.where(one.name, '=', given[one.name] ?? null), db.selectFrom(name as string).select(select(stored))),
  );
  const unique = named.find(({ property }) => property === uniqueProperty);
  const selectUnique = anyStatement<{ readonly value: Value }>()((db, { value }) =>
    db
      .selectFrom(name as string)
      .select(select(stored))
      .where(unique?.name ?? '', '=', value),
  );
  const inserting = (isOnce: boolean) =>
    anyStatement<StoredRow>()((db, given) => {
      const inserted = db
        .insertInto(name as string)
        .values(Object.fromEntries(select(stored).map((column) => [column, given[column] ?? null])))
        .returning(select(keys));
      return isOnce ? inserted.onConflict((conflict) => conflict.doNothing()) : inserted;
    });
  const [insertRow, insertMissingRow] = [inserting(false), inserting(true)];
  const removeOne = anyStatement<StoredRow>()((db, given) =>
    keys.reduce((rows, one) => rows.where(one.name, '=', given[one.name] ?? null), db.deleteFrom(name as string)).returning(select(keys)),
  );

  const selecting = <const P extends Parameters>(
    some: readonly NamedColumn[],
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ) => {
    const made = anyStatement<StoredRow>()((db, given) => fenced(ofCompany(db, given).selectFrom(name).select(select(some)), given, build));
    const decode = decodeWith(some);
    return (given: OfCompany & Parametered<P>) => ({ ...call(made, encodeGiven(parameters, given)), decode: decode as never });
  };

  return {
    name,
    columns,
    options,
    named,
    ddl: (dialect) => tableDdl(name, named, options, dialect),
    toRow,
    fromRow,
    all: (companyId) => readItems(lists.rows(String(columns.companyId.encode(companyId)))),
    find: (key) => ({ ...call(selectOne, encodeKey({ ...key })), decode: fromRow }),
    findUnique(value) {
      if (unique === undefined) throw new RangeError(`Table "${name}" has no column that is unique across companies`);
      return { ...call(selectUnique, { value: unique.of.encode(value) }), decode: fromRow };
    },
    remove: (key) => ({ ...call(removeOne, encodeKey({ ...key })), decode: keyFromRow }),
    upsert: (given) => lists.put(given.map(toRow)),
    insertMissing: (given) => lists.add(given.map(toRow)),
    insertOne: (item) => ({ ...call(insertRow, toRow(item)), decode: keyFromRow }),
    insertOnce: (item) => ({ ...call(insertMissingRow, toRow(item)), decode: keyFromRow }),
    insert: (given) => lists.addNew(given.map(toRow)),
    changed: (runner, given) => filterItems(lists.changed, runner, given),
    missing: (runner, given) => filterItems(lists.missing, runner, given),
    allOfEveryCompany: () => readItems(lists.rows()),

    read: (names, parameters, build) =>
      selecting(
        names.flatMap((property) => byProperty.get(property) ?? []),
        parameters,
        build,
      ),
    select: (parameters, build) => selecting([...new Set([...keys, ...items])], parameters, build),
    count(parameters, build) {
      const made = anyStatement<StoredRow>()((db, given) => {
        const rows = ofCompany(db, given).selectFrom(name);
        return fenced(
          rows.select(({ fn }) => fn.countAll<number>().as('count')),
          given,
          build,
        );
      });
      return (given) => ({ ...call(made, encodeGiven(parameters, given)), decode: ({ count }) => ({ count: Number(count) }) });
    },
    change(parameters, build) {
      const made = anyStatement<StoredRow>()((db, given) =>
        fenced(ofCompany(db, given).updateTable(name).returning(select(keys)), given, build),
      );
      return (given) => ({ ...call(made, encodeGiven(parameters, given)), decode: keyFromRow });
    },
    removeWhere(parameters, build) {
      const made = anyStatement<StoredRow>()((db, given) =>
        fenced(ofCompany(db, given).deleteFrom(name).returning(select(keys)), given, build),
      );
      return (given) => ({ ...call(made, encodeGiven(parameters, given)), decode: keyFromRow });
    },
  };
}

const ofCompany = (db: Kysely<AnyTables>, given: StoredRow) => anyCompanyRows(db, given['company_id'] ?? null);

/**
 * Continues a statement that has the company already, with the types of its table. Statements over any table are typed by names alone;
 * that these are the table's own is what `Table` says.
 */
const fenced = <Rows, Typed, Places>(rows: Rows, given: unknown, build: (rows: Typed, given: Places) => Typed): Rows =>
  build(rows as unknown as Typed, given as Places) as unknown as Rows;
