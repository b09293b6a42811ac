/**
 * The database could not do what it was asked: the disk is full, the server gone, the store closed. Nothing is half
 * written; whether a commit happened may be unknown. The next call may succeed again (P26).
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'STORE_UNAVAILABLE';
}
