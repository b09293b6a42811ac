import { createMemoryStore } from '@hilo/engine';
import type { ExecutionStore } from '@hilo/engine/contract';
import { createSharedStore } from '../cluster/shared-store.ts';
import type { Course } from './course.ts';

/** What several processes hold together, and how each of them has it. */
export interface Holdings {
  readonly contents: ExecutionStore;
  readonly stores: readonly ExecutionStore[];
}

/** A lane is one process's at a time. */
export function withLeases({ clock }: Course, processes = 2): Holdings {
  const { contents, connect } = createSharedStore(clock);
  return { contents, stores: Array.from({ length: processes }, () => connect().store) };
}

/** Nothing but conditional writes stands between the processes. */
export const withoutLeases = (contents: ExecutionStore = createMemoryStore(), processes = 2): Holdings => ({
  contents,
  stores: Array.from({ length: processes }, () => contents),
});
