/** Where a process that shares a PostgreSQL dies. */
export interface LeaseDeath {
  readonly url: string;
  readonly schema: string;
  readonly point: 'join' | 'commit';
  readonly side: 'before' | 'after';
  /** How often it passes the point before. */
  readonly passed: number;
}

/** After so long without a heartbeat a process counts as dead. */
export const leaseMs = 1_000;
