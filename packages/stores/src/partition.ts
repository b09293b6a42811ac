import { hash } from 'node:crypto';

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
