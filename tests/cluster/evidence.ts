import type { CompiledCanvas } from '@hilo/engine/debug';
import type { Commit, ExecutionRecord, HistoryRecord, UnfinishedLane } from '@hilo/engine/contract';

/** A commit that took place. */
export interface CommitMade {
  /** Its position among all commits and effects. */
  readonly order: number;
  readonly atMs: number;
  readonly process: string;
  readonly commit: Commit;
  /** The numbers of what it enqueued. */
  readonly seqs: readonly number[];
}

/** A call that reached the remote system, whatever the answer was. */
export interface EffectMade {
  /** Its position among all commits and effects. */
  readonly order: number;
  readonly atMs: number;
  readonly process: string;
  /** The life of the process: a new one begins each time that the process is declared dead. */
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

/** The final answer that a caller got. */
export interface Answer {
  readonly atMs: number;
  readonly verb: 'message' | 'start' | 'resume' | 'signal' | 'cancel' | 'publish' | 'release';
  /** The delivery id or idempotency key. */
  readonly key: string;
  readonly executionId?: string;
  /** A resume after the first under `oneTimeOnly`. */
  readonly isIgnored?: boolean;
  /** The code of a refusal; none when it was accepted. */
  readonly refusal?: string;
}

/** A fault that an engine reported. */
export interface EngineFault {
  readonly process: string;
  readonly error: unknown;
  readonly while: string;
}

/** What the oracles examine: what callers, the remote system and the store know of a run. */
export interface Evidence {
  readonly commits: readonly CommitMade[];
  readonly effects: readonly EffectMade[];
  readonly answers: readonly Answer[];
  readonly faults: readonly EngineFault[];
  /** Rejections that the engine left unhandled: they would end a real process. */
  readonly unhandled: readonly unknown[];
  /** Requests without an answer when all was quiet. */
  readonly unanswered: readonly string[];
  /** The store at the end. */
  readonly executions: readonly ExecutionRecord[];
  readonly histories: ReadonlyMap<string, readonly HistoryRecord[]>;
  readonly unfinished: readonly UnfinishedLane[];
  /** The final time by the clock of a live process. */
  readonly endMs: number;
  readonly canvasOf: (hash: string) => CompiledCanvas;
  /** Whether the cluster came to rest in the quiet at the end. */
  readonly isQuiet: boolean;
  /** Whether nothing went wrong, so that no timer has a reason to be late. */
  readonly isPunctual: boolean;
}

/** Checks an invariant. @returns the violations, a sentence each; none when it holds */
export type Oracle = (evidence: Evidence) => readonly string[];
