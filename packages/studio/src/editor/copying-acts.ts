// Copies of nodes, in the draft and from elsewhere: duplicated, copied, pasted, dropped.
import { boxesOf, idsOf } from '../board/rects.ts';
import { asCanvas, type CanvasJson, type Point } from '../canvas/canvas-json.ts';
import { copyOf, paste, withPlaces } from '../canvas/commands.ts';
import { groundBelow } from '../canvas/ground.ts';
import { type Bench, lowest } from './bench.ts';
import { layOutAll } from './use-checks.ts';
import type { Editing } from './editing.ts';

export function copyingActs(bench: Bench): Pick<Editing, 'duplicate' | 'copied' | 'pasteText' | 'onDropText'> {
  const { store, engine, catalogue, say, told, drawn, cards } = bench;
  const putIn = (copied: Pick<CanvasJson, 'nodes' | 'edges'>, name: string, at: Point): void => {
    const { history, run, select } = store.getState();
    const corner = cornerOf(copied);
    const { command, ids } = paste(history.canvas, copied, { x: at.x - corner.x, y: at.y - corner.y });
    run(name, command);
    select(ids);
    told.onPut(ids[0]);
  };
  const putPasted = (pasted: CanvasJson, at?: Point): void => {
    const place = at ?? freePlace(drawn(), pasted);
    putIn(pasted, say('step.pasted', { count: pasted.nodes.length }), place);
  };
  const pasteText = (text: string, at?: Point): boolean => {
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
  };
  return {
    duplicate(nodeIds) {
      const copied = copyOf(drawn(), nodeIds);
      // A frame may stand around its copies, too.
      const frames = idsOf(cards(), ({ frame }) => frame !== undefined);
      const boxes = boxesOf(cards());
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
    pasteText,
    onDropText: (text, at) => pasteText(text, at) || told.onNoCanvas(),
  };
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
