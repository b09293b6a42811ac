import { decodeText, encodeText } from '../text-encoding.ts';
import { batchLoader } from './batch-loader.ts';
import type { ExchangeParts } from './membership.ts';

/** Notifications between processes about items accepted for a lane. Items whose notice was lost are found by polling. */
export interface QueuedNotices {
  tell(lanes: readonly string[]): void;
  /** @param column - the lane as a column holds it */
  hear(column: string): void;
  /** Polls for overdue items without a notice. */
  look(): Promise<void>;
}

interface NoticeParts extends ExchangeParts {
  readonly overdueMs: number;
}

export function createQueuedNotices({ pool, questions, membership, listener, isOurs, overdueMs }: NoticeParts): QueuedNotices {
  /** Items that were found overdue before, and reported. */
  let known: ReadonlySet<number> = new Set();

  const tellTogether = batchLoader(async (lanes: readonly string[]) => {
    await pool.query(questions.tellQueued, [JSON.stringify(lanes.map(encodeText))]);
    return lanes.map(() => undefined);
  });

  const hear = (lane: string): void => {
    if (isOurs(lane)) listener()?.onQueued(lane);
  };

  return {
    tell(lanes) {
      for (const lane of lanes) tellTogether(lane).catch(() => undefined); // its process looks for itself
    },
    hear: (column) => hear(decodeText(column)),
    async look() {
      const me = membership.me();
      if (me === 0) return;
      const { rows } = await pool.query<{ readonly seq: number; readonly lane: string }>(questions.overdue, [me, overdueMs]);
      for (const { seq, lane } of rows) if (!known.has(seq)) hear(decodeText(lane));
      known = new Set(rows.map(({ seq }) => seq));
    },
  };
}
