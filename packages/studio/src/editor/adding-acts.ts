// Adding nodes: behind the selected one, at a place, on a way.
import type { CanvasJson, Point } from '../canvas/canvas-json.ts';
import { addNode, column, type PortRef } from '../canvas/commands.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import { type Bench, lowest } from './bench.ts';
import type { EditorState, EditorStore } from './editor-store.ts';
import { onlyWay, openPort, portRef } from './ports.ts';
import type { Editing } from './editing.ts';

export function addingActs(bench: Bench): Pick<Editing, 'add' | 'insert' | 'onDrop'> {
  const { store, engine, catalogue, say, told, drawn, newNode, putBetween, titleOf } = bench;
  const insert = (type: string, on: PortRef): void => {
    const { run, selectFresh } = store.getState();
    const { x, y } = drawn().nodes.find(({ id }) => id === on.nodeId)?.position ?? { x: 0, y: 0 };
    const node = newNode(type, { x: x + column, y });
    run(say('step.added', { what: titleOf(type) }), putBetween(node, on));
    selectFresh(node.id);
    told.onView(node.id);
  };
  return {
    insert,
    async add(type, position, from) {
      const [after] = store.getState().selected.size === 1 ? [...store.getState().selected] : [];
      const fresh = from === undefined && after !== undefined ? await describeChanged(store, engine, after) : undefined;
      const { run, selectFresh } = store.getState();
      const card = bench.cards(fresh).find(({ id }) => id === (from?.nodeId ?? after));
      const open = from ?? openPort(card);
      const entersNothing = catalogue.get(type)?.category === 'entry' || type === 'note';
      const isAlone = card === undefined || entersNothing;
      const between = from === undefined && position === undefined && open === undefined && !entersNothing ? onlyWay(card) : undefined;
      if (between !== undefined && (catalogue.get(type)?.ports?.required.length ?? 0) > 0) return insert(type, between);
      const beside = isAlone ? lowest(drawn()) : { x: card.position.x + column, y: card.position.y };
      const node = newNode(type, position ?? freeGround(drawn(), beside));
      run(say('step.added', { what: titleOf(type) }), addNode(node, entersNothing ? undefined : open));
      selectFresh(node.id);
      told.onView(node.id);
    },
    onDrop(type, at, onWire) {
      const node = newNode(type, at);
      const command = onWire === undefined ? addNode(node) : putBetween(node, portRef(store, onWire.source, onWire.port));
      store.getState().run(say('step.added', { what: titleOf(type) }), command);
      store.getState().selectFresh(node.id);
    },
  };
}

/** What the engine says of the nodes, where a node is another one than at the last check; at once where it is the same. */
async function describeChanged(store: EditorStore, engine: EngineClient, nodeId: string): Promise<EditorState['described'] | undefined> {
  const { history, checkedCanvas } = store.getState();
  const nodeIn = (canvas: CanvasJson | undefined) => canvas?.nodes.find(({ id }) => id === nodeId);
  if (nodeIn(history.canvas) === nodeIn(checkedCanvas)) return undefined;
  const checked = await engine.check(history.canvas, []).catch(() => undefined);
  return checked && new Map(checked.nodes.map((node) => [node.nodeId, node]));
}

/** The position, or the first free one below it. */
function freeGround({ nodes }: CanvasJson, place: Point): Point {
  const isTaken = (y: number): boolean =>
    nodes.some(({ position }) => position !== undefined && Math.abs(position.x - place.x) < 240 && Math.abs(position.y - y) < 160);
  let { y } = place;
  while (isTaken(y)) y += 168;
  return { x: place.x, y };
}
