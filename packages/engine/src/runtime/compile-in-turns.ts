// Compiles a canvas in several turns of the event loop: the largest that there may be takes a tenth of a second in one (P20).
import type { WriteResumeUrl } from '../contract/callback.ts';
import type { Canvas } from '../contract/canvas.ts';
import type { Clock, Digest } from '../contract/clock.ts';
import { type Compilation, compileCanvas, type NodeTypes } from '../canvas/compile.ts';
import { readNode } from '../canvas/read-node.ts';
import { systemTurn } from '../node.ts';
import { sliceMs } from './turns.ts';

/** So many nodes are read within a turn, and a canvas of no more is compiled at once. */
const nodesPerTurn = 100;

export async function compileInTurns(
  canvas: Canvas,
  hash: string,
  {
    types,
    digest,
    clock,
    resumeUrl,
  }: {
    readonly types: NodeTypes;
    readonly digest: Digest;
    readonly clock: Pick<Clock, 'now'>;
    readonly resumeUrl?: WriteResumeUrl | undefined;
  },
): Promise<Compilation> {
  if (canvas.nodes.length > nodesPerTurn) await readInTurns(canvas, types, clock);
  return compileCanvas(canvas, hash, types, digest, resumeUrl);
}

/** Reads the data of all nodes, which are known from then on: that is nearly all that compiling a canvas takes. */
async function readInTurns({ nodes }: Canvas, types: NodeTypes, { now }: Pick<Clock, 'now'>): Promise<void> {
  let [left, sinceMs] = [nodesPerTurn, now()];
  for (const [index, node] of nodes.entries()) {
    const definition = types.get(node.type);
    if (definition !== undefined) readNode(node, index, definition, []);
    left -= 1;
    if (left > 0 && now() - sinceMs < sliceMs) continue;
    await new Promise<void>(systemTurn);
    [left, sinceMs] = [nodesPerTurn, now()];
  }
}
