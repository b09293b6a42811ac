import type { Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenWait, Origin } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { LaneElsewhere } from './keyed-queue.ts';
import { EventEmitter } from 'eventemitter3';

/** Which execution an engine event is about. */
export interface ExecutionRef {
  readonly companyId: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number | 'draft';
  readonly origin: Origin;
  /** In milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** The user whom a message is from. */
export interface UserRef {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
}

/** What the engine tells, always after the fact is committed. */
export interface EngineEvents {
  'execution.started': [execution: ExecutionRef];
  'visit.left': [execution: ExecutionRef, entry: HistoryEntry];
  'effect.requested': [execution: ExecutionRef, entry: HistoryEntry];
  'effect.settled': [
    execution: ExecutionRef,
    effect: { readonly key: string; readonly type: string; readonly outcome: 'result' | 'failed' | 'unknown'; readonly cause?: string },
  ];
  'execution.waiting': [execution: ExecutionRef, wait: OpenWait];
  /** `failure` says cause, message and node of one that did not complete. */
  'execution.ended': [execution: ExecutionRef, ending: Ending & { readonly status: ExecutionStatus }];
  'message.received': [message: UserRef & { readonly message: JsonObject; readonly atMs: number }];
  /** A message came while a node held its user, and was discarded or kept for the next wait (RET-06). */
  'message.held': [message: UserRef & { readonly kept: boolean }];
  /** Nobody waited for it and no start took it. */
  'message.unmatched': [message: UserRef & { readonly message: JsonObject; readonly cause: UnmatchedCause }];
  /** A fifth of what an execution may visit, or keep as history, is used up; told once (P16). */
  'execution.nearLimit': [execution: ExecutionRef, used: { readonly visits: number; readonly historySize: number }];
  /** Taken out of work until an operator releases it (P17). */
  'execution.quarantined': [execution: ExecutionRef, what: { readonly reason: string }];
  /** What was unfinished in a lane goes on: after a start, a fault of the store, or the crash of another process. */
  'lane.recovered': [{ readonly lane: string }];
  /** Something that should not happen did; the engine went on. */
  'engine.fault': [fault: { readonly error: unknown; readonly while: string }];
}

/**
 * Why a message reached no workflow: the company has published none with a `start`; the `start` of none takes it; or it
 * could not be processed, again and again, and neither a wait nor a start is there that it could be kept with (P17).
 */
export type UnmatchedCause = 'NO_START_PUBLISHED' | 'NO_START_MATCHED' | 'NOT_PROCESSABLE';

/**
 * What came of a message: it began a workflow, it answered a wait, nobody took it, or it is `held`, since a person or a
 * node has its user and no workflow gets it.
 */
export type RoutedMessage = 'started' | 'resumed' | 'unmatched' | 'held';

/** Is told of an event. What it answers is not looked at; a promise that it answers with may be rejected. */
export type Listener<Name extends keyof EngineEvents> = (...args: EngineEvents[Name]) => unknown;

/** The listeners of an engine, for observation alone: nothing that the engine does depends on one. */
export interface Listeners {
  /** @returns removes the listener again */
  on<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): () => void;
  off<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): void;
  /** Calls each listener apart: one that throws, or whose promise is rejected, is told as `engine.fault` and harms no other. */
  emit<Name extends keyof EngineEvents>(name: Name, ...args: EngineEvents[Name]): void;
}

export function createListeners(): Listeners {
  const emitter = new EventEmitter<Record<string, (...args: readonly unknown[]) => void>>();
  /** What was registered for a listener, by event. */
  const guarded = new Map<string, Map<unknown, (...args: readonly unknown[]) => void>>();

  const emit: Listeners['emit'] = (name, ...args) => {
    // What is another process's to do is no fault.
    if (name === 'engine.fault' && (args as EngineEvents['engine.fault'])[0].error instanceof LaneElsewhere) return;
    emitter.emit(name, ...args);
  };

  const report = (name: string, error: unknown): void => {
    if (name !== 'engine.fault') emit('engine.fault', { error, while: `telling a listener of ${name}` });
  };

  const off: Listeners['off'] = (name, listener) => {
    const call = guarded.get(name)?.get(listener);
    if (call !== undefined) emitter.off(name, call);
    guarded.get(name)?.delete(listener);
  };

  return {
    on(name, listener) {
      const call = (...args: readonly unknown[]): void => {
        try {
          const answer = listener(...(args as EngineEvents[typeof name]));
          if (answer instanceof Promise) answer.catch((error: unknown) => report(name, error));
        } catch (error) {
          report(name, error);
        }
      };
      off(name, listener); // one that is there already is told once
      const ofName = guarded.get(name) ?? new Map<unknown, typeof call>();
      guarded.set(name, ofName.set(listener, call));
      emitter.on(name, call);
      return () => off(name, listener);
    },
    off,
    emit,
  };
}

/** Tells listeners what an advance did, once it is committed. */
export function publishEvents(
  events: Pick<Listeners, 'emit'>,
  before: ExecutionRecord,
  after: ExecutionRecord,
  history: readonly HistoryRecord[],
): void {
  const ref = executionRef(after);
  let asked = before.state.pending?.type ?? '';
  for (let line = 0; line < history.length; line += 1) {
    const { event, entries } = history[line] as HistoryRecord;
    if (event.type === 'execution.quarantined') events.emit('execution.quarantined', ref, { reason: event.reason });
    if (event.type === 'execution.started') events.emit('execution.started', ref);
    if (event.type === 'effect.settled') {
      const { settled, key } = event;
      if (settled.kind === 'result') events.emit('effect.settled', ref, { key, type: asked, outcome: 'result' });
      else events.emit('effect.settled', ref, { key, type: asked, outcome: settled.outcome, cause: settled.failure.cause });
    }
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index] as HistoryEntry;
      if (entry.effect !== undefined) asked = entry.effect.type;
      if (entry.port !== undefined) events.emit('visit.left', ref, entry);
      else if (entry.effect !== undefined) events.emit('effect.requested', ref, entry);
    }
  }
  if (isNearLimit(after.state) && !isNearLimit(before.state)) {
    const { visitsInAll: visits, historySize } = after.state;
    events.emit('execution.nearLimit', ref, { visits, historySize });
  }
  const { status, wait, ending } = after.state;
  const isNew = wait?.id !== before.state.wait?.id || before.state.status !== 'waiting';
  if (status === 'waiting' && wait !== undefined && isNew) events.emit('execution.waiting', ref, wait);
  if (finalStatuses.has(status) && !finalStatuses.has(before.state.status))
    events.emit('execution.ended', ref, { status, outputs: {}, ...ending });
}

const isNearLimit = ({ visitsInAll, historySize }: ExecutionState): boolean =>
  visitsInAll > limits.visitsInAll * limits.warnsAt || historySize > limits.historySize * limits.warnsAt;

/** Which execution something is about. */
const executionRef = ({ companyId, executionId, workflowId, version, updatedAtMs, state }: ExecutionRecord): ExecutionRef => ({
  companyId,
  executionId,
  workflowId,
  version,
  origin: state.origin,
  atMs: updatedAtMs,
});
