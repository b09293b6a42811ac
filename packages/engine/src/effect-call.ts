import type { Origin, PendingEffect } from './contract/execution.ts';

/** An effect with what its driver is told. */
export interface EffectCall extends Pick<PendingEffect, 'key' | 'type' | 'request' | 'nodeId' | 'attempt' | 'limitMs' | 'limitCause'> {
  readonly executionId: string;
  readonly parentId?: string | undefined;
  readonly origin: Origin;
}
