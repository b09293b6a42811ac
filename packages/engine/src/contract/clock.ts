/** The engine's source of time. Also accepted as the `clock` of XState's `createActor`. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Randomness as the engine sees it: drawn once at an execution's start, then derived and recorded. */
export interface Random {
  /** `length` random bytes, fit for ids that must not be guessed, in an array of the caller's own. */
  bytes(length: number): Uint8Array;
}

/** SHA-256 of a text's UTF-8, as 64 lower-case hex digits. */
export type Digest = (text: string) => string;
