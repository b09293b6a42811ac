import type { ExecutionRef } from '@hilo/engine';
import type { Ending, ExecutionStatus, HistoryEntry, Json, OpenWait } from '@hilo/engine/contract';
import type { Conversation, RecordedCall, SimulationObserver } from '@hilo/simulator';

/** Something that came of what was done, as it is drawn or printed. */
export type TalkEvent = { readonly atMs: number } & (
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
  /** What came of a call that nobody was asked about, such as code. */
  | { readonly kind: 'outcome'; readonly effect: string; readonly nodeId: string; readonly outcome: Json }
  /** A call that stands until it is answered, and a line that would answer it. */
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

/** Collects what happens in a conversation, in order, until it is taken. */
export interface EventLog {
  /** To be told what happens beside what the engine tells. @param clock - the talk's time */
  observer(nowMs: () => number): SimulationObserver;
  /** Begins to listen. */
  listen(talk: Pick<Conversation, 'engine' | 'clock' | 'pending' | 'exampleFor'>): void;
  /** What has happened since it was asked last. */
  take(): readonly TalkEvent[];
}

export function createEventLog(): EventLog {
  let events: TalkEvent[] = [];
  const add = (event: TalkEvent): void => void events.push(event);
  /** Calls that an answer has been asked for. */
  const asked = new Set<RecordedCall>();
  let stillOpen = (): readonly TalkEvent[] => [];
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
      engine.on('visit.left', (about, entry) => addFailure(add, about, entry));
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

/** A visit that failed names its cause, and goes on by another port than was hoped for. */
function addFailure(
  add: (event: TalkEvent) => void,
  { workflowId, atMs }: ExecutionRef,
  { nodeId, port = '', cause, message = '' }: HistoryEntry,
): void {
  if (cause !== undefined) add({ kind: 'failure', workflowId, nodeId, port, cause, message, atMs });
}
