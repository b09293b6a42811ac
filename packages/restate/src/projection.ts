import type { Commit, EngineContext, ExecutionStore } from '@hilo/engine/runtime-kit';

/** Writes what lanes decide into the store that executions, histories, lists and statistics are read from. */
export interface Projection {
  /** Writes commits of one lane, in order; earlier writes are left as they are. */
  write(commits: readonly Commit[]): Promise<void>;
}

/** The projection into an engine's store. Writing the same commits again changes nothing. */
export const createProjection = ({ store }: Pick<EngineContext, 'store'>): Projection => ({
  async write(commits) {
    for (const commit of commits) {
      const committed = await store.commit(commit);
      // A duplicate, and a conflict with itself, were written by an attempt that died before it could answer.
      if (committed.kind === 'conflict' && !(await isWritten(store, commit)))
        throw new Error(`The store has other revisions of ${commit.saves.map(({ executionId }) => executionId).join(', ')} than Restate`);
    }
  },
});

async function isWritten(store: ExecutionStore, { saves }: Commit): Promise<boolean> {
  const stored = await Promise.all(saves.map(async ({ companyId, executionId }) => store.load(companyId, executionId)));
  return saves.every(({ revision }, index) => (stored[index]?.revision ?? 0) >= revision);
}

/** The parts of a store that a commit goes through. */
export interface Committing<Calls> {
  readonly executions: ExecutionStore;
  commitWith(commit: Commit, calls: Calls): ReturnType<ExecutionStore['commit']>;
}

/**
 * A store as the read model of executions while Restate keeps their lanes: it has no inbox, since accepted items are in the lane.
 */
export function createReadModel<Calls, Store extends Committing<Calls>>(store: Store & Committing<Calls>): Store {
  const withoutInbox = (commit: Commit): Commit => ({ ...commit, enqueue: [], dequeue: [] });
  const { leases: _leases, ...executions } = store.executions; // Restate gives each lane one writer
  return {
    ...store,
    executions: { ...executions, commit: (commit) => executions.commit(withoutInbox(commit)) },
    commitWith: (commit, calls) => store.commitWith(withoutInbox(commit), calls),
  };
}
