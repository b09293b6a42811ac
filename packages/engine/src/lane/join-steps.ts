// A message that is accepted and has its turn in one commit.
import type { InboxItem } from '../contract/store.ts';
import { none } from '../machine/transition-context.ts';
import type { LaneStep } from './step.ts';

/** The item that an accepting step queues in this lane; none where the message is discarded, or is another lane's. */
export function findAccepted({ commit }: LaneStep, lane: string): InboxItem | undefined {
  const item = commit?.enqueue[0];
  return item?.lane === lane ? { ...item, seq: 0 } : undefined;
}

/** The turn of an item together with its acceptance: the item is never queued. @returns nothing where it has to keep its place in the queue */
export function joinSteps({ commit: accepting, repeated }: LaneStep, turn: LaneStep): LaneStep | undefined {
  if (accepting?.seen === undefined || repeated === undefined || turn.commit === undefined) return undefined;
  const { contacts, enqueue: taken, seen } = accepting;
  const commit = { ...turn.commit, contacts: [...contacts, ...turn.commit.contacts], dequeue: none, taken, seen };
  return { ...turn, commit, repeated };
}
