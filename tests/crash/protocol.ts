import type { InboundMessage, StartRequest, WebhookCall } from '@hilo/engine';
import type { Canvas, ExecutionStatus, WaitKind } from '@hilo/engine/contract';
import type { Kill } from './points.ts';

/** What a process is started with. */
export interface LifeOptions {
  /** The SQLite file. */
  readonly path: string;
  /** Where the ledger listens on 127.0.0.1. */
  readonly ledgerPort: number;
  /** Which process over this file it is: 1 for the first. */
  readonly life: number;
  /** Where it dies; without one it runs until it is closed. */
  readonly kill?: Kill;
}

/** Requests to a process. Each resolves when its consequence is durable. */
export type Ask =
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
  | { readonly verb: 'standing' };

/** An execution that has not ended. */
export interface Standing {
  readonly executionId: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly wait: WaitKind | null;
}

/** A line to the process. */
export interface Line {
  readonly id: number;
  readonly ask: Ask;
}

/** A line from the process. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly code: string; readonly message: string }
  /** The engine reported a fault, or a rejection was left unhandled. */
  | { readonly kind: 'fault'; readonly message: string }
  /** The last line before death. */
  | { readonly kind: 'died'; readonly kill: Kill };
