// Separate from the conversion of errors, which imports the engine: the writer thread needs only this, and starts 150 ms of CPU earlier.
/** SQLite's primary result codes that are no fault of a statement. */
const reasons = {
  3: 'no permission',
  5: 'in use by another process',
  6: 'locked',
  7: 'out of memory',
  8: 'read-only',
  9: 'interrupted',
  10: 'the disk failed or is full',
  11: 'damaged',
  13: 'the disk is full',
  14: 'cannot be opened',
  15: 'locking failed',
  26: 'not a database',
} as const;

type SqliteReason = (typeof reasons)[keyof typeof reasons];

/** Why SQLite itself failed; `undefined` for the fault of a statement, and for any other error. */
export function sqliteReason(error: unknown): SqliteReason | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return (reasons as { readonly [code: number]: SqliteReason | undefined })[error.errcode & 0xff];
}
