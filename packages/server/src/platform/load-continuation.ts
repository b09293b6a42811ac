// What was given out in the name of an execution, such as a form or a checkout, is for the one that continues it.
import type { ExecutionRecord, ExecutionStore } from '@hilo/engine/contract';

/** An execution, or the last of those that continue it. @returns `undefined` for one that is not kept */
export async function loadContinuation(
  executions: Pick<ExecutionStore, 'load'>,
  companyId: string,
  executionId: string,
): Promise<ExecutionRecord | undefined> {
  let record = await executions.load(companyId, executionId);
  for (let as = continuedAs(record); as !== undefined; as = continuedAs(record)) record = await executions.load(companyId, as);
  return record;
}

const continuedAs = (record: ExecutionRecord | undefined): string | undefined => record?.state.ending?.continuedAs;
