// Brings the data of nodes forward that was written for an earlier version of their definition: before a canvas is compiled, checked or
// edited. What is stored stays as it was published.
import type { Canvas, CanvasNode } from '../contract/canvas.ts';
import { divideData } from '../contract/common-data.ts';
import { describeThrown } from '../contract/errors.ts';
import { JsonObject } from '../contract/json.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { problem, shorten } from './problem-codes.ts';
import { unreadData } from './read-node.ts';

/** A canvas whose nodes have the data of today's definitions, and what kept others from it: their data is left out. */
interface Upgraded {
  readonly canvas: Canvas;
  readonly problems: readonly Problem[];
  /** The versions that data was brought forward from, by the index of its node. */
  readonly from: ReadonlyMap<number, number>;
}

/**
 * Brings every node forward to the version of its definition. Pure, and the same canvas again where there is nothing to do: nodes without a
 * version have version 1.
 */
export function upgradeCanvas(canvas: Canvas, types: ReadonlyMap<string, NodeDefinition>): Upgraded {
  if (canvas.nodes.every((node) => isPresent(node, types.get(node.type)))) return { canvas, problems: [], from: new Map() };
  const problems: Problem[] = [];
  const from = new Map<number, number>();
  const nodes = canvas.nodes.map((node, index) => {
    const definition = types.get(node.type);
    if (definition === undefined || isPresent(node, definition)) return node;
    const data = upgradeData(node, definition);
    if (typeof data !== 'string') {
      from.set(index, versionOf(node));
      return { ...node, version: versionOf(definition), data };
    }
    problems.push(problem('INVALID_CONFIG', ['nodes', index, 'version'], data, node.id));
    return { ...node, version: versionOf(definition), data: unreadData };
  });
  return { canvas: { ...canvas, nodes }, problems, from };
}

/** A canvas as its author goes on with it: brought forward as far as that is possible, with all data. */
export function bringForward(canvas: Canvas, definitions: readonly NodeDefinition[]): Canvas {
  const { canvas: upgraded, from } = upgradeCanvas(canvas, new Map(definitions.map((definition) => [definition.type, definition])));
  if (from.size === 0) return canvas;
  return { ...canvas, nodes: canvas.nodes.map((node, index) => (from.has(index) ? (upgraded.nodes[index] ?? node) : node)) };
}

const versionOf = ({ version = 1 }: { readonly version?: number | undefined }): number => version;

const isPresent = (node: CanvasNode, definition: NodeDefinition | undefined): boolean =>
  definition === undefined || node.data === unreadData || versionOf(node) === versionOf(definition);

/** @returns the data in today's form; a sentence where there is none */
function upgradeData(node: CanvasNode, definition: NodeDefinition): JsonObject | string {
  const [written, present] = [versionOf(node), versionOf(definition)];
  const { type, upgrade } = definition;
  if (written > present) return `The node has data of version ${written} of "${type}", and this release has version ${present}`;
  if (upgrade === undefined)
    return `The node has data of version ${written} of "${type}", which has no "upgrade" to version ${present}: write today's fields, and "version": ${present}`;
  const { common, config } = divideData(node.data);
  try {
    const given: unknown = upgrade(structuredClone(config) as JsonObject, written);
    const upgraded = JsonObject.safeParse(given);
    if (upgraded.success) return { ...upgraded.data, ...(common as JsonObject) };
    return `The "upgrade" of "${type}" from version ${written} returned no object of JSON`;
  } catch (error) {
    return `The "upgrade" of "${type}" from version ${written} failed: ${shorten(describeThrown(error), 300)}`;
  }
}
