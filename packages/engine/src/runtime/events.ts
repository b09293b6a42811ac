// The events of an engine, and who listens to them.
import type { Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenWait, Origin } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { Problem } from '../contract/problem.ts';
import { HiloError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import type { MessageEvents, MessageTell } from '../lane/message-events.ts';
import { LaneElsewhere } from './keyed-queue.ts';
import { EventEmitter } from 'eventemitter3';

/** A version that open executions are in, and that the nodes of this engine cannot run. */
export interface IncompatibleVersion {
  readonly companyId: string;
  readonly workflowId: string;
  readonly version: number | 'draft';
  /** How many executions are open in it; 5,000 stands for as many or more. */
  readonly executions: number;
  /** When the oldest of them began, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** Why: a node type that is gone, a new field that is required, a port that has another name. */
  readonly problems: readonly Problem[];
}

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

/** The events of the engine, emitted after the commit; `effect.progressed` alone is of something that has none. */
export interface EngineEvents extends MessageEvents {
  'execution.started': [execution: ExecutionRef];
  'visit.left': [execution: ExecutionRef, entry: HistoryEntry];
  'effect.requested': [execution: ExecutionRef, entry: HistoryEntry];
  'effect.settled': [
    execution: ExecutionRef,
    effect: { readonly key: string; readonly type: string; readonly outcome: 'result' | 'failed' | 'unknown'; readonly cause?: string },
  ];
  /** What a driver says of an effect while it performs it. Not stored: only the process that performs it tells, and nobody tells it again. */
  'effect.progressed': [
    progress: {
      readonly companyId: string;
      readonly origin: Origin;
      readonly executionId: string;
      readonly nodeId: string;
      readonly key: string;
      readonly value: Json;
    },
  ];
  'execution.waiting': [execution: ExecutionRef, wait: OpenWait];
  /** `failure` has cause, message and node of one that did not complete. */
  'execution.ended': [execution: ExecutionRef, ending: Ending & { readonly status: ExecutionStatus }];
  /** A fifth of the limit of visits or of history is used; emitted once (P16). */
  'execution.nearLimit': [execution: ExecutionRef, used: { readonly visits: number; readonly historySize: number }];
  /** Taken out of work until an operator releases it (P17). */
  'execution.quarantined': [execution: ExecutionRef, what: { readonly reason: string }];
  /**
   * At the start: the nodes of this engine cannot run a version that open executions are in. They are held: what their users write is kept.
   */
  'version.incompatible': [version: IncompatibleVersion];
  /** Unfinished work of a lane is recovered: after a start, a fault of the store, or the crash of another process. */
  'lane.recovered': [{ readonly lane: string }];
  /** An unexpected error; the engine continued. */
  'engine.fault': [fault: { readonly error: unknown; readonly while: string }];
}

/** Every event there is: a listener of another name would never be called. */
const eventNames = {
  'execution.started': true,
  'visit.left': true,
  'effect.requested': true,
  'effect.settled': true,
  'effect.progressed': true,
  'execution.waiting': true,
  'execution.ended': true,
  'message.received': true,
  'message.held': true,
  'message.attended': true,
  'message.unmatched': true,
  'execution.nearLimit': true,
  'execution.quarantined': true,
  'version.incompatible': true,
  'lane.recovered': true,
  'engine.fault': true,
} as const satisfies Record<keyof EngineEvents, true>;

/** Receives an event. Its result is ignored; a promise that it returns may be rejected. */
export type Listener<Name extends keyof EngineEvents> = (...args: EngineEvents[Name]) => unknown;

/** The listeners of an engine, for observation alone: nothing that the engine does depends on one. */
export interface Listeners {
  /** @returns removes the listener again */
  on<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): () => void;
  off<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): void;
  /** Calls each listener separately: an error, thrown or rejected, is emitted as `engine.fault` and affects no other. */
  emit<Name extends keyof EngineEvents>(name: Name, ...args: EngineEvents[Name]): void;
}

export function createListeners(): Listeners {
  const emitter = new EventEmitter<Record<string, (...args: readonly unknown[]) => void>>();
  /** The registered wrapper of a listener, by event. */
  const guarded = new Map<string, Map<unknown, (...args: readonly unknown[]) => void>>();

  const emit: Listeners['emit'] = (name, ...args) => {
    // Work that another process took over is no fault.
    if (name === 'engine.fault' && (args as EngineEvents['engine.fault'])[0].error instanceof LaneElsewhere) return;
    emitter.emit(name, ...args);
  };

  const report = (name: string, error: unknown): void => {
    if (name !== 'engine.fault') emit('engine.fault', { error, while: `calling a listener of ${name}` });
  };

  const off: Listeners['off'] = (name, listener) => {
    const call = guarded.get(name)?.get(listener);
    if (call !== undefined) emitter.off(name, call);
    guarded.get(name)?.delete(listener);
  };

  return {
    on(name, listener) {
      if (!Object.hasOwn(eventNames, name))
        throw new HiloError('INVALID_OPTIONS', { reason: `There is no event "${name}"; there are ${Object.keys(eventNames).join(', ')}` });
      if (typeof listener !== 'function') throw new HiloError('INVALID_OPTIONS', { reason: `The listener of ${name} must be a function` });
      const call = (...args: readonly unknown[]): void => {
        try {
          const answer = listener(...(args as EngineEvents[typeof name]));
          if (answer instanceof Promise) answer.catch((error: unknown) => report(name, error));
        } catch (error) {
          report(name, error);
        }
      };
      off(name, listener); // a listener that is registered twice is called once
      const ofName = guarded.get(name) ?? new Map<unknown, typeof call>();
      guarded.set(name, ofName.set(listener, call));
      emitter.on(name, call);
      return () => off(name, listener);
    },
    off,
    emit,
  };
}

/** Emits the events about messages of a committed step. */
export function publishTells(events: Pick<Listeners, 'emit'>, tells: readonly MessageTell[]): void {
  for (const tell of tells)
    switch (tell[0]) {
      case 'message.received':
        events.emit(tell[0], tell[1]);
        break;
      case 'message.held':
        events.emit(tell[0], tell[1]);
        break;
      case 'message.attended':
        events.emit(tell[0], tell[1]);
        break;
      case 'message.unmatched':
        events.emit(tell[0], tell[1]);
    }
}

/** Emits the events of a committed advance. */
export function publishEvents(
  events: Pick<Listeners, 'emit'>,
  before: ExecutionRecord,
  after: ExecutionRecord,
  history: readonly HistoryRecord[],
): void {
  const { companyId, executionId, workflowId, version, updatedAtMs: atMs, state } = after;
  const ref: ExecutionRef = { companyId, executionId, workflowId, version, origin: state.origin, atMs };
  let requestedType = before.state.pending?.type ?? '';
  for (let line = 0; line < history.length; line += 1) {
    const { event, entries } = history[line] as HistoryRecord;
    if (event.type === 'execution.quarantined') events.emit('execution.quarantined', ref, { reason: event.reason });
    if (event.type === 'execution.started' || event.type === 'execution.forked') events.emit('execution.started', ref);
    if (event.type === 'effect.settled') {
      const { settled, key } = event;
      if (settled.kind === 'result') events.emit('effect.settled', ref, { key, type: requestedType, outcome: 'result' });
      else events.emit('effect.settled', ref, { key, type: requestedType, outcome: settled.outcome, cause: settled.failure.cause });
    }
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index] as HistoryEntry;
      if (entry.effect !== undefined) requestedType = entry.effect.type;
      if (entry.port !== undefined) events.emit('visit.left', ref, entry);
      else if (entry.effect !== undefined) events.emit('effect.requested', ref, entry);
    }
  }
  if (isNearLimit(state) && !isNearLimit(before.state)) {
    const { visitsInAll: visits, historySize } = state;
    events.emit('execution.nearLimit', ref, { visits, historySize });
  }
  const { status, wait, ending } = state;
  const isNew = wait?.id !== before.state.wait?.id || before.state.status !== 'waiting';
  if (status === 'waiting' && wait !== undefined && isNew) events.emit('execution.waiting', ref, wait);
  if (finalStatuses.has(status) && !finalStatuses.has(before.state.status))
    events.emit('execution.ended', ref, { status, outputs: {}, ...ending });
}

const isNearLimit = ({ visitsInAll, historySize }: ExecutionState): boolean =>
  visitsInAll > limits.visitsInAll * limits.warnsAt || historySize > limits.historySize * limits.warnsAt;
