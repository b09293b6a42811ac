// What a table is as a value: the types of its rows as programs and as SQL have them, and the statements over them.
import type { DeleteQueryBuilder, DeleteResult, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Call, Runner, StoredRow } from '../statements/call.ts';
import type { DdlDialect } from '../schema/ddl-dialect.ts';
import type { Column, ItemIn, StoredIn } from './columns.ts';
import type { NamedColumn } from './table-check.ts';
import type { TableLayout } from './table-ddl.ts';

/** The columns of a table by property. Each table has `companyId`. */
export interface Columns {
  readonly companyId: Column<string, string>;
  readonly [property: string]: Column;
}

export type NamesOf<C> = keyof C & string;
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

export type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;
/** A row as Kysely has it: by column, every one of them. */
export type RowOf<C> = { readonly [Name in NamesOf<C> as Snake<Name>]: StoredIn<C[Name]> };

/** The parameters of a statement, by name: each is encoded as a column is. */
export interface GivenColumns {
  readonly [name: string]: Column;
}
/** The values of parameters, by their names. */
export type Parametered<P> = { readonly [Name in keyof P]: ItemIn<P[Name]> };
/** The places of parameters in a statement, by their names. */
export type Places<P> = { readonly [Name in keyof P]: StoredIn<P[Name]> };
/** The parameters of a statement over the rows of one company. */
export type OfCompany = { readonly companyId: string };

type Schema<Name extends string, C> = { readonly [Table in Name]: RowOf<C> };
export type Selecting<Name extends string, C> = SelectQueryBuilder<Schema<Name, C>, Name, object>;
export type Updating<Name extends string, C> = UpdateQueryBuilder<Schema<Name, C>, Name, Name, UpdateResult>;
export type Deleting<Name extends string, C> = DeleteQueryBuilder<Schema<Name, C>, Name, DeleteResult>;

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

export type Reader = Pick<Runner, 'readEach'>;

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
  read<const Names extends readonly NamesOf<C>[], const P extends GivenColumns>(
    names: Names,
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<{ readonly [Read in Names[number]]: ItemIn<C[Read]> }>;
  /** The same for whole rows, with their number where the database gives one. */
  select<const P extends GivenColumns>(
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<ItemOf<C> & KeyOf<C>>;
  /** The same for how many rows there are. */
  count<const P extends GivenColumns>(
    parameters: P,
    build: (rows: Selecting<Name, C>, given: Places<P>) => Selecting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<{ readonly count: number }>;
  /** The same for a change: it gives the key of each row that it changed. */
  change<const P extends GivenColumns>(
    parameters: P,
    build: (rows: Updating<Name, C>, given: Places<P>) => Updating<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<KeyOf<C>>;
  /** The same for a removal. */
  removeWhere<const P extends GivenColumns>(
    parameters: P,
    build: (rows: Deleting<Name, C>, given: Places<P>) => Deleting<Name, C>,
  ): (given: OfCompany & Parametered<P>) => Call<KeyOf<C>>;
}
