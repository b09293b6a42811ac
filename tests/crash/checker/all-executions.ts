import type { ExecutionFilter, ExecutionRecord, ExecutionStore } from '@hilo/engine/contract';
import { companyId } from '../load/names.ts';

/** Every execution of a store, or of a user, oldest first. */
export async function allExecutions(
  store: ExecutionStore,
  filter: Pick<ExecutionFilter, 'userId'> = {},
): Promise<readonly ExecutionRecord[]> {
  const found: ExecutionRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.list(companyId, { ...filter, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.results);
    cursor = page.nextCursor;
  }
  return found.reverse();
}
