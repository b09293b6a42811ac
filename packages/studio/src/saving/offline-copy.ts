import { del, get, set } from 'idb-keyval';
import { asCanvas, type CanvasJson, isRecord } from '../canvas/canvas-json.ts';

/** An author's unsaved edits, with the draft on which they are based. */
export interface OfflineCopy {
  readonly canvas: CanvasJson;
  readonly base: CanvasJson;
  readonly revision: number | undefined;
}

const keyOf = (companyId: string, workflowId: string): string => `hilo-studio/${companyId}/${workflowId}`;

/** Keeps a copy in this browser until the service has it; beyond this tab and a restart, and where there is room. */
export const keepCopy = (companyId: string, workflowId: string, copy: OfflineCopy): Promise<void> =>
  set(keyOf(companyId, workflowId), copy).catch(() => undefined); // without storage the edits are in this tab only

export const forgetCopy = (companyId: string, workflowId: string): Promise<void> =>
  del(keyOf(companyId, workflowId)).catch(() => undefined);

/** The copy that an earlier visit left. */
export async function keptCopy(companyId: string, workflowId: string): Promise<OfflineCopy | undefined> {
  const kept: unknown = await get(keyOf(companyId, workflowId)).catch(() => undefined);
  if (!isRecord(kept)) return undefined;
  const [canvas, base] = [asCanvas(kept['canvas']), asCanvas(kept['base'])];
  const { revision } = kept;
  if (canvas === undefined || base === undefined) return undefined;
  return { canvas, base, revision: typeof revision === 'number' ? revision : undefined };
}
