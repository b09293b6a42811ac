import type { Json, Origin } from '@hilo/engine/contract';

/** A call of a driver, with its arguments. */
export interface RecordedCall {
  /** The type of the effect, such as `message.send`. */
  readonly effect: string;
  readonly request: Json;
  readonly idempotencyKey: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly origin: Origin;
  readonly atMs: number;
}

/** What a driver can do instead of its work: throw, never answer, or return an invalid result. */
export type Fault = 'throws' | 'hangs' | 'rubbish';
