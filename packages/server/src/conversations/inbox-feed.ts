// Tells the open inboxes of this process when something in them has changed.
import { type Clock, isWithin } from '@hilo/engine/contract';
import type { Runner } from '@hilo/stores';
import { readInboxState } from './inbox.ts';

/** The changes of inboxes, by company. */
export interface InboxFeed {
  /** Called when a message was kept, or a conversation began, ended or changed hands. */
  changed(companyId: string): void;
  /** @returns what ends it */
  listen(companyId: string, wake: () => void): () => void;
  /** Another text after each change, also of other processes. All inboxes of a company share what is read. */
  state(companyId: string, botIds: readonly string[]): Promise<string>;
}

/** For how long what was read serves other inboxes of the company. */
const sharedMs = 900;

export function createInboxFeed({
  runner,
  clock,
}: {
  readonly runner: Pick<Runner, 'read' | 'readEach'>;
  readonly clock: Pick<Clock, 'now'>;
}): InboxFeed {
  const listeners = new Map<string, Set<() => void>>();
  const read = new Map<string, { readonly atMs: number; readonly state: Promise<string> }>();
  return {
    changed(companyId) {
      read.delete(companyId);
      for (const wake of listeners.get(companyId) ?? []) wake();
    },
    listen(companyId, wake) {
      const own = listeners.get(companyId) ?? new Set();
      listeners.set(companyId, own.add(wake));
      return () => {
        own.delete(wake);
        if (own.size > 0 || listeners.get(companyId) !== own) return;
        listeners.delete(companyId);
        read.delete(companyId);
      };
    },
    state(companyId, botIds) {
      const shared = read.get(companyId);
      if (shared !== undefined && isWithin(shared.atMs, sharedMs, clock.now())) return shared.state;
      const state = readInboxState(runner, companyId, botIds);
      read.set(companyId, { atMs: clock.now(), state });
      state.catch(() => read.delete(companyId)); // the next inbox tries again
      return state;
    },
  };
}
