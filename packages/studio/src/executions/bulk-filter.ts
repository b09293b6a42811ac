import type { ExecutionFilter } from '../studio-context.ts';

/** What is done to many executions from a list. */
export type BulkKind = 'retry' | 'cancel' | 'release';

type BulkFilter = Omit<ExecutionFilter, 'version'> & { readonly version?: number | 'draft' };

/** The filter of a list as an act on many takes it. */
export function bulkFilterOf({ version, ...filter }: ExecutionFilter): BulkFilter {
  const number = Number(version);
  if (version === 'draft') return { ...filter, version };
  return Number.isSafeInteger(number) && number > 0 ? { ...filter, version: number } : filter;
}

/** Whether a filter is narrow enough for the service: nobody acts on a whole company by mistake. */
export const isNarrow = ({ workflowId, userId, from, to }: BulkFilter): boolean =>
  [workflowId, userId, from, to].some((value) => value !== undefined && value !== '');
