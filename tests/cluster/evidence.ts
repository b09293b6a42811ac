import type { CompiledCanvas } from '@hilo/engine/debug';
import type { Commit, ExecutionRecord, HistoryRecord, UnfinishedLane } from '@hilo/engine/contract';

/** A commit that took place. */
export interface CommitMade {
  /** Where it stands among all commits and effects. */
  readonly order: number;
  readonly atMs: number;
  readonly process: string;
  readonly commit: Commit;
  /** The numbers of what it enqueued. */
  readonly seqs: readonly number[];
}

/** A call that reached the other side, whatever was answered. */
export interface EffectMade {
  /** Where it stands among all commits and effects. */
  readonly order: number;
  readonly atMs: number;
  readonly process: string;
  /** Which life of the process this is: a new one begins each time it is taken for dead. */
  readonly lifetime: number;
  /** The order at which the process was started. */
  readonly aliveSince: number;
  readonly effect: string;
  readonly key: string;
  /** 1 for the first try of the node; counts its configured retries. */
  readonly attempt: number;
  readonly executionId: string;
  /** The request, as text. */
  readonly payload: string;
}

/** What a caller was told, in the end. */
export interface Answer {
  readonly atMs: number;
  readonly verb: 'message' | 'start' | 'resume' | 'signal' | 'cancel' | 'publish' | 'release';
  /** The delivery id or idempotency key. */
  readonly key: string;
  readonly executionId?: string;
  /** A resume after the first under `oneTimeOnly`. */
  readonly isIgnored?: boolean;
  /** The code of a refusal; none, when it was accepted. */
  readonly refusal?: string;
}

/** Something that an engine says should not have happened. */
export interface EngineFault {
  readonly process: string;
  readonly error: unknown;
  readonly while: string;
}

/** All that the oracles look at: what callers, the other side and the store know of a run. */
export interface Evidence {
  readonly commits: readonly CommitMade[];
  readonly effects: readonly EffectMade[];
  readonly answers: readonly Answer[];
  readonly faults: readonly EngineFault[];
  /** Promises of an engine that were rejected and that nobody looked at: they end a real process. */
  readonly unhandled: readonly unknown[];
  /** What was not answered when all was quiet. */
  readonly unanswered: readonly string[];
  /** The store at the end. */
  readonly executions: readonly ExecutionRecord[];
  readonly histories: ReadonlyMap<string, readonly HistoryRecord[]>;
  readonly unfinished: readonly UnfinishedLane[];
  /** The time by the clock of a process that lives. */
  readonly endMs: number;
  readonly canvasOf: (hash: string) => CompiledCanvas;
  /** Whether everything came to rest in the quiet at the end. */
  readonly isQuiet: boolean;
  /** Whether nothing went wrong, so that no timer has a reason to be late. */
  readonly isPunctual: boolean;
}

/** Looks for what must never be. @returns what is wrong, a sentence each; nothing, when all is well */
export type Oracle = (evidence: Evidence) => readonly string[];
