import { call, type Runner } from './statements/call.ts';
import { endedPage, type EndedPosition, insertExported, takeTurn } from './statements/retention.ts';
import { decodeText, encodeText } from './text-encoding.ts';

/** How an execution can have ended. */
export const outcomes = ['completed', 'failed', 'cancelled', 'expired'] as const;

/** An execution that has ended. */
export interface Ended extends EndedPosition {
  readonly companyId: string;
  readonly executionId: string;
  readonly lane: string;
  /** Whether it is marked as exported. */
  readonly isExported: boolean;
}

/** The histories of a store that were exported, so that each leaves at least once, and is not removed before. */
export interface HistoryExports {
  /** Makes this process the exporter until an instant. @returns false while another one is */
  takeTurn(holder: string, nowMs: number, untilMs: number): Promise<boolean>;
  /**
   * A page of executions of one outcome in the order in which they ended, exported or not. One may appear before a page that was read
   * already: instants are those of the decision, and commits take time.
   */
  page(status: (typeof outcomes)[number], after: EndedPosition, limit: number): Promise<readonly Ended[]>;
  /** Remembers that these were exported: `prune` with `onlyExported` may remove them. */
  mark(ended: readonly Pick<Ended, 'id' | 'lane'>[]): Promise<void>;
}

/** Creates what exports histories from a store: one process at a time has the turn. */
export const createHistoryExports = (runner: Runner): HistoryExports => ({
  takeTurn: async (holder, nowMs, untilMs) =>
    (await runner.writeOne(call(takeTurn, { name: 'exports', holder, nowMs, untilMs })))?.holder === holder,
  async page(status, after, limit) {
    const rows = await runner.read(call(endedPage, { status, ...after, limit }));
    return rows.map(({ id, company_id, execution_id, lane, ended_at_ms, exported }) => ({
      id,
      endedAtMs: ended_at_ms ?? 0,
      companyId: decodeText(company_id),
      executionId: decodeText(execution_id),
      lane: decodeText(lane),
      isExported: exported !== null,
    }));
  },
  async mark(ended) {
    await runner.write(ended.map(({ id, lane }) => call(insertExported, { execution: id, lane: encodeText(lane) })));
  },
});
