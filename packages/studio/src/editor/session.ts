// The steps of an author across a reload.
import { useEffect, useState } from 'react';
import type { Draft } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import type { History } from '../canvas/history.ts';
import { isSame } from '../canvas/merge.ts';
import { useHandler } from '../parts/identity.ts';
import type { OfflineCopy } from '../saving/offline-copy.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import { createEditorStore, type EditorStore, type Panel } from './editor-store.ts';

/** What survives a reload of the page: the steps of an author, with the draft they began from. */
interface Kept {
  readonly revision: number | undefined;
  readonly history: History;
}

/**
 * The state of an editor that opens: the draft with the steps from before a reload, or with what could not be saved at an earlier visit.
 *
 * @param nodeId - selected at the beginning
 * @param panel - open at the beginning
 */
export function useEditorStore(
  draft: Draft,
  copy: OfflineCopy | undefined,
  { nodeId, panel }: { readonly nodeId: string | undefined; readonly panel: Panel },
): EditorStore {
  const { companyId } = useStudio();
  const say = useWords();
  const [store] = useState(() => {
    const history = copy === undefined ? keptHistory(companyId, draft.canvas.id, draft) : undefined;
    const made = createEditorStore(draft.canvas, { now: () => Date.now(), ...(history !== undefined && { history }) });
    const { replace, checkedByService, select, open } = made.getState();
    if (copy !== undefined) replace(say('step.kept'), copy.canvas);
    checkedByService(draft.problems);
    if (nodeId !== undefined) select([nodeId]);
    if (panel !== undefined) open(panel);
    return made;
  });
  return store;
}

/**
 * Keeps the steps of an author for a reload. Writing them takes longer than most edits: it is done when the page is hidden or left, for
 * any reason.
 */
export function useKeptHistory(store: EditorStore, revision: number | undefined): void {
  const { companyId } = useStudio();
  const keep = useHandler(() => {
    const { history } = store.getState();
    keepHistory(companyId, history.canvas.id, revision, history);
  });
  useEffect(() => {
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [keep]);
}

const keyOf = (companyId: string, workflowId: string): string => `hilo-studio/${companyId}/${workflowId}`;

/**
 * Keeps the history for a reload of this tab, for as long as there is something to undo. Where the browser has no room, the steps are left
 * out before the canvas is.
 */
function keepHistory(companyId: string, workflowId: string, revision: number | undefined, history: History): void {
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
function keptHistory(companyId: string, workflowId: string, { revision, canvas }: Draft): History | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(companyId, workflowId)) ?? 'null');
    if (!isRecord(kept) || !isRecord(kept['history'])) return undefined;
    const { history } = kept as unknown as Kept;
    // Leaving a page saves its draft: the answer with the new revision comes too late for it.
    const isTheirs = kept['revision'] === revision || isSame(history.canvas, canvas);
    return isTheirs && areSteps(history.past) && areSteps(history.future) && history.canvas?.id === canvas.id ? history : undefined;
  } catch {
    return undefined;
  }
}

/** Steps of an earlier version of the studio are not understood, and forgotten. */
const areSteps = (steps: unknown): boolean =>
  Array.isArray(steps) && steps.every((step) => isRecord(step) && Array.isArray(step['changes']) && Array.isArray(step['inverse']));
