// Compiles a canvas in several turns of the event loop: one of few nodes may take a second, by a hundred patterns or thousands of
// expressions in each of them (P20).
import type { WriteResumeUrl } from '../contract/callback.ts';
import type { Canvas } from '../contract/canvas.ts';
import type { Clock, Digest } from '../contract/clock.ts';
import { type Compilation, compileCanvas, type NodeTypes } from '../canvas/compile.ts';
import { readNode, writeText } from '../canvas/read-node.ts';
import { type Expression, withCompiled } from '../expressions/expression.ts';
import { compileEach } from '../expressions/template.ts';
import { systemTurn } from '../node.ts';
import { sliceMs } from './turns.ts';

/** So many nodes are read within a turn at most. */
const nodesPerTurn = 100;

/** Data of more characters has its expressions compiled before it is read, one text after the other. */
const largeData = 4_096;

/** Compiles a canvas as {@link compileCanvas} does, a few milliseconds at a time. */
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
    readonly digest?: Digest;
    readonly clock: Pick<Clock, 'now'>;
    readonly resumeUrl?: WriteResumeUrl | undefined;
  },
): Promise<Compilation> {
  await readInTurns(canvas, types, clock);
  return compileCanvas(canvas, hash, types, digest, resumeUrl);
}

/** Reads the data of all nodes, which are known from then on: that is nearly all that compiling a canvas takes. */
async function readInTurns({ nodes }: Canvas, types: NodeTypes, { now }: Pick<Clock, 'now'>): Promise<void> {
  let [left, sinceMs] = [nodesPerTurn, now()];
  const isOver = (): boolean => left === 0 || now() - sinceMs >= sliceMs;
  const giveWay = async (): Promise<void> => {
    await new Promise<void>(systemTurn);
    [left, sinceMs] = [nodesPerTurn, now()];
  };
  for (const [index, node] of nodes.entries()) {
    if (isOver()) await giveWay();
    left -= 1;
    const definition = types.get(node.type);
    if (definition === undefined) continue;
    const expressions = new Map<string, Expression>();
    if ((writeText(node.data)?.length ?? 0) > largeData) for (const _ of compileEach(node.data, expressions)) if (isOver()) await giveWay();
    withCompiled(expressions, () => readNode(node, index, definition, []));
  }
}
