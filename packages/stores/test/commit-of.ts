import type { Commit } from '@hilo/engine/contract';

/** A commit of what is given, and of nothing else. */
export const commitOf = (parts: Partial<Commit>): Commit => ({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], ...parts });
