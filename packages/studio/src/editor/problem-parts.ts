import type { Fix, Problem } from '@hilo/engine/contract';
import { applyPatch } from '@hilo/engine/authoring';
import { asCanvas, type CanvasJson } from '../canvas/canvas-json.ts';
import type { Command } from '../canvas/commands.ts';

/** A fix as a command: the canvas is unchanged when the patch does not fit it any more. */
export const fixCommand =
  ({ patch }: Fix): Command =>
  (canvas) => {
    const patched = applyPatch(canvas, patch);
    return (patched === undefined ? undefined : asCanvas(patched)) ?? canvas;
  };

/** The field of a node's data that a problem is about; `undefined` where it is about none. */
export function fieldOf({ pointer }: Problem, canvas: CanvasJson): { readonly nodeId: string; readonly pointer: string } | undefined {
  const index = /^\/nodes\/(\d+)/.exec(pointer)?.[1];
  const node = index === undefined ? undefined : canvas.nodes[Number(index)];
  return node === undefined ? undefined : { nodeId: node.id, pointer };
}
