// Edits of a canvas as a whole.
import type { JsonObject } from '@hilo/engine/contract';
import { useMemo, useRef } from 'react';
import type { BoardActs } from '../board/use-acts.ts';
import type { Placed } from '../canvas/align.ts';
import { asCanvas, type CanvasJson, isPinned, type NodeJson, type Point } from '../canvas/canvas-json.ts';
import {
  addNode,
  column,
  type Command,
  connect,
  copyOf,
  freshNodeId,
  insertOnEdge,
  leaveBy,
  makeRoom,
  moveNodes,
  paste,
  pin,
  type PortRef,
  remove,
  snap,
  withPlaces,
} from '../canvas/commands.ts';
import { boxesOf, idsOf } from '../board/rects.ts';
import { cardSize } from '../canvas/card-size.ts';
import { contentsOf, putFrame, refitFrames, resizeFrame } from '../canvas/frames.ts';
import { flowOf } from '../canvas/flow.ts';
import { groundBelow } from '../canvas/ground.ts';
import { tidyPlaces } from '../canvas/tidy.ts';
import { emptyOf } from '../forms/shape.ts';
import { useStudio } from '../studio-context.ts';
import { useLanguage } from '../words/words.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import type { EditorState, EditorStore } from './editor-store.ts';
import { onlyWay, openPort, portRef } from './ports.ts';
import { layOutAll } from './use-checks.ts';

/** What an author does to a canvas as a whole: each is one step that can be undone. */
export interface Editing extends BoardActs {
  /**
   * Adds a node, connects it, and opens its form. Where the node before it was edited a moment ago, its ports are asked for first.
   *
   * @param position - beside the selected node when left out
   */
  add(type: string, position?: Point, from?: PortRef): Promise<void>;
  /** Puts a new node on the way by which a port is left. */
  insert(type: string, on: PortRef): void;
  /** Leads a port to nothing. */
  disconnect(from: PortRef): void;
  tidy(): Promise<void>;
  deleteSelected(): void;
  /** Moves what is selected, all at once. @param placesOf - where cards come, by id */
  align(placesOf: (cards: readonly Placed[]) => ReadonlyMap<string, Point>): void;
  duplicate(nodeIds: ReadonlySet<string>): void;
  /** Puts a frame around what is selected, or fits the one that is selected with others to them. */
  frame(): void;
  /** Pins nodes to their places, or frees them where all are pinned. */
  pin(nodeIds: ReadonlySet<string>): void;
  /** What is selected, as a canvas; `undefined` when nothing is. */
  copied(): string | undefined;
  /**
   * Pastes a canvas, or a part of one. Any other text is left alone.
   *
   * @param at - the left upper corner of what is pasted; below everything that it would cover when left out
   * @returns whether it was a canvas
   */
  pasteText(text: string, at?: Point): boolean;
}

/**
 * @param onAskTarget - called with a port for which the author is to choose a target
 * @param onNoCanvas - called when something was dropped that is no canvas
 * @param onView - called with the node to bring into view
 * @param onPut - called after nodes were pasted or duplicated, with the first of them
 * @param onDeleted - called after nodes were deleted, with a node that led to them where there is one
 */
export function useEditing(
  store: EditorStore,
  engine: EngineClient,
  {
    onAskTarget,
    onNoCanvas,
    onView,
    onPut,
    onDeleted,
  }: Pick<BoardActs, 'onAskTarget'> & {
    readonly onNoCanvas: () => void;
    readonly onView: (nodeId: string) => void;
    readonly onPut: (nodeId: string | undefined) => void;
    readonly onDeleted: (near: string | undefined) => void;
  },
): Editing {
  const { catalogue } = useStudio();
  const { say, own } = useLanguage();
  const told = useRef({ onAskTarget, onNoCanvas, onView, onPut, onDeleted });
  told.current = { onAskTarget, onNoCanvas, onView, onPut, onDeleted };
  return useMemo(() => {
    const titleOf = (type: string): string => own(`node.${type}`, catalogue.get(type)?.label ?? type);
    const newNode = (type: string, position: Point) => {
      const entry = catalogue.get(type);
      const data = entry === undefined ? {} : (emptyOf(entry.schema, entry.schema) as JsonObject);
      const version = entry?.version;
      const id = freshNodeId(store.getState().history.canvas, type);
      return { id, type, ...(version !== undefined && { version }), position: snap(position), data };
    };
    const putIn = (copied: Pick<CanvasJson, 'nodes' | 'edges'>, name: string, at: Point): void => {
      const { history, run, select } = store.getState();
      const corner = cornerOf(copied);
      const { command, ids } = paste(history.canvas, copied, { x: at.x - corner.x, y: at.y - corner.y });
      run(name, command);
      select(ids);
      told.current.onPut(ids[0]);
    };
    /** The draft as it is drawn: what is added and copied keeps its distance from cards that were placed by themselves. */
    const drawn = (): CanvasJson => {
      const { history, placed } = store.getState();
      return withPlaces(history.canvas, placed);
    };
    /** Puts a node on a way, and what follows aside: it covers neither of its neighbours. */
    const putBetween = (node: NodeJson, on: PortRef): Command => {
      const { placed } = store.getState();
      const source = drawn().nodes.find(({ id }) => id === on.nodeId)?.position;
      const { x, y } = node.position ?? { x: 0, y: 0 };
      const at = snap({ x: source === undefined || x < source.x ? x : Math.max(x, source.x + column), y });
      const put = insertOnEdge({ ...node, position: at }, on, catalogue.get(node.type)?.ports?.required[0]);
      return (canvas) => put(makeRoom(at, on.nodeId)(withPlaces(canvas, placed)));
    };
    const putPasted = (pasted: CanvasJson, at?: Point): void => {
      const place = at ?? freePlace(drawn(), pasted);
      putIn(pasted, say('step.pasted', { count: pasted.nodes.length }), place);
    };
    const editing: Editing = {
      async add(type, position, from) {
        const [after] = store.getState().selected.size === 1 ? [...store.getState().selected] : [];
        const fresh = from === undefined && after !== undefined ? await describeChanged(store, engine, after) : undefined;
        const { history, described: known, placed, run, selectFresh } = store.getState();
        const described = fresh ?? known;
        const card = flowOf(history.canvas, { catalogue, described, placed }).cards.find(({ id }) => id === (from?.nodeId ?? after));
        const open = from ?? openPort(card);
        const entersNothing = catalogue.get(type)?.category === 'entry' || type === 'note';
        const isAlone = card === undefined || entersNothing;
        const between = from === undefined && position === undefined && open === undefined && !entersNothing ? onlyWay(card) : undefined;
        if (between !== undefined && (catalogue.get(type)?.ports?.required.length ?? 0) > 0) return editing.insert(type, between);
        const beside = isAlone ? lowest(drawn()) : { x: card.position.x + column, y: card.position.y };
        const node = newNode(type, position ?? freeGround(drawn(), beside));
        run(say('step.added', { what: titleOf(type) }), addNode(node, entersNothing ? undefined : open));
        selectFresh(node.id);
        told.current.onView(node.id);
      },
      insert(type, on) {
        const { run, selectFresh } = store.getState();
        const { x, y } = drawn().nodes.find(({ id }) => id === on.nodeId)?.position ?? { x: 0, y: 0 };
        const node = newNode(type, { x: x + column, y });
        run(say('step.added', { what: titleOf(type) }), putBetween(node, on));
        selectFresh(node.id);
        told.current.onView(node.id);
      },
      disconnect: (from) => store.getState().run(say('step.deletedWay'), remove(new Set(), [from])),
      async tidy() {
        const { history, described, selected, run } = store.getState();
        const places = await layOutAll(history.canvas, engine, { catalogue, described });
        const move = moveNodes(tidyPlaces(history.canvas, places, selected.size > 1 ? selected : undefined));
        const drawnBy = { catalogue, described, placed: store.getState().placed };
        const before = flowOf(history.canvas, drawnBy).cards;
        const contents = contentsOf(
          boxesOf(before),
          idsOf(before, ({ frame }) => frame !== undefined),
        );
        run(say('step.tidied'), (canvas) => {
          const tidied = move(canvas);
          return contents.size === 0 ? tidied : refitFrames(contents, boxesOf(flowOf(tidied, drawnBy).cards))(tidied);
        });
      },
      deleteSelected() {
        const { history, selected, selectedWires, run, select } = store.getState();
        if (selected.size + selectedWires.length === 0) return;
        const name = selected.size > 0 ? say('step.deleted', { count: selected.size }) : say('step.deletedWay');
        const before = history.canvas.edges.find(({ source, target }) => selected.has(target) && !selected.has(source))?.source;
        const wires = selectedWires.map(({ nodeId, port }) => portRef(store, nodeId, port));
        run(name, remove(selected, wires));
        select([]);
        told.current.onDeleted(before ?? selectedWires[0]?.nodeId);
      },
      align(placesOf) {
        const { history, described, placed, selected, run } = store.getState();
        const { cards } = flowOf(history.canvas, { catalogue, described, placed });
        const chosen = cards.flatMap((card) =>
          selected.has(card.id) && !isPinned(card.node) ? [{ id: card.id, ...card.position, ...cardSize(card) }] : [],
        );
        const places = [...placesOf(chosen)].map(([id, point]): [string, Point] => [id, snap(point)]);
        run(say('step.aligned', { count: selected.size }), moveNodes(new Map(places)));
      },
      frame() {
        const { history, described, placed, selected, run, selectFresh } = store.getState();
        const { cards } = flowOf(history.canvas, { catalogue, described, placed });
        const chosen = cards.filter(({ id }) => selected.has(id));
        const frames = idsOf(chosen, (card) => card.frame !== undefined);
        const fresh = { ...newNode('note', { x: 0, y: 0 }), data: { text: say('frame.title') } };
        run(say('step.framed', { count: chosen.length }), putFrame(boxesOf(chosen), frames, fresh));
        if (frames.size !== 1) selectFresh(fresh.id);
      },
      pin(nodeIds) {
        const { history, run } = store.getState();
        const isFreed = history.canvas.nodes.every((node) => !nodeIds.has(node.id) || isPinned(node));
        run(say(isFreed ? 'step.freed' : 'step.pinned', { count: nodeIds.size }), pin(nodeIds, !isFreed));
      },
      duplicate(nodeIds) {
        const { history, described, placed } = store.getState();
        const { cards } = flowOf(history.canvas, { catalogue, described, placed });
        const copied = copyOf(drawn(), nodeIds);
        // A frame may stand around its copies, too.
        const frames = idsOf(cards, ({ frame }) => frame !== undefined);
        const boxes = boxesOf(cards);
        const moved = boxes.filter(({ id }) => nodeIds.has(id));
        const down = groundBelow(
          moved,
          boxes.filter(({ id }) => nodeIds.has(id) || !frames.has(id)),
        );
        const { x, y } = cornerOf(copied);
        putIn(copied, say('step.duplicated'), { x, y: y + down });
      },
      copied() {
        const { history, selected } = store.getState();
        return selected.size === 0 ? undefined : JSON.stringify({ ...history.canvas, ...copyOf(drawn(), selected) }, null, 2);
      },
      pasteText(text, at) {
        let pasted: CanvasJson | undefined;
        try {
          pasted = asCanvas(JSON.parse(text));
        } catch {
          return false;
        }
        if (pasted === undefined) return false;
        const whole = pasted;
        if (whole.nodes.every(({ position }) => position !== undefined)) putPasted(whole, at);
        else
          layOutAll(whole, engine, { catalogue, described: new Map() }).then(
            (places) => putPasted(withPlaces(whole, places), at),
            () => putPasted(whole, at),
          );
        return true;
      },

      onMove: (positions) => store.getState().run(say('step.moved', { count: positions.size }), moveNodes(positions)),
      onResize: (nodeId, size) => store.getState().run(say('step.resized'), resizeFrame(nodeId, size)),
      onConnect: (source, port, target) => store.getState().run(say('step.connected'), connect(portRef(store, source, port), target)),
      onRedirect(wire, to) {
        const from = portRef(store, wire.source, wire.port);
        const isSamePort = wire.source === to.source && wire.port === to.port;
        store
          .getState()
          .run(say('step.redirected'), isSamePort ? connect(from, to.target) : leaveBy(from, portRef(store, to.source, to.port)));
      },
      onAskTarget: (...port) => told.current.onAskTarget(...port),
      onDropText: (text, at) => editing.pasteText(text, at) || told.current.onNoCanvas(),
      onDrop(type, at, onWire) {
        const node = newNode(type, at);
        const command = onWire === undefined ? addNode(node) : putBetween(node, portRef(store, onWire.source, onWire.port));
        store.getState().run(say('step.added', { what: titleOf(type) }), command);
        store.getState().selectFresh(node.id);
      },
    };
    return editing;
  }, [store, engine, catalogue, say, own]);
}

/** What the engine says of the nodes, where a node is another one than at the last check; at once where it is the same. */
async function describeChanged(store: EditorStore, engine: EngineClient, nodeId: string): Promise<EditorState['described'] | undefined> {
  const { history, checkedCanvas } = store.getState();
  const nodeIn = (canvas: CanvasJson | undefined) => canvas?.nodes.find(({ id }) => id === nodeId);
  if (nodeIn(history.canvas) === nodeIn(checkedCanvas)) return undefined;
  const checked = await engine.check(history.canvas, []).catch(() => undefined);
  return checked && new Map(checked.nodes.map((node) => [node.nodeId, node]));
}

/** The left upper corner of nodes. */
const cornerOf = ({ nodes }: Pick<CanvasJson, 'nodes'>): Point => ({
  x: Math.min(...nodes.map(({ position }) => position?.x ?? 0)),
  y: Math.min(...nodes.map(({ position }) => position?.y ?? 0)),
});

/** Where nodes are put for which nobody points at a place: where they were, or below everything where they would cover something there. */
function freePlace(canvas: CanvasJson, pasted: Pick<CanvasJson, 'nodes'>): Point {
  const corner = cornerOf(pasted);
  const places = pasted.nodes.flatMap(({ position }) => position ?? []);
  const right = Math.max(...places.map(({ x }) => x));
  const bottom = Math.max(...places.map(({ y }) => y));
  const isCovered = canvas.nodes.some(
    ({ position }) =>
      position !== undefined &&
      position.x > corner.x - 240 &&
      position.x < right + 240 &&
      position.y > corner.y - 160 &&
      position.y < bottom + 160,
  );
  return isCovered ? { x: corner.x, y: lowest(canvas).y } : corner;
}

/** Free ground below everything. */
const lowest = (canvas: CanvasJson): Point => ({
  x: 0,
  y: Math.max(-200, ...canvas.nodes.map(({ position }) => position?.y ?? 0)) + 200,
});

/** The position, or the first free one below it. */
function freeGround({ nodes }: CanvasJson, place: Point): Point {
  const isTaken = (y: number): boolean =>
    nodes.some(({ position }) => position !== undefined && Math.abs(position.x - place.x) < 240 && Math.abs(position.y - y) < 160);
  let { y } = place;
  while (isTaken(y)) y += 168;
  return { x: place.x, y };
}
