/** Where a process dies that shares a PostgreSQL (RELIABILITY 2.2, rows 6 and 13). */
export interface LeaseDeath {
  readonly url: string;
  readonly schema: string;
  readonly point: 'join' | 'commit';
  readonly side: 'before' | 'after';
  /** How often it comes by before. */
  readonly passed: number;
}

/** After so long without a word a process is dead. */
export const leaseMs = 1_000;
