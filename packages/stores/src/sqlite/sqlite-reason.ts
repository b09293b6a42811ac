// Apart from what becomes of an error, which takes the engine: the thread that writes needs only this, and is up 150 ms of processor time sooner.
/** SQLite's primary result codes for what is not the fault of a statement. */
const reasons = {
  3: 'no permission',
  5: 'in use by another process',
  6: 'locked',
  7: 'out of memory',
  8: 'read-only',
  9: 'interrupted',
  10: 'the disk failed',
  11: 'damaged',
  13: 'the disk is full',
  14: 'cannot be opened',
  15: 'locking failed',
  26: 'not a database',
} as const;

type SqliteReason = (typeof reasons)[keyof typeof reasons];

/** Why SQLite itself could not do what it was asked; `undefined` for the fault of a statement, and for any other error. */
export function sqliteReason(error: unknown): SqliteReason | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return (reasons as { readonly [code: number]: SqliteReason | undefined })[error.errcode & 0xff];
}
