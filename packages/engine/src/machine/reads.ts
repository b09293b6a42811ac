// What a decision reads beyond its own execution: what it needs, and what it is answered with.
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionRecord } from '../contract/store.ts';

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

/** What a decision has to read before it can be made. */
export type Need =
  /** `isForEnd`: as far as it can be compiled, where the nodes of this release cannot run all of it. */
  | { readonly kind: 'canvas'; readonly hash: string; readonly isForEnd: boolean }
  | { readonly kind: 'workflow'; readonly target: CallTarget }
  | { readonly kind: 'waits'; readonly name: string; readonly correlation: string }
  | { readonly kind: 'heldSignals' }
  | { readonly kind: 'execution'; readonly executionId: string }
  | { readonly kind: 'failureWorkflow' }
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
  readonly workflow: Callable | string;
  /** The executions that wait for a signal. */
  readonly waits: readonly ExecutionRecord[];
  /** How many signals the company has held; nothing where the store holds none. */
  readonly heldSignals: number | null;
  /** `null` when there is none. */
  readonly execution: ExecutionRecord | null;
  /** The failure workflow of the company; `null` when it has none. */
  readonly failureWorkflow: Callable | null;
}

/** Reads of a decision. Each look-up returns `undefined` for what was not read. */
export interface Reads {
  /** A compiled canvas by its content hash. @param isForEnd - for an event that asks none of its nodes: as much of it as can be compiled */
  canvas(hash: string, isForEnd?: boolean): CompiledCanvas | undefined;
  find<Kind extends keyof Answers>(need: Need & { readonly kind: Kind }): Answers[Kind] | undefined;
}
