import type { ExecutionFilter } from '@hilo/engine/contract';
import type { RecordRow } from './execution-row.ts';
import { call, type Runner } from './statements/call.ts';
import { type ListFilter, listExecutions } from './statements/executions.ts';
import { keyOf, encodeText } from './text-encoding.ts';

/** One statement for each combination of filters, prepared at first use. */
const statements = new Map<string, ReturnType<typeof listExecutions>>();

function statementOf(filters: readonly ListFilter[]): ReturnType<typeof listExecutions> {
  const name = filters.join();
  const found = statements.get(name) ?? listExecutions(filters);
  statements.set(name, found);
  return found;
}

/** The rows of a page of a company's executions, newest first; the cursor is the number of its last row. */
export async function listPage(
  runner: Runner,
  companyId: string,
  { workflowId, status, userId, limit, cursor }: ExecutionFilter,
): Promise<{ readonly rows: readonly RecordRow[]; readonly nextCursor: string | null }> {
  const filters: ListFilter[] = [];
  if (userId !== undefined) filters.push('userKey');
  if (workflowId !== undefined) filters.push('workflowId');
  if (status !== undefined) filters.push('status');
  const page = {
    companyId: encodeText(companyId),
    workflowId: encodeText(workflowId ?? ''),
    status: status ?? '',
    userKey: keyOf(userId ?? ''),
    before: positionOf(cursor),
    limit: limit + 1,
  };
  const found = await runner.read(call(statementOf(filters), page));
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? String(rows.at(-1)?.id ?? '') : null };
}

/** A malformed cursor begins at the newest. */
const positionOf = (cursor: string | undefined): number =>
  cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER;
