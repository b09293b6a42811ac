import type { Value } from '../statements/statement.ts';
import type { Write, WriteOutcome, WriteStatement } from './write-group.ts';

/** What a writer thread is begun with. */
export interface WriterData {
  readonly path: string;
}

/**
 * A group of writes, as sent to the thread: one text and one list of numbers, which are copied as a whole. Copying each value takes
 * longer than writing it.
 */
export interface ToWriter {
  /** Statements that are sent for the first time: their numbers continue from the last. */
  readonly statements: readonly string[];
  /** Of each write its number of statements; of each of those its number, the expected rows, the number of values; and the values. */
  readonly numbers: Float64Array;
  /** All values that are texts, one behind the other. */
  readonly text: string;
  /** The whole file is written anew. */
  readonly rewrites?: true;
  /** Nothing comes after this. */
  readonly isLast?: true;
}

/** The thread's messages: that it has opened the file; then the outcome of each group, in order. */
export interface FromWriter {
  readonly isReady?: true;
  /** JSON: a {@link SentOutcome} for each write. */
  readonly outcomes?: string;
}

/** The transferable part of an error. */
type SentOutcome =
  | Exclude<WriteOutcome, { readonly error: unknown }>
  | { readonly error: { readonly message: string; readonly errcode?: number } };

/** What a value is, before its number: a text's is its length. */
const kinds = { null: 0, number: 1, text: 2 } as const;

/** Marks a statement without an expected number of rows. */
const anyNumber = -1;

/** @param known - the numbers of the statements sent before; those of this group are added */
export function encodeGroup(group: readonly Write[], known: Map<string, number>): ToWriter {
  const statements: string[] = [];
  const numbers: number[] = [];
  let text = '';
  for (const write of group) {
    numbers.push(write.length);
    for (const { sql, rows = anyNumber, values } of write) {
      let number = known.get(sql);
      if (number === undefined) {
        number = known.size;
        known.set(sql, number);
        statements.push(sql);
      }
      numbers.push(number, rows, values.length);
      for (const value of values) {
        if (value === null) numbers.push(kinds.null);
        else if (typeof value === 'number') numbers.push(kinds.number, value);
        else {
          numbers.push(kinds.text, value.length);
          text += value;
        }
      }
    }
  }
  return { statements, numbers: Float64Array.from(numbers), text };
}

/**
 * Loops fill the lists: `Array.from` with a function takes some twenty times as long, at every commit.
 *
 * @param known - the statements received before, by number; those of this group are added
 */
export function decodeGroup({ statements, numbers, text }: ToWriter, known: string[]): readonly Write[] {
  known.push(...statements);
  let at = 0;
  let from = 0;
  const next = (): number => numbers[at++] ?? 0;
  const nextValue = (): Value => {
    const kind = next();
    if (kind === kinds.null) return null;
    const number = next();
    if (kind === kinds.number) return number;
    from += number;
    return text.slice(from - number, from);
  };
  const nextStatement = (): WriteStatement => {
    const sql = known[next()] ?? '';
    const rows = next();
    const values: Value[] = [];
    for (let left = next(); left > 0; left -= 1) values.push(nextValue());
    return { sql, rows: rows === anyNumber ? undefined : rows, values };
  };
  const group: Write[] = [];
  while (at < numbers.length) {
    const write: WriteStatement[] = [];
    for (let left = next(); left > 0; left -= 1) write.push(nextStatement());
    group.push(write);
  }
  return group;
}

export const encodeOutcomes = (outcomes: readonly WriteOutcome[]): string =>
  JSON.stringify(outcomes.map((outcome): SentOutcome => ('error' in outcome ? { error: sentError(outcome.error) } : outcome)));

/** Own properties of an error are not copied to another thread, such as SQLite's code. */
function sentError(error: unknown): { readonly message: string; readonly errcode?: number } {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? { message, errcode: error.errcode }
    : { message };
}

export const decodeOutcomes = (text: string): readonly WriteOutcome[] =>
  (JSON.parse(text) as readonly SentOutcome[]).map((outcome): WriteOutcome => {
    if (!('error' in outcome)) return outcome;
    const { message, ...code } = outcome.error;
    return { error: Object.assign(new Error(message), code) };
  });
