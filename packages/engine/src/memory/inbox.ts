import { isInternal } from '../contract/inbox.ts';
import type { InboxItem } from '../contract/store.ts';

/** Accepted items without a consequence yet, by lane. */
export interface MemoryQueue {
  /** @returns its number */
  add(queued: Omit<InboxItem, 'seq'>): number;
  has(seq: number): boolean;
  delete(seq: number): void;
  next(lane: string, filter?: { readonly isInternal: true }): InboxItem | undefined;
  count(lane: string): number;
  lanes(): Iterable<string>;
}

/** Two queues, each in order: internal items come first. */
interface Lines {
  readonly internal: Map<number, InboxItem>;
  readonly others: Map<number, InboxItem>;
}

export function createMemoryQueue(): MemoryQueue {
  const lanes = new Map<string, Lines>();
  const laneOf = new Map<number, string>();
  let lastSeq = 0;
  return {
    add(queued) {
      lastSeq += 1;
      const { lane } = queued;
      const lines = lanes.get(lane) ?? { internal: new Map<number, InboxItem>(), others: new Map<number, InboxItem>() };
      lanes.set(lane, lines);
      laneOf.set(lastSeq, lane);
      (isInternal(queued) ? lines.internal : lines.others).set(lastSeq, { ...queued, seq: lastSeq });
      return lastSeq;
    },
    has: (seq) => laneOf.has(seq),
    delete(seq) {
      const lane = laneOf.get(seq) ?? '';
      const lines = lanes.get(lane);
      if (lines === undefined) return;
      laneOf.delete(seq);
      lines.internal.delete(seq);
      lines.others.delete(seq);
      if (lines.internal.size + lines.others.size === 0) lanes.delete(lane);
    },
    next(lane, filter) {
      const { internal, others } = lanes.get(lane) ?? {};
      const [first] = internal?.values() ?? [];
      if (first !== undefined || filter !== undefined) return first;
      const [other] = others?.values() ?? [];
      return other;
    },
    count(lane) {
      const { internal, others } = lanes.get(lane) ?? {};
      return (internal?.size ?? 0) + (others?.size ?? 0);
    },
    lanes: () => lanes.keys(),
  };
}
