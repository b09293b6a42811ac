import type { ExecutionStore } from '@hilo/engine/contract';

/** The duration of commits, for metrics. */
export interface CommitTimes {
  /** @param listener - called with the duration, in milliseconds, of every successful commit */
  listen(listener: (durationMs: number) => void): void;
}

/** A store whose commits are timed. */
export function measureCommits(store: ExecutionStore): { readonly store: ExecutionStore; readonly commitTimes: CommitTimes } {
  const listeners: ((durationMs: number) => void)[] = [];
  return {
    store: {
      ...store,
      async commit(commit) {
        const startedAt = performance.now();
        const committed = await store.commit(commit);
        const durationMs = performance.now() - startedAt;
        for (const listener of listeners) listener(durationMs);
        return committed;
      },
    },
    commitTimes: { listen: (listener) => void listeners.push(listener) },
  };
}
