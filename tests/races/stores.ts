import { createMemoryStore } from '@hilo/engine';
import type { ExecutionStore } from '@hilo/engine/contract';
import { createSharedStore, type StoreConnection } from '../cluster/shared-store.ts';
import type { Course } from './course.ts';

/** What several processes hold together, and how each of them has it. */
export interface Holdings {
  readonly contents: ExecutionStore;
  readonly stores: readonly ExecutionStore[];
}

/** A lane is one process's at a time. */
export function withLeases(course: Course, processes = 2): Holdings {
  const { contents, connect } = createSharedStore(course.clock, { answerMs: Number.POSITIVE_INFINITY });
  return { contents, stores: Array.from({ length: processes }, (_, process) => toldBy(course, process, connect())) };
}

/** A process's store, whose notifications are tasks of the course. */
export function toldBy(course: Course, process: number, { store, notifyBy }: StoreConnection): ExecutionStore {
  notifyBy((label, run) => course.tell(`process ${process}: ${label}`, run));
  return store;
}

/** Processes separated by conditional writes alone. */
export const withoutLeases = (contents: ExecutionStore = createMemoryStore(), processes = 2): Holdings => ({
  contents,
  stores: Array.from({ length: processes }, () => contents),
});
