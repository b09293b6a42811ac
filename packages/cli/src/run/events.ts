import type { ExecutionRef } from '@hilo/engine';
import type { Ending, ExecutionStatus, HistoryEntry, Json, OpenWait } from '@hilo/engine/contract';
import type { Conversation, RecordedCall, SimulationObserver } from '@hilo/simulator';

/** Something that happened in a conversation, as it is drawn or printed. */
export type RunEvent = { readonly atMs: number } & (
  | { readonly kind: 'effect'; readonly effect: string; readonly nodeId: string; readonly executionId: string; readonly request: Json }
  | {
      readonly kind: 'failure';
      readonly workflowId: string;
      readonly nodeId: string;
      readonly port: string;
      readonly cause: string;
      readonly message: string;
    }
  | { readonly kind: 'waiting'; readonly workflowId: string; readonly executionId: string; readonly wait: OpenWait }
  | {
      readonly kind: 'ended';
      readonly workflowId: string;
      readonly executionId: string;
      readonly status: ExecutionStatus;
      readonly outputs: Ending['outputs'];
      readonly failure?: Ending['failure'];
    }
  | { readonly kind: 'held'; readonly isKept: boolean }
  | { readonly kind: 'unmatched'; readonly reason: string }
  /** The outcome of a call that was performed here, such as code. */
  | { readonly kind: 'outcome'; readonly effect: string; readonly nodeId: string; readonly outcome: Json }
  /** A pending call, and a line that would answer it. */
  | { readonly kind: 'asks'; readonly effect: string; readonly nodeId: string; readonly example: string }
  | { readonly kind: 'heard'; readonly text: string }
  | { readonly kind: 'expired'; readonly conversationId: string }
  | {
      readonly kind: 'answered';
      readonly executionId?: string;
      readonly mode?: 'new' | 'resume';
      readonly isIgnored?: true;
      readonly error?: string;
      readonly message?: string;
    }
  | { readonly kind: 'fault'; readonly message: string }
);

/** Collects the events of a conversation, in order, until they are taken. */
export interface EventLog {
  /** Hears what the engine has no events for. @param nowMs - the conversation's time */
  observer(nowMs: () => number): SimulationObserver;
  /** Subscribes to the events of a conversation. */
  listen(conversation: Pick<Conversation, 'engine' | 'clock' | 'pending' | 'exampleFor'>): void;
  /** The events since the last call. */
  take(): readonly RunEvent[];
}

/** An empty log. Pass its observer to the simulation first, then let it listen to the conversation. */
export function createEventLog(): EventLog {
  let events: RunEvent[] = [];
  const add = (event: RunEvent): void => void events.push(event);
  /** Open calls that were reported already. */
  const asked = new Set<RecordedCall>();
  let stillOpen = (): readonly RunEvent[] => [];
  return {
    observer: (nowMs) => ({
      called: ({ effect, nodeId, executionId, request, atMs }) => add({ kind: 'effect', effect, nodeId, executionId, request, atMs }),
      answered: ({ effect, nodeId }, outcome) =>
        add({ kind: 'outcome', effect, nodeId, outcome: outcome instanceof Error ? { error: outcome.message } : outcome, atMs: nowMs() }),
      unmatched: (reason) => add({ kind: 'unmatched', reason, atMs: nowMs() }),
      heard: (text) => add({ kind: 'heard', text, atMs: nowMs() }),
      expired: (conversationId) => add({ kind: 'expired', conversationId, atMs: nowMs() }),
    }),
    listen({ engine, clock, pending, exampleFor }) {
      stillOpen = () =>
        pending().flatMap((call) => {
          const example = asked.has(call) ? undefined : exampleFor(call);
          asked.add(call);
          const { effect, nodeId } = call;
          return example === undefined ? [] : [{ kind: 'asks', effect, nodeId, example, atMs: clock.now() }];
        });
      engine.on('visit.left', (execution, entry) => addFailure(add, execution, entry));
      engine.on('execution.waiting', ({ workflowId, executionId, atMs }, wait) =>
        add({ kind: 'waiting', workflowId, executionId, wait, atMs }),
      );
      engine.on('execution.ended', ({ workflowId, executionId, atMs }, { status, outputs, failure }) =>
        add({ kind: 'ended', workflowId, executionId, status, outputs, ...(failure !== undefined && { failure }), atMs }),
      );
      engine.on('message.held', ({ kept }) => add({ kind: 'held', isKept: kept, atMs: clock.now() }));
      engine.on('engine.fault', ({ error, while: doing }) =>
        add({ kind: 'fault', message: `${String(error)} while ${doing}`, atMs: clock.now() }),
      );
    },
    take() {
      const taken = [...events, ...stillOpen()];
      events = [];
      return taken;
    },
  };
}

/** A visit that failed names its cause and the port that it left by. */
function addFailure(
  add: (event: RunEvent) => void,
  { workflowId, atMs }: ExecutionRef,
  { nodeId, port = '', cause, message = '' }: HistoryEntry,
): void {
  if (cause !== undefined) add({ kind: 'failure', workflowId, nodeId, port, cause, message, atMs });
}
