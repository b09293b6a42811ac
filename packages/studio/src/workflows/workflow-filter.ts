import type { WorkflowSummary } from '../api/client.ts';
import { type DraftState, draftStates } from './draft-states.ts';

export const sorts = ['name', 'updated', 'waiting'] as const;

/** Which workflows are listed, and in which order. */
export interface WorkflowFilter {
  /** A part of the name or of the id; all, when empty. */
  readonly text: string;
  readonly kind: string;
  readonly state: DraftState | undefined;
  readonly sort: (typeof sorts)[number];
  /** Whether archived workflows are listed instead of the others. */
  readonly isArchive: boolean;
}

export const everyWorkflow: WorkflowFilter = { text: '', kind: '', state: undefined, sort: 'name', isArchive: false };

const orders: { readonly [Sort in WorkflowFilter['sort']]: (a: WorkflowSummary, b: WorkflowSummary) => number } = {
  name: (a, b) => a.name.localeCompare(b.name),
  updated: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  waiting: (a, b) => b.waiting - a.waiting,
};

/** The workflows that pass a filter, in its order. */
export function chooseWorkflows(all: readonly WorkflowSummary[], { text, kind, state, sort }: WorkflowFilter): readonly WorkflowSummary[] {
  const wanted = text.trim().toLowerCase();
  return all
    .filter(
      (row) =>
        (wanted === '' || `${row.name} ${row.workflowId}`.toLowerCase().includes(wanted)) &&
        (kind === '' || row.kind === kind) &&
        (state === undefined || draftStates[state](row)),
    )
    .toSorted(orders[sort]);
}
