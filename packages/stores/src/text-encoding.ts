import { createHash } from 'node:crypto';
import { personOf } from '@hilo/engine/contract';

/** PostgreSQL accepts no NUL, and neither database a lone surrogate: such texts are stored as JSON, which escapes both. */
const isPlain = (text: string): boolean => !text.startsWith('"') && !text.includes('\0') && text.isWellFormed();

/** A text as a column holds it. No two texts become one. */
export const encodeText = (text: string): string => (isPlain(text) ? text : JSON.stringify(text));

/**
 * Decodes a text as a column holds it.
 *
 * @param column - what {@link encodeText} gave
 */
export const decodeText = (column: string): string => (column.startsWith('"') ? (JSON.parse(column) as string) : column);

/** Longer texts fit no index of PostgreSQL. */
const longestKey = 200;

/** A text that is only looked up by, never read back. A long one becomes its digest, which no other text is written as. */
export function encodeKey(text: string): string {
  const column = encodeText(text);
  return column.length <= longestKey ? column : `"#${createHash('sha256').update(column).digest('hex')}`;
}

/** What a person is looked up by: every spelling of a phone number is one person (UID-07). */
export const personKeyOf = (userId: string): string => encodeKey(personOf(userId));

/**
 * The key of a delivery. A long one keeps the company that it begins with before its digest: what is a company's own is found by that.
 *
 * @param key - `1:webhook:…`
 */
export function encodeDeliveryKey(key: string): string {
  const column = encodeKey(key);
  const company = /^\d{1,16}:/.exec(key)?.[0];
  return column.startsWith('"#') && company !== undefined ? `${company}${column.slice(1)}` : column;
}

/** Encodes or decodes a text, where there is one. */
export const orNull = (text: string | null | undefined, code: (text: string) => string): string | null =>
  text === undefined || text === null ? null : code(text);
