import type { Draft } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import type { History } from '../canvas/history.ts';

/** What survives a reload of the page: the steps of an author, with the draft they began from. */
interface Kept {
  readonly revision: number | undefined;
  readonly history: History;
}

const keyOf = (companyId: string, workflowId: string): string => `hilo-studio/${companyId}/${workflowId}`;

/**
 * Keeps the history for a reload of this tab, for as long as there is something to undo. Where the browser has no room, the steps are left
 * out before the canvas is.
 */
export function keepHistory(companyId: string, workflowId: string, revision: number | undefined, history: History): void {
  if (history.past.length + history.future.length === 0) return;
  for (const kept of [history, { ...history, past: [], future: [] }]) {
    try {
      sessionStorage.setItem(keyOf(companyId, workflowId), JSON.stringify({ revision, history: kept } satisfies Kept));
      return;
    } catch {
      sessionStorage.removeItem(keyOf(companyId, workflowId));
    }
  }
}

/** The steps from before a reload, if the draft is still their result. */
export function keptHistory(companyId: string, workflowId: string, { revision, canvas }: Draft): History | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(companyId, workflowId)) ?? 'null');
    if (!isRecord(kept) || kept['revision'] !== revision || !isRecord(kept['history'])) return undefined;
    const { history } = kept as unknown as Kept;
    return areSteps(history.past) && areSteps(history.future) && history.canvas?.id === canvas.id ? history : undefined;
  } catch {
    return undefined;
  }
}

/** Steps of an earlier version of the studio are not understood, and forgotten. */
const areSteps = (steps: unknown): boolean =>
  Array.isArray(steps) && steps.every((step) => isRecord(step) && Array.isArray(step['changes']) && Array.isArray(step['inverse']));
