import { hash } from 'node:crypto';
import type { ExecutionRecord, Leases } from '@hilo/engine/contract';
import { type LaneQueries, laneQueries } from './statements/lane-sql.ts';
import { encodeText } from './text-encoding.ts';

/**
 * By what right a commit advances executions: as of its request, however late it reaches the database. One whose partition has had
 * another owner since then is refused, even where this process has it once more (P8).
 */
export interface Fence {
  /** The process's number among those that share the store; 0 where it has not joined, or has left. */
  readonly me: number;
  /** Each partition of an advanced execution once, with the epoch in which the process has it; none where it never joined. */
  readonly parts: readonly OwnedPart[];
}

/** A partition as its owner knows it. */
export interface OwnedPart {
  readonly part: number;
  readonly epoch: number;
}

/** No execution is advanced in a lane that is not this member's. What begins may begin anywhere. */
export function fenceFor(saves: readonly ExecutionRecord[], me: number, epochOf: (part: number) => number): Fence {
  const parts = new Set(saves.filter(({ revision }) => revision > 1).map(({ lane }) => partitionOf(encodeText(lane))));
  return { me, parts: [...parts].sort((a, b) => a - b).map((part) => ({ part, epoch: epochOf(part) })) };
}

/** The fence of a process which has the store to itself. */
export const unfenced: Fence = { me: 0, parts: [] };

/** A store's view of the processes that share it. */
export interface Sharing {
  /** This process's number among them: 0 while it has not joined. */
  readonly me: () => number;
  readonly fence: (saves: readonly ExecutionRecord[]) => Fence;
  readonly queries: LaneQueries;
  readonly leases?: Leases;
}

/** A database that one process has to itself. */
export const unshared: Sharing = { me: () => 0, fence: () => unfenced, queries: laneQueries(false) };

/** How many parts the lanes of a store are divided into. */
export const partitionCount = 256;

/**
 * The part that a lane belongs to.
 *
 * @param column - the lane as a column holds it
 */
export const partitionOf = (column: string): number => Number.parseInt(hash('md5', column, 'hex').slice(0, 2), 16);

/** How many partitions a process has at most, so that each has its share. */
export const fairShare = (processes: number): number => Math.ceil(partitionCount / Math.max(1, processes));
