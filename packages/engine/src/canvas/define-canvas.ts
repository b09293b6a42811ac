import type { z } from 'zod';
import type { Canvas, CanvasEdge, CanvasNode } from '../contract/canvas.ts';
import type { CommonData } from '../contract/common-data.ts';
import type { NodeDefinition } from '../contract/node.ts';

/** Fields of `data` that every node may have. */
type CommonInput = z.input<typeof CommonData>;

/** The nodes of a canvas: `data` as each definition accepts it, with plain texts as ids. */
type NodeInputOf<Definition extends NodeDefinition> =
  Definition extends NodeDefinition<infer _Config, infer Data, infer _Port, infer Type>
    ? Omit<z.input<typeof CanvasNode>, 'type' | 'data'> & { type: Type } & (string extends Type ? AnyData : DataInput<Data & CommonInput>)
    : never;

/** Where the definitions are not known, a node may have any fields. */
type AnyData = { data?: CommonInput & { readonly [field: string]: unknown } };

/** `data` may be left out when none of its fields is required. */
type DataInput<Data> = object extends Data ? { data?: Data } : { data: Data };

/** The ports of a node type. */
type PortOf<Definition extends NodeDefinition, Type> =
  Extract<Definition, { readonly type: Type }> extends NodeDefinition<infer _Config, infer _Data, infer Port> ? Port : never;

type IdOf<Node> = Node extends { readonly id: infer Id } ? Id : never;

/** An edge between two of these nodes, by a port that the type of its source has. */
type EdgeInputOf<Definition extends NodeDefinition, Node, Target> = Node extends { readonly id: infer Id; readonly type: infer Type }
  ? Omit<z.input<typeof CanvasEdge>, 'source' | 'sourceHandle' | 'target'> & {
      readonly source: Id;
      readonly sourceHandle?: PortOf<Definition, Type> | null | undefined;
      readonly target: Target;
    }
  : never;

/**
 * A canvas as an author writes it in TypeScript: its JSON, with `data` typed by node type.
 *
 * @typeParam Definitions - the list of node definitions, such as `typeof standardNodes`
 */
export type CanvasInput<
  Definitions extends readonly NodeDefinition[] = readonly NodeDefinition[],
  Nodes extends readonly unknown[] = readonly NodeInputOf<Definitions[number]>[],
> = Omit<z.input<typeof Canvas>, 'nodes' | 'edges'> & {
  readonly nodes: Nodes;
  readonly edges?: readonly EdgeInputOf<Definitions[number], Nodes[number], IdOf<Nodes[number]>>[];
};

/**
 * Type-checks a canvas literal: unknown node types, fields of `data` that the type does not have, edges from or to a missing node, and ports
 * that its type does not have do not compile. Returns its argument unchanged.
 *
 * @example
 * import { defineCanvas } from '@hilo/engine';
 * import { standardNodes } from '@hilo/nodes';
 *
 * const canvas = defineCanvas(standardNodes)({
 *   schemaVersion: 1,
 *   id: 'hello',
 *   name: 'Hello',
 *   nodes: [
 *     { id: 'begin', type: 'start', data: { fallback: true } },
 *     { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello!' } } },
 *     { id: 'done', type: 'end' },
 *   ],
 *   edges: [
 *     { source: 'begin', target: 'greet' },
 *     { source: 'greet', sourceHandle: 'sent', target: 'done' },
 *   ],
 * });
 */
export const defineCanvas =
  <const Definitions extends readonly NodeDefinition[]>(_definitions: Definitions) =>
  <const Nodes extends readonly NodeInputOf<Definitions[number]>[]>(
    canvas: CanvasInput<Definitions, Nodes>,
  ): CanvasInput<Definitions, Nodes> =>
    canvas;
