import type { InboundMessage, StartRequest, WebhookCall } from '@hilo/engine';
import type { Canvas, ExecutionStatus, WaitKind } from '@hilo/engine/contract';
import type { Kill } from './points.ts';

/** What a process is started with. */
export interface ProcessOptions {
  /** The SQLite file. */
  readonly path: string;
  /** Where the ledger listens on 127.0.0.1. */
  readonly ledgerPort: number;
  /** Which process over this file it is: 1 for the first. */
  readonly processNumber: number;
  /** Where it dies; without one it runs until it is closed. */
  readonly kill?: Kill;
}

/** What a process is asked to do. Each resolves when its consequence is durable. */
export type Command =
  | { readonly verb: 'message'; readonly message: InboundMessage }
  | { readonly verb: 'start'; readonly start: StartRequest }
  | { readonly verb: 'webhook'; readonly call: WebhookCall }
  | { readonly verb: 'cancel' | 'release'; readonly executionId: string }
  | { readonly verb: 'publish'; readonly canvas: Canvas }
  /** Removes what failed, at once; what ended otherwise stays. */
  | { readonly verb: 'prune' }
  | { readonly verb: 'checkpoint' }
  /** Resolves when nothing is under way and nothing falls due within a minute. */
  | { readonly verb: 'settle' }
  /** The executions that have not ended. */
  | { readonly verb: 'list-open' };

/** An execution that has not ended. */
export interface OpenExecution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly wait: WaitKind | null;
}

/** A line to the process: the answer has the same id. */
export interface CommandLine {
  readonly id: number;
  readonly command: Command;
}

/** A line from the process. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly code: string; readonly message: string }
  /** The engine reported a fault, or a rejection was left unhandled. */
  | { readonly kind: 'fault'; readonly message: string }
  /** A message was taken out of its lane, without an execution: the process died repeatedly with it at hand, and once more at that (P17). */
  | { readonly kind: 'dropped'; readonly eventId: string }
  /** The last line before death. */
  | { readonly kind: 'died'; readonly kill: Kill };
