import type { Value } from '../statements/statement.ts';

/** What a writer thread is begun with. */
export interface WriterData {
  readonly path: string;
}

/** A group of writes, as it goes to the thread. */
export interface ToWriter {
  /** Statements that were not sent before: their numbers go on from the last. */
  readonly texts: readonly string[];
  /** Of each statement of each write: its number, how many rows it has to give, and its values. */
  readonly writes: readonly (readonly (readonly [number, number | undefined, ...Value[]])[])[];
  /** Nothing comes after this. */
  readonly isLast?: true;
}

/** What the thread says: that it has opened the file; then what became of each group, in their order. */
export interface FromWriter {
  readonly isReady?: true;
  readonly outcomes?: readonly (
    | { readonly rows: readonly (readonly unknown[])[]; readonly failed: number | undefined }
    | { readonly error: { readonly message: string; readonly errcode: number | undefined } }
  )[];
}
