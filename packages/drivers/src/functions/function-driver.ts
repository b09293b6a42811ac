import { type BoundDriver, drive } from '@hilo/engine/contract';
import { callFunction } from '@hilo/nodes/effects';
import type { DeployedFunction, FunctionResult } from './function-call.ts';
import type { FunctionWorkers } from './function-workers.ts';

/** The parts of the driver of deployed functions. */
export interface FunctionDriverOptions {
  readonly workers: Pick<FunctionWorkers, 'call'>;
  /** A function of this company; another company's is unknown (P28). */
  readonly find: (companyId: string, functionId: string) => Promise<DeployedFunction | undefined>;
}

/** Performs `function.call`: once, with the key that every attempt of it has (P4). */
export const createFunctionDriver = ({ workers, find }: FunctionDriverOptions): BoundDriver =>
  drive(callFunction, async ({ functionId, body, tool, timeoutMs }, { origin: { companyId }, idempotencyKey, signal }) => {
    const deployed = await find(companyId, functionId);
    if (deployed === undefined) return { kind: 'failed', reason: 'not-found', message: `There is no function "${functionId}"` };
    return convertResult(await workers.call(deployed, { body, tool, timeoutMs, idempotencyKey, signal }));
  });

function convertResult(result: FunctionResult) {
  switch (result.kind) {
    case 'returned':
      return result;
    case 'threw':
    case 'too-large':
      return { kind: 'failed', reason: 'threw', message: result.message } as const;
    case 'stopped':
      return { kind: 'failed', reason: result.reason, message: result.message, outcome: 'unknown' } as const;
    case 'unavailable': {
      const { message, retryAfterMs } = result;
      return { kind: 'failed', reason: 'unavailable', message, outcome: 'failed', retryAfterMs: Math.ceil(retryAfterMs) } as const;
    }
  }
}
