// What a decision reads beyond its own execution: what it needs, and what it is answered with.
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { AcceptedMessage } from '../contract/event.ts';
import type { Contact, Origin } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';

/** The target of a child call or a jump. A draft without a named version calls drafts (VER-02). */
export interface CallTarget {
  readonly workflowId: string;
  readonly version: number | 'latest' | 'draft';
}

/** A canvas, and which version of its workflow it is. */
export interface Pinned {
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
}

/** A workflow that can be called or started, and the node it begins at. */
export interface Callable extends Pinned {
  readonly entry: string;
}

/** The published start that a message matches. */
export interface MatchingStart extends Callable {
  readonly origin: Origin;
}

/** The start that a message matches; or why none does. */
export type FoundStart = MatchingStart | 'NO_START_PUBLISHED' | 'NO_START_MATCHED' | 'WORKFLOW_PAUSED';

/** Why a workflow cannot be called. */
export interface NotCallable {
  readonly cause: 'WORKFLOW_NOT_FOUND' | 'WORKFLOW_PAUSED';
  readonly message: string;
}

/** Which starts a message may match. `interrupting`: only those that interrupt an open question, `named`: any; neither by fallback. */
export type Among = 'all' | 'named' | 'interrupting';

/** What a decision has to read before it can be made. */
export type Need =
  /** `isForEnd`: as far as it can be compiled, where the nodes of this release cannot run all of it. */
  | { readonly kind: 'canvas'; readonly hash: string; readonly isForEnd: boolean }
  | { readonly kind: 'workflow'; readonly target: CallTarget }
  | { readonly kind: 'waits'; readonly name: string; readonly correlation: string }
  | { readonly kind: 'heldSignals' }
  | { readonly kind: 'execution'; readonly executionId: string }
  | { readonly kind: 'failureWorkflow' }
  /** The scopes from outside, of an execution with this origin. */
  | { readonly kind: 'scopes'; readonly origin: Origin }
  | { readonly kind: 'contact'; readonly botId: string; readonly ids: readonly string[] }
  | { readonly kind: 'bot'; readonly botId: string }
  /** Whether an operator talks with this user. */
  | { readonly kind: 'attended'; readonly botId: string; readonly userId: string }
  /** The campaign that a message of this user answers. */
  | { readonly kind: 'campaign'; readonly botId: string; readonly userId: string }
  /** The open questions of a user: all of them, or the one that was asked last. */
  | { readonly kind: 'questions'; readonly botId: string; readonly userId: string; readonly isAll: boolean }
  /** The published start that the message of this decision matches. */
  | { readonly kind: 'start'; readonly accepted: AcceptedMessage; readonly among: Among }
  | { readonly kind: 'seen'; readonly keys: readonly string[] }
  | { readonly kind: 'history'; readonly executionId: string }
  /** The event loop has others to serve first. */
  | { readonly kind: 'turn' };

/** The decision cannot be made yet: read this, and decide again. */
export interface Missing {
  readonly kind: 'missing';
  readonly need: Need;
}

/** What each need that is read is answered with. */
export interface Answers {
  /** The workflow that a child call or a jump names, or why it cannot be called. */
  readonly workflow: Callable | NotCallable;
  /** The executions that wait for a signal. */
  readonly waits: readonly ExecutionRecord[];
  /** How many signals the company has held; nothing where the store holds none. */
  readonly heldSignals: number | null;
  /** `null` when there is none. */
  readonly execution: ExecutionRecord | null;
  /** The failure workflow of the company; `null` when it has none. */
  readonly failureWorkflow: Callable | null;
  /** `null` when nobody is known by any of these ids. */
  readonly contact: Contact | null;
  readonly bot: JsonObject | null;
  readonly attended: boolean;
  /** Its id; `null` when there is none. */
  readonly campaign: string | null;
  /** The one that was asked last comes first. */
  readonly questions: readonly ExecutionRecord[];
  readonly start: FoundStart;
  /** `null` when none of these delivery ids was seen. */
  readonly seen: { readonly answer: Json } | null;
  readonly history: readonly HistoryRecord[];
}

/** Reads of a decision. Each look-up returns `undefined` for what was not read. */
export interface Reads {
  /** `$company`, `$bot`, `$user`, `$memory` as they are now. */
  scopes(origin: Origin): JsonObject | undefined;
  /** A compiled canvas by its content hash. @param isForEnd - for an event that asks none of its nodes: as much of it as can be compiled */
  canvas(hash: string, isForEnd?: boolean): CompiledCanvas | undefined;
  find<Kind extends keyof Answers>(need: Need & { readonly kind: Kind }): Answers[Kind] | undefined;
}
