import type { Canvas } from '../contract/canvas.ts';
import type { NodeDefinition, Reference } from '../contract/node.ts';
import { compileCanvas, nodeTypes } from './compile.ts';
import { shieldDefinition } from './shield.ts';

/** What a canvas is checked against, beside itself. */
export interface OutsideNames {
  /** Each name once, in the order of the canvas. */
  readonly references: readonly Reference[];
  /** Whether a message may begin it: then it competes with the published workflows of its company. */
  readonly beginsWithMessage: boolean;
}

/** Lists what a canvas refers to outside of itself. A node whose data or definition is faulty, which a check reports, refers to nothing. */
export function listReferences(canvas: Canvas, nodes: readonly NodeDefinition[]): OutsideNames {
  const types = nodeTypes(nodes.map((node) => shieldDefinition(node, () => undefined)));
  const { parsedNodes } = compileCanvas(canvas, '', types);
  const found = parsedNodes.flatMap(({ definition, read }) => (read === undefined ? [] : definition.references(read.config)));
  return {
    references: [...new Map(found.map((reference) => [formatReferenceKey(reference), reference])).values()],
    beginsWithMessage: parsedNodes.some(({ definition }) => definition.entry?.kind === 'message'),
  };
}

/** A key that two references have in common exactly when they name the same, and expect the same of it. */
export const formatReferenceKey = ({ kind, id, version, tool, expects, suits }: Reference): string =>
  JSON.stringify([
    kind,
    id,
    version ?? null,
    ...(suits === undefined ? [] : [suits]),
    ...(expects === undefined ? [] : [expects.inputs, tool?.name ?? null, expects.isUnconfirmed === true]),
  ]);
