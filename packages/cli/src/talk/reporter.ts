import type { ExecutionRecord, HistoryRecord } from '@hilo/engine/contract';
import type { TalkEvent } from './events.ts';

/** Something asked for, as it stands. */
export type Shown =
  | { readonly kind: 'state'; readonly executions: readonly ExecutionRecord[] }
  | { readonly kind: 'history'; readonly records: readonly HistoryRecord[] }
  | { readonly kind: 'time'; readonly nextMs?: number }
  | { readonly kind: 'transcript'; readonly text: string }
  | { readonly kind: 'help' };

/** How it stands when something is reported. */
export interface Moment {
  readonly nowMs: number;
  /** The ids of all executions, oldest first. */
  readonly executionIds: readonly string[];
}

/** Tells a person or a program what happens in a talk. */
export interface Reporter {
  /** What the canvas is, and how to begin. */
  greet(moment: Moment): void;
  /** A line that was typed or read. */
  heard(line: string): void;
  events(events: readonly TalkEvent[], moment: Moment): void;
  show(shown: Shown, moment: Moment): void;
  /** A line that cannot be understood, or not done. */
  complain(reason: string): void;
}
