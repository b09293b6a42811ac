import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionRecord, StandingExecution } from '../contract/store.ts';
import { standingOf } from '../memory/execution-store.ts';
import type { EngineContext } from './context.ts';

/** An execution that has not ended: as its row has it, or with its state where only that was to be had. */
export interface OpenExecution extends StandingExecution {
  readonly record?: ExecutionRecord;
}

/** As many rows are read at once. */
const pageSize = 1_000;
const openStatuses = ['waiting', 'running', 'quarantined'] as const;

/** The executions of a workflow that have not ended, page by page: without their states, where the store can say so much without them. */
export async function* openExecutions(
  { store, turns }: EngineContext,
  companyId: string,
  workflowId: string,
): AsyncGenerator<readonly OpenExecution[]> {
  if (store.standing !== undefined) {
    for (let after: string | null | undefined; after !== null; ) {
      await turns.take(companyId);
      const page = await store.standing(companyId, workflowId, pageSize, after);
      yield page.results;
      after = page.nextCursor;
    }
    return;
  }
  for (const status of openStatuses)
    for (let cursor: string | null | undefined; cursor !== null; ) {
      await turns.take(companyId);
      const page = await store.list(companyId, { workflowId, status, limit: pageSize, ...(cursor !== undefined && { cursor }) });
      yield page.results.map((record) => ({ ...standingOf(record), record }));
      cursor = page.nextCursor;
    }
}

/**
 * Whether executions may leave this canvas for another workflow while their rows name this one: then a row does not say where they stand. A
 * node without a way out that names a workflow goes there.
 */
export const mayJump = ({ nodes }: CompiledCanvas): boolean =>
  [...nodes.values()].some(
    ({ ports, optionalPorts, definition, config }) =>
      ports.length + optionalPorts.length === 0 && definition.references(config).some(({ kind }) => kind === 'workflow'),
  );
