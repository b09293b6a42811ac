import { crc32 } from 'node:zlib';
import type { Json } from '@hilo/engine/contract';

/** The text of a row cannot be read, and why. Its execution is quarantined, alone (P17). */
export class RowError extends Error {
  override readonly name = 'RowError';

  constructor(reason: string, options?: ErrorOptions) {
    super(`A row cannot be read: ${reason}`, options);
  }
}

/**
 * The format in which rows are written: the first letter of their text. Those of the first format began with none. Whatever the reader of
 * this release would not understand needs the next letter, and a migration like `rowFormat`: it would take such a row for a damaged one.
 */
const format = 'b';

/** Stands behind the format of a state that refers to the history its row begins with. */
const afterBegun = '+';

/**
 * A list as the text of a row: its format, a checksum and JSON. Without the checksum, SQLite would give back a text in which a disk
 * flipped a bit.
 */
export function seal(items: readonly unknown[], isAfterBegun = false): string {
  const json = JSON.stringify(items);
  return `${format}${isAfterBegun ? afterBegun : ''}${crc32(json)}${json}`;
}

/** Whether a text is of the first format, which began with its JSON. */
export const isFirstFormat = (text: string): boolean => !/^[a-z]/.test(text);

/** Whether a state is to be read after the history that its row begins with. */
export const isSealedAfterBegun = (text: string): boolean => text.startsWith(afterBegun, format.length);

/**
 * @param text - what {@link seal} gave
 * @throws {RowError} when it is of a later release, cut or changed
 */
export function unseal(text: string): readonly Json[] {
  const written = text.slice(0, format.length);
  if (written !== format)
    throw new RowError(
      `it is of format "${written}", and this release reads up to "${format}": run the release that wrote it, or a later one`,
    );
  const begins = text.indexOf('[');
  const json = text.slice(begins);
  const sum = text.slice(format.length + (isSealedAfterBegun(text) ? afterBegun.length : 0), begins);
  if (begins === -1 || String(crc32(json)) !== sum)
    throw new RowError('it was cut or changed, as its checksum tells: restore it from a backup');
  return JSON.parse(json) as readonly Json[];
}

/**
 * Gives what `read` reads.
 *
 * @throws {RowError} whatever `read` throws: text that nobody can read breaks a parser in many ways, whose messages may quote it
 */
export function readText<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof RowError ? error : new RowError('no release writes this', { cause: error });
  }
}
