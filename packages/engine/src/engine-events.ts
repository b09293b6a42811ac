import type { Ending, ExecutionStatus, HistoryEntry, OpenWait, Origin } from './contract/execution.ts';
import type { JsonObject } from './contract/json.ts';

/** Which execution an engine event is about. */
export interface About {
  readonly companyId: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number | 'draft';
  readonly origin: Origin;
  readonly atMs: number;
}

/** What the engine tells, always after the fact is committed. A listener that throws harms nobody. */
export interface EngineEvents {
  'execution.started': [about: About];
  'visit.left': [about: About, entry: HistoryEntry];
  'effect.requested': [about: About, entry: HistoryEntry];
  'effect.settled': [
    about: About,
    effect: { readonly key: string; readonly type: string; readonly outcome: 'result' | 'failed' | 'unknown'; readonly cause?: string },
  ];
  'execution.waiting': [about: About, wait: OpenWait];
  'execution.ended': [about: About, ending: Ending & { readonly status: ExecutionStatus }];
  'message.received': [
    message: {
      readonly companyId: string;
      readonly botId: string;
      readonly userId: string;
      readonly message: JsonObject;
      readonly atMs: number;
    },
  ];
  /** A message came while a node held its user, and was discarded or kept for the next wait (RET-06). */
  'message.held': [message: { readonly companyId: string; readonly botId: string; readonly userId: string; readonly kept: boolean }];
  /** Nobody waited for it and no start took it. */
  'message.unmatched': [
    message: { readonly companyId: string; readonly botId: string; readonly userId: string; readonly message: JsonObject },
  ];
  /** A fifth of what an execution may visit, or keep as history, is used up; told once (P16). */
  'execution.nearLimit': [about: About, used: { readonly visits: number; readonly historyBytes: number }];
  /** Taken out of work until an operator releases it (P17). */
  'execution.quarantined': [about: About, what: { readonly reason: string }];
  /** What was unfinished in a lane goes on: after a start, a fault of the store, or the death of another process. */
  'lane.takenUp': [{ readonly lane: string }];
  /** Something that should not happen did; the engine went on. */
  'engine.fault': [fault: { readonly error: unknown; readonly while: string }];
}
