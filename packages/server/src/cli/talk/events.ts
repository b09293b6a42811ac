import type { ExecutionRef } from '@hilo/engine';
import type { Ending, ExecutionStatus, HistoryEntry, Json, OpenWait } from '@hilo/engine/contract';
import type { Conversation, RecordedCall } from '@hilo/testing';

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
  | { readonly kind: 'unmatched' }
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
  /** To be told of every call of a driver. */
  readonly onCall: (call: RecordedCall) => void;
  /** Begins to listen. */
  listen(talk: Pick<Conversation, 'engine' | 'clock'>): void;
  /** What has happened since it was asked last. */
  take(): readonly TalkEvent[];
}

export function createEventLog(): EventLog {
  let events: TalkEvent[] = [];
  const add = (event: TalkEvent): void => void events.push(event);
  return {
    onCall: ({ effect, nodeId, executionId, request, atMs }) => add({ kind: 'effect', effect, nodeId, executionId, request, atMs }),
    listen({ engine, clock }) {
      engine.on('visit.left', (about, entry) => addFailure(add, about, entry));
      engine.on('execution.waiting', ({ workflowId, executionId, atMs }, wait) =>
        add({ kind: 'waiting', workflowId, executionId, wait, atMs }),
      );
      engine.on('execution.ended', ({ workflowId, executionId, atMs }, { status, outputs, failure }) =>
        add({ kind: 'ended', workflowId, executionId, status, outputs, ...(failure !== undefined && { failure }), atMs }),
      );
      engine.on('message.held', ({ kept }) => add({ kind: 'held', isKept: kept, atMs: clock.now() }));
      engine.on('message.unmatched', () => add({ kind: 'unmatched', atMs: clock.now() }));
      engine.on('engine.fault', ({ error, while: doing }) =>
        add({ kind: 'fault', message: `${String(error)} while ${doing}`, atMs: clock.now() }),
      );
    },
    take() {
      const taken = events;
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
