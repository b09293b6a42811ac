/**
 * How far a browser has read. Rows get their numbers before they become visible, so that with several processes a row may appear after one
 * with a higher number: a cursor holds the number up to which all rows were read, and the higher ones that were read.
 */
export interface Cursor {
  readonly floor: number;
  readonly above: readonly number[];
}

/** How long a row with a lower number may still appear: longer than any write of the service takes. */
const settledMs = 30_000;

/** What a cursor names above its floor, at most; older ones are below it then. */
const maxAbove = 64;

/** A cursor of a browser that has read all rows up to this number. */
export const createCursor = (floor: number): Cursor => ({ floor, above: [] });

/** Whether a row was read before. */
export const isKnown = ({ floor, above }: Cursor, id: number): boolean => id <= floor || above.includes(id);

/**
 * Advances the cursor past a row. Rows come in ascending order.
 *
 * @param sharedNowMs - the time, when other processes write too; `undefined` when all rows below a visible one are visible
 */
export function advance(
  cursor: Cursor,
  { id, createdAtMs }: { readonly id: number; readonly createdAtMs: number },
  sharedNowMs?: number,
): Cursor {
  if (sharedNowMs === undefined || sharedNowMs - createdAtMs >= settledMs)
    return { floor: Math.max(cursor.floor, id), above: cursor.above.filter((known) => known > id) };
  const above = [...cursor.above, id].toSorted((left, right) => left - right);
  const [first = id] = above;
  return above.length <= maxAbove ? { floor: cursor.floor, above } : { floor: Math.max(cursor.floor, first), above: above.slice(1) };
}

/** As the id of an event. */
export const writeCursor = ({ floor, above }: Cursor): string => [floor, ...above.map((id) => id - floor)].join('+');

/** `undefined` for a malformed cursor. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || !/^\d{1,15}(?:\+\d{1,15}){0,64}$/.test(text)) return undefined;
  const [floor = 0, ...steps] = text.split('+').map(Number);
  return { floor, above: steps.map((step) => floor + step) };
}
