import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionRecord, StandingExecution } from '../contract/store.ts';
import { standingOf } from '../memory/execution-store.ts';
import type { EngineContext } from './context.ts';

/** An execution that has not ended: as its row has it, or with its state where only that was to be had. */
export interface OpenExecution extends StandingExecution {
  readonly record?: ExecutionRecord;
}

/** As many rows are read at once. */
export const openPageSize = 1_000;
/** So many pages in which nothing is to be done are passed over by one part of a job. */
export const maxPassed = 20;
const openStatuses = ['waiting', 'running', 'quarantined'] as const;

/** A page of executions that have not ended. */
interface OpenPage {
  readonly results: readonly OpenExecution[];
  /** Where the next page begins; null behind the last. */
  readonly next: string | null;
}

/**
 * Reads a page of the executions of a workflow that have not ended: without their states, where the store can say so much without them.
 *
 * @param after - the `next` of the page before
 */
export async function readOpenPage(
  { store, turns }: EngineContext,
  companyId: string,
  workflowId: string,
  limit: number,
  after: string | undefined,
): Promise<OpenPage> {
  await turns.take(companyId);
  if (store.standing !== undefined) {
    const page = await store.standing(companyId, workflowId, limit, after);
    return { results: page.results, next: page.nextCursor };
  }
  // One status after the other: `1:CURSOR` goes on in the second.
  const [, index = '0', cursor = ''] = /^(\d):(.*)$/s.exec(after ?? '') ?? [];
  const at = Number(index);
  const status = openStatuses[at];
  if (status === undefined) return { results: [], next: null };
  const page = await store.list(companyId, { workflowId, status, limit, ...(cursor !== '' && { cursor }) });
  const results = page.results.map((record) => ({ ...standingOf(record), record }));
  if (page.nextCursor !== null) return { results, next: `${at}:${page.nextCursor}` };
  return { results, next: at + 1 < openStatuses.length ? `${at + 1}:` : null };
}

/** The executions of a workflow that have not ended, page by page. */
export async function* openExecutions(
  context: EngineContext,
  companyId: string,
  workflowId: string,
): AsyncGenerator<readonly OpenExecution[]> {
  for (let after: string | null | undefined; after !== null; ) {
    const page: OpenPage = await readOpenPage(context, companyId, workflowId, openPageSize, after);
    yield page.results;
    after = page.next;
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
