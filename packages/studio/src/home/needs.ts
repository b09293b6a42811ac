import type { WorkflowSummary } from '../api/client.ts';

/** Why a workflow needs somebody, in the order of harm. */
export type Need =
  | { readonly why: 'failed' | 'errors' | 'warnings'; readonly count: number }
  | { readonly why: 'changed' | 'never'; readonly count: 0 };

const reasons = ['failed', 'errors', 'warnings', 'changed', 'never'] as const;

/** What a workflow needs most; `undefined` for one that is well. */
function needOf({ failed24h, errors, warnings, publishedVersion, isPublished }: WorkflowSummary): Need | undefined {
  if (failed24h > 0) return { why: 'failed', count: failed24h };
  if (errors > 0) return { why: 'errors', count: errors };
  if (warnings > 0) return { why: 'warnings', count: warnings };
  if (publishedVersion === null) return { why: 'never', count: 0 };
  return isPublished ? undefined : { why: 'changed', count: 0 };
}

/** The workflows that need somebody, the most harmful first. */
export const listNeeds = (all: readonly WorkflowSummary[]): readonly { readonly workflow: WorkflowSummary; readonly need: Need }[] =>
  all
    .flatMap((workflow) => {
      const need = needOf(workflow);
      return need === undefined ? [] : [{ workflow, need }];
    })
    .toSorted(
      (one, other) =>
        reasons.indexOf(one.need.why) - reasons.indexOf(other.need.why) ||
        other.need.count - one.need.count ||
        one.workflow.name.localeCompare(other.workflow.name),
    );
