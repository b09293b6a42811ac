import type { CanvasJson } from '../canvas/canvas-json.ts';

/** Drafts of the workflows that a canvas calls, and of those that they call; the engine reports missing ones. */
export async function calledBy(
  canvas: CanvasJson,
  read: (workflowId: string) => Promise<{ readonly canvas: CanvasJson }>,
): Promise<readonly CanvasJson[]> {
  const found = new Map<string, CanvasJson>();
  const open = [canvas];
  for (let next = open.pop(); next !== undefined && found.size < 20; next = open.pop()) {
    for (const { data } of next.nodes) {
      const id = data?.['workflowId'];
      if (typeof id !== 'string' || id === canvas.id || found.has(id) || id.includes('{{')) continue;
      const draft = await read(id).catch(() => undefined);
      if (draft === undefined) continue;
      found.set(id, draft.canvas);
      open.push(draft.canvas);
    }
  }
  return [...found.values()];
}
