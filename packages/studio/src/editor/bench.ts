// What the edits of a canvas have in common: the draft as it is drawn, a new node, and who is told.
import type { JsonObject } from '@hilo/engine/contract';
import type { BoardActs } from '../board/use-acts.ts';
import type { CanvasJson, NodeJson, Point } from '../canvas/canvas-json.ts';
import { column, type Command, freshNodeId, insertOnEdge, makeRoom, type PortRef, snap, withPlaces } from '../canvas/commands.ts';
import { type Card, flowOf } from '../canvas/flow.ts';
import { emptyOf } from '../forms/shape.ts';
import type { Studio } from '../studio-context.ts';
import type { Language } from '../words/words.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import type { EditorStore } from './editor-store.ts';

/** Who is told of edits. */
export interface EditListener extends Pick<BoardActs, 'onAskTarget'> {
  /** Something was dropped that is no canvas. */
  onNoCanvas(): void;
  /** A node is to be brought into view. */
  onView(nodeId: string): void;
  /** Nodes were pasted or duplicated, with the first of them. */
  onPut(nodeId: string | undefined): void;
  /** Nodes were deleted, with a node that led to them where there is one. */
  onDeleted(near: string | undefined): void;
}

interface BenchParts extends Pick<Language, 'say' | 'own'>, Pick<Studio, 'catalogue'> {
  readonly store: EditorStore;
  readonly engine: EngineClient;
  readonly told: EditListener;
}

/** What edits are made with. */
export interface Bench extends Pick<BenchParts, 'store' | 'engine' | 'catalogue' | 'say' | 'told'> {
  /** The draft as it is drawn: what is added and copied keeps its distance from cards that were placed by themselves. */
  drawn(): CanvasJson;
  /** The cards of the draft. @param described - what the engine says of its nodes; as of the last check when left out */
  cards(described?: ReturnType<EditorStore['getState']>['described']): readonly Card[];
  /** A node with what its type begins with, which is not in the draft yet. */
  newNode(type: string, position: Point): NodeJson & { readonly data: JsonObject };
  /** What people call a type of nodes. */
  titleOf(type: string): string;
  /** Puts a node on a way, and what follows aside: it covers neither of its neighbours. */
  putBetween(node: NodeJson, on: PortRef): Command;
}

export function createBench({ store, engine, catalogue, say, own, told }: BenchParts): Bench {
  const drawn = (): CanvasJson => {
    const { history, placed } = store.getState();
    return withPlaces(history.canvas, placed);
  };
  return {
    store,
    engine,
    catalogue,
    say,
    told,
    drawn,
    cards(described = store.getState().described) {
      const { history, placed } = store.getState();
      return flowOf(history.canvas, { catalogue, described, placed }).cards;
    },
    newNode(type, position) {
      const entry = catalogue.get(type);
      const data = entry === undefined ? {} : (emptyOf(entry.schema, entry.schema) as JsonObject);
      const version = entry?.version;
      const id = freshNodeId(store.getState().history.canvas, type);
      return { id, type, ...(version !== undefined && { version }), position: snap(position), data };
    },
    titleOf: (type) => own(`node.${type}`, catalogue.get(type)?.label ?? type),
    putBetween(node, on) {
      const { placed } = store.getState();
      const source = drawn().nodes.find(({ id }) => id === on.nodeId)?.position;
      const { x, y } = node.position ?? { x: 0, y: 0 };
      const at = snap({ x: source === undefined || x < source.x ? x : Math.max(x, source.x + column), y });
      const put = insertOnEdge({ ...node, position: at }, on, catalogue.get(node.type)?.ports?.required[0]);
      return (canvas) => put(makeRoom(at, on.nodeId)(withPlaces(canvas, placed)));
    },
  };
}

/** Free ground below everything. */
export const lowest = (canvas: CanvasJson): Point => ({
  x: 0,
  y: Math.max(-200, ...canvas.nodes.map(({ position }) => position?.y ?? 0)) + 200,
});
