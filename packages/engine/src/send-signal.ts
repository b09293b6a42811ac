import { advanceExecution } from './advance-execution.ts';
import type { Json } from './contract/json.ts';
import type { Kernel } from './kernel.ts';

/** A named signal: what `wait-event` waits for. */
export interface Signal {
  readonly companyId: string;
  readonly name: string;
  /** Must equal the wait's own value; empty text where the wait names none. */
  readonly correlation: string;
  readonly payload: Json;
}

/** Answers every execution that waits for this signal. @returns the executions that went on */
export async function sendSignal(kernel: Kernel, { companyId, name, correlation, payload }: Signal): Promise<readonly string[]> {
  const waiting = await kernel.store.awaitingSignal(companyId, name, correlation);
  const advanced = await Promise.all(
    waiting.map(({ executionId, lane, state: { wait } }) =>
      kernel.lanes.run(lane, () =>
        advanceExecution(kernel, companyId, executionId, ({ state }) =>
          wait !== undefined && state.wait?.id === wait.id ? { type: 'signal.received', waitId: wait.id, payload } : undefined,
        ),
      ),
    ),
  );
  return advanced.flatMap((record) => (record === undefined ? [] : [record.executionId]));
}
