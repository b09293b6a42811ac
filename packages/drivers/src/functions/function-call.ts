import type { AbortSignal as Signal, Json } from '@hilo/engine/contract';

/** A function as it is deployed. */
export interface DeployedFunction {
  readonly companyId: string;
  readonly functionId: string;
  /** An ES module: its default export is called with the body and the context. */
  readonly source: string;
  /** Grows with each redeploy: the same source under another number is started again. */
  readonly deployment: number;
}

/** A call of a function. */
export interface FunctionCall {
  readonly body: Json;
  /** In total; 60 s where left out. */
  readonly timeoutMs?: number | undefined;
  /** The same for every attempt of one call (P4). */
  readonly idempotencyKey?: string | undefined;
  /** The tool that a client of the tool server chose. */
  readonly tool?: string | undefined;
  /** Ends the wait for the answer; what the function does until then is not undone. */
  readonly signal?: Signal | undefined;
}

/** What came of a call. */
export type FunctionResult =
  | { readonly kind: 'returned'; readonly value: Json }
  /** The function itself failed. */
  | { readonly kind: 'threw'; readonly message: string }
  /** It returned more than an answer may have. */
  | { readonly kind: 'too-large'; readonly message: string }
  /** It was ended before it answered: what it did until then is unknown (P5). */
  | { readonly kind: 'stopped'; readonly reason: 'timeout' | 'crash' | 'memory'; readonly message: string }
  /** It was not called: all its places are taken, or it does not start. With `isLasting`, no later call would be either. */
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterMs: number; readonly isLasting?: boolean };
