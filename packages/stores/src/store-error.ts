import { HiloError } from '@hilo/engine/contract';

/** What each code of a {@link StoreError} means, beside its sentence. */
interface StoreErrorDetails {
  /** `instead` is how to begin a new one on purpose; by leaving out `mustExist`, where it is not said. */
  STORE_MISSING: { readonly place: string; readonly instead?: string };
  STORE_FOREIGN: { readonly place: string };
  STORE_NEWER: { readonly place: string; readonly schema: number; readonly known: number };
  STORE_OLDER: { readonly place: string; readonly schema: number; readonly first: number };
  STORE_DAMAGED: { readonly place: string; readonly finding: string };
  STORE_LOCKED: { readonly place: string };
  STORE_READ_ONLY: { readonly place: string; readonly why: string };
  STORE_NOT_DURABLE: { readonly place: string; readonly setting: string };
  STORE_UNREACHABLE: { readonly place: string; readonly reason: string };
}

/** Why a store is not opened. */
export type StoreErrorCode = keyof StoreErrorDetails;

const messages: { readonly [Code in StoreErrorCode]: (details: StoreErrorDetails[Code]) => string } = {
  STORE_MISSING: ({ place, instead = 'leave out `mustExist`' }) =>
    `There is no store at ${place}, though one must be there: restore it, or ${instead} to begin a new one`,
  STORE_FOREIGN: ({ place }) => `${place} belongs to another application: give Hilo a place of its own`,
  STORE_NEWER: ({ place, schema, known }) =>
    `${place} was written by a newer Hilo (schema ${schema}; this one knows ${known}): run that release, or a later one`,
  STORE_OLDER: ({ place, schema, first }) =>
    `${place} was written by a build of Hilo before its first release (schema ${schema}; this one begins at ${first}): run \`hilo export workspace.json\` with that build, and \`hilo import workspace.json\` with this one over a new store`,
  STORE_DAMAGED: ({ place, finding }) => `${place} is damaged (${finding}): restore it from a backup`,
  STORE_LOCKED: ({ place }) => `${place} is in use by another process: stop that one first, or use PostgreSQL for several`,
  STORE_READ_ONLY: ({ place, why }) => `${place} takes no writes (${why}): give the address of the server that does`,
  STORE_NOT_DURABLE: ({ place, setting }) => `${place} cannot keep what it is given: ${setting}`,
  STORE_UNREACHABLE: ({ place, reason }) => `${place} cannot be opened: ${reason}`,
};

/** A store that is not opened, so that nothing wrong is read from it and nothing is lost in it (P26). Recognise it by its `code`. */
export class StoreError<Code extends StoreErrorCode = StoreErrorCode> extends Error {
  override readonly name = 'StoreError';
  readonly code: Code;
  readonly details: StoreErrorDetails[Code];

  constructor(code: Code, details: StoreErrorDetails[Code], options?: ErrorOptions) {
    super(messages[code](details), options);
    this.code = code;
    this.details = details;
  }
}

/**
 * The database failed: the disk is full, the server is down, the store is closed. Nothing is written partly; the outcome of a commit may
 * be unknown. A later call may succeed again (P26).
 */
export const storeUnavailable = (reason: string, options?: ErrorOptions): HiloError<'STORE_UNAVAILABLE'> =>
  new HiloError('STORE_UNAVAILABLE', { reason }, options);

/** The error of every call after `close`. */
export const storeClosed = (options?: ErrorOptions): HiloError<'STORE_UNAVAILABLE'> =>
  new HiloError('STORE_UNAVAILABLE', { reason: 'The store is closed', isClosed: true }, options);
