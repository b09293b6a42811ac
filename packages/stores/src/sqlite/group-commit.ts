import { storeClosed, storeUnavailable } from '../store-error.ts';
import type { Write, WriteOutcome } from './write-group.ts';
import type { Writer } from './writer.ts';

/** How many writes share one transaction at most: more would keep everything else waiting. */
const largestGroup = 256;

/**
 * With a writer thread, this many writes are handed over before the end of the turn, by the number of groups in flight: otherwise the
 * threads would wait for each other. While a group is in flight, fewer suffice: each group costs a transaction and two messages,
 * whatever its size.
 */
const enoughForThread = [8, 32] as const;

/** Writes that arrive together are made durable together. */
export interface GroupCommit {
  /** Writes in the next group; resolves once that is durable. */
  add(write: Write): Promise<WriteOutcome>;
  /** Writes everything queued, then accepts nothing more. */
  close(): Promise<void>;
}

interface WaitingWrite {
  readonly write: Write;
  readonly resolve: (outcome: WriteOutcome) => void;
}

/**
 * One transaction, and one `fsync`, for writes that arrive together. While a group is written the next writes arrive, so that groups
 * grow with the load and a lone write does not wait.
 */
export function createGroupCommit(writer: Writer): GroupCommit {
  let waiting: WaitingWrite[] = [];
  let inFlight = 0;
  let isClosed = false;
  let isScheduled = false;
  let onIdle: () => void = () => undefined;
  const isElsewhere = writer.maxInFlight > 1;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (waiting.length > 0 && inFlight === 0) void handOver();
    });
  };

  const handOver = async (): Promise<void> => {
    const group = waiting.slice(0, largestGroup);
    waiting = waiting.slice(largestGroup);
    inFlight += 1;
    const outcomes = await outcomesOf(group);
    inFlight -= 1;
    if (waiting.length > 0 && isElsewhere) void handOver(); // before the answers: that thread writes while they are followed
    group.forEach(({ resolve }, index) => resolve(outcomes[index] ?? { error: storeUnavailable('No answer') }));
    if (waiting.length > 0) schedule();
    else if (inFlight === 0) onIdle();
  };

  const outcomesOf = async (group: readonly WaitingWrite[]): Promise<readonly WriteOutcome[]> => {
    try {
      return await writer.write(group.map(({ write }) => write));
    } catch (error) {
      return group.map(() => ({ error }));
    }
  };

  return {
    add(write) {
      if (isClosed) return Promise.reject(storeClosed());
      const { promise, resolve } = Promise.withResolvers<WriteOutcome>();
      waiting.push({ write, resolve });
      const enough = isElsewhere ? enoughForThread[inFlight] : undefined;
      if (enough !== undefined && waiting.length >= enough) void handOver();
      else schedule();
      return promise;
    },
    async close() {
      isClosed = true;
      if (waiting.length > 0 || inFlight > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}
