import type { ExecutionRecord, HistoryRecord } from '@hilo/engine/contract';
import { toSafeJson } from '../paint.ts';
import type { RunEvent } from './events.ts';
import type { RunSetup } from './setup.ts';

/** The answer to `/state`, `/history`, `/time`, `/transcript` or `/help`. */
export type Shown =
  | { readonly kind: 'state'; readonly executions: readonly ExecutionRecord[] }
  | { readonly kind: 'history'; readonly records: readonly HistoryRecord[] }
  | { readonly kind: 'time'; readonly nextMs?: number }
  | { readonly kind: 'transcript'; readonly text: string }
  | { readonly kind: 'help' };

/** The state of the conversation when something is reported. */
export interface Moment {
  readonly nowMs: number;
  /** The ids of all executions, oldest first. */
  readonly executionIds: readonly string[];
}

/** Shows a person or a program what happens in a conversation. */
export interface Reporter {
  /** What the canvas is, and how to begin. */
  greet(moment: Moment): void;
  /** A line that was typed or read. */
  input(line: string): void;
  events(events: readonly RunEvent[], moment: Moment): void;
  show(shown: Shown, moment: Moment): void;
  /** Why a line cannot be parsed or performed. */
  complain(reason: string): void;
}

/** Prints a conversation for a program: one JSON object a line, each with its `kind`. */
export function createJsonReporter({ main, canvases, channel, user }: RunSetup, print: (text: string) => void): Reporter {
  const line = (value: object): void => print(toSafeJson(value));
  return {
    greet: ({ nowMs }: Moment) =>
      line({
        kind: 'ready',
        workflowId: main.id,
        workflows: canvases.map(({ id }) => id),
        channel,
        user,
        atMs: nowMs,
      }),
    input: (text) => line({ kind: 'line', line: text }),
    events: (events) => events.forEach(line),
    show: (shown, { nowMs }) => line(shown.kind === 'time' ? { ...shown, nowMs } : shown),
    complain: (reason) => line({ kind: 'complaint', reason }),
  };
}
