import type { Generated } from 'kysely';
import type { Value } from '../statements/statement.ts';
import { decodeText, encodeKey, encodeText } from '../text-encoding.ts';

/**
 * A column of a table as a value: how SQL holds what programs have. Columns are made by {@link text}, {@link plain}, {@link lookup},
 * {@link integer}, {@link flag}, {@link json} and {@link numbered}, and changed by {@link key}, {@link optional}, {@link internal} and
 * {@link keyOf}.
 */
export interface Column<Item = unknown, Stored = unknown> {
  /** What it holds: tests make values of it. */
  readonly holds: 'text' | 'plain' | 'lookup' | 'integer' | 'flag' | 'json' | 'number';
  readonly type: 'text' | 'integer';
  readonly isKey: boolean;
  readonly isNullable: boolean;
  /** `item`: a part of it. `derived`: computed from another property of it. `internal`: filled by statements alone. */
  readonly role: 'item' | 'derived' | 'internal';
  /** The property that it is computed from. */
  readonly of?: string;
  /** What SQL fills in where a statement gives nothing. */
  readonly fallback?: number;
  /** Whether an import that brings nothing for it leaves what is there. */
  readonly isLasting?: true;
  /** Why it stays behind when the company moves. */
  readonly staysBecause?: string;
  /** Whether a number that the database gives never comes again once its row is removed. */
  readonly isNeverReused?: true;
  /** Constants that it is one of. */
  readonly choices?: readonly string[];
  encode(item: Item): Value;
  decode(stored: Value): Item;
  /** For types alone: never set. */
  readonly stored?: Stored;
}

/** What programs have of a column. */
export type ItemIn<Of> = Of extends { decode(stored: Value): infer Item } ? Item : never;
/** What SQL has of it. */
export type StoredIn<Of> = Of extends { readonly stored?: infer Stored } ? NonNullableStored<Of, Exclude<Stored, undefined>> : never;
type NonNullableStored<Of, Stored> = Of extends { readonly isNullable: true } ? Stored | null : Stored;

const column = <Item, Stored extends Value, Row = Stored>(
  holds: Column['holds'],
  type: Column['type'],
  encode: (item: Item) => Stored,
  decode: (stored: Stored) => Item,
): Column<Item, Row> => ({
  holds,
  type,
  isKey: false,
  isNullable: false,
  role: 'item',
  encode,
  // A column reads back what it wrote: the database holds no other type in it.
  decode: (stored) => decode(stored as Stored),
});

/** A text that people or channels choose: any characters. */
export const text = (): Column<string, string> => column('text', 'text', encodeText, decodeText);

/**
 * A text that was checked before it is written (it holds no NUL and no half of a character) and is kept as it is. It is looked up by any
 * text: one that cannot be stored is not found.
 */
export const plain = (): Column<string, string> =>
  column(
    'plain',
    'text',
    (item) => (item.isWellFormed() && !item.includes('\0') ? item : JSON.stringify(item)),
    (stored) => stored,
  );

/** One of some constants. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Column<Choice, Choice> => ({
  ...column<Choice, Choice>(
    'plain',
    'text',
    (item) => item,
    (stored) => stored,
  ),
  choices,
});

/** What a text is looked up by: bounded in length, never read back. */
export const lookup = (): Column<string, string> => column('lookup', 'text', encodeKey, (stored) => stored);

/** A whole number; instants are milliseconds since the Unix epoch. */
export const integer = (): Column<number, number> =>
  column(
    'integer',
    'integer',
    (item) => item,
    (stored) => stored,
  );

/** A whole number that SQL computes: PostgreSQL gives sums as text. */
export const sum = (): Column<number, number> => ({ ...integer(), decode: Number });

/** True or false, as 1 or 0. */
export const flag = (): Column<boolean, number> =>
  column(
    'flag',
    'integer',
    (item) => (item ? 1 : 0),
    (stored) => stored === 1,
  );

/** Any JSON, as text. */
export const json = <Item>(): Column<Item, string> =>
  column(
    'json',
    'text',
    (item) => JSON.stringify(item),
    (stored) => JSON.parse(stored) as Item,
  );

/**
 * The number that the database gives each row, ascending: a primary key of its own.
 *
 * @param reuse - whether a number may come again once its row is removed
 */
export const numbered = (
  reuse: 'may be reused' | 'never reused' = 'may be reused',
): Column<number, Generated<number>> & { readonly role: 'internal'; readonly isKey: true } => ({
  ...column<number, number, Generated<number>>(
    'number',
    'integer',
    (item) => item,
    (stored) => stored,
  ),
  role: 'internal',
  isKey: true,
  ...(reuse === 'never reused' && { isNeverReused: true }),
});

/** A part of the primary key. */
export const key = <Of extends Column>(of: Of): Of & { readonly isKey: true } => ({ ...of, isKey: true });

/** May be absent. */
export const optional = <Item, Stored>(of: Column<Item, Stored>): Column<Item | undefined, Stored> & { readonly isNullable: true } => ({
  ...of,
  isNullable: true,
  encode: (item) => (item === undefined ? null : of.encode(item)),
  decode: (stored) => (stored === null ? undefined : of.decode(stored)),
});

/** Filled by statements, and no part of an item: such as a claim. */
export const internal = <Of extends Column>(of: Of): Of & { readonly role: 'internal' } => ({ ...of, role: 'internal' });

/** The same, and begins as a number. */
export const counted = (fallback: number): Column<number, Generated<number>> & { readonly role: 'internal' } => ({
  ...column<number, number, Generated<number>>(
    'integer',
    'integer',
    (item) => item,
    (stored) => stored,
  ),
  role: 'internal',
  fallback,
});

/** What another property of the item is looked up by. */
export const keyOf = (of: string): Column<string, string> & { readonly role: 'derived' } => ({ ...lookup(), role: 'derived', of });

/** Keeps its value when an import brings none. */
export const lasting = <Of extends Column>(of: Of): Of => ({ ...of, isLasting: true });

/** Stays behind when the company moves to another store. @param why - what it says is true here alone */
export const staying = <Of extends Column>(of: Of, why: string): Of => ({ ...of, staysBecause: why });
