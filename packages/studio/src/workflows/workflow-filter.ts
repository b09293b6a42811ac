import type { WorkflowSummary } from '../api/client.ts';
import { type DraftState, draftStates } from './draft-states.ts';

export const sorts = ['name', 'updated', 'waiting'] as const;

/** Which workflows are listed, and in which order. */
export interface WorkflowFilter {
  /** A part of the name or of the id; all, when empty. */
  readonly text: string;
  readonly kind: string;
  /** Workflows of this folder and of those in it; all, when undefined, and those of none, when empty. */
  readonly folder: string | undefined;
  readonly state: DraftState | undefined;
  readonly sort: (typeof sorts)[number];
  /** Whether archived workflows are listed instead of the others. */
  readonly isArchive: boolean;
}

export const everyWorkflow: WorkflowFilter = { text: '', kind: '', folder: undefined, state: undefined, sort: 'name', isArchive: false };

const orders: { readonly [Sort in WorkflowFilter['sort']]: (a: WorkflowSummary, b: WorkflowSummary) => number } = {
  name: (a, b) => a.name.localeCompare(b.name),
  updated: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  waiting: (a, b) => b.waiting - a.waiting,
};

/** Whether a folder is another one, or within it. */
const isIn = (own: string, folder: string): boolean => own === folder || (folder !== '' && own.startsWith(`${folder}/`));

/** The folders that workflows are in, and those around them, in order. */
export const foldersOf = (all: readonly WorkflowSummary[]): readonly string[] =>
  [
    ...new Set(
      all.flatMap(({ folder = '' }) =>
        folder === '' ? [] : folder.split('/').map((_name, index, names) => names.slice(0, index + 1).join('/')),
      ),
    ),
  ].toSorted((a, b) => a.localeCompare(b));

/** The workflows that pass a filter, in its order. */
export function chooseWorkflows(
  all: readonly WorkflowSummary[],
  { text, kind, folder, state, sort }: WorkflowFilter,
): readonly WorkflowSummary[] {
  const wanted = text.trim().toLowerCase();
  return all
    .filter(
      (row) =>
        (wanted === '' || `${row.name} ${row.workflowId}`.toLowerCase().includes(wanted)) &&
        (kind === '' || row.kind === kind) &&
        (folder === undefined || isIn(row.folder ?? '', folder)) &&
        (state === undefined || draftStates[state](row)),
    )
    .toSorted(orders[sort]);
}
