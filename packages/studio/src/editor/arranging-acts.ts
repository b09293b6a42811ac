// Arranging what is on a canvas: moving, aligning, tidying up, frames and pins.
import { isPinned, type Point } from '../canvas/canvas-json.ts';
import { moveNodes, pin, snap } from '../canvas/commands.ts';
import { boxesOf, idsOf } from '../board/rects.ts';
import { cardSize } from '../canvas/card-size.ts';
import { flowOf } from '../canvas/flow.ts';
import { contentsOf, putFrame, refitFrames, resizeFrame } from '../canvas/frames.ts';
import { tidyPlaces } from '../canvas/tidy.ts';
import type { Bench } from './bench.ts';
import { layOutAll } from './use-checks.ts';
import type { Editing } from './editing.ts';

export function arrangingActs(bench: Bench): Pick<Editing, 'tidy' | 'align' | 'frame' | 'pin' | 'onMove' | 'onResize'> {
  const { store, engine, catalogue, say, cards, newNode } = bench;
  return {
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
    align(placesOf) {
      const { selected, run } = store.getState();
      const chosen = cards().flatMap((card) =>
        selected.has(card.id) && !isPinned(card.node) ? [{ id: card.id, ...card.position, ...cardSize(card) }] : [],
      );
      const places = [...placesOf(chosen)].map(([id, point]): [string, Point] => [id, snap(point)]);
      run(say('step.aligned', { count: selected.size }), moveNodes(new Map(places)));
    },
    frame() {
      const { selected, run, selectFresh } = store.getState();
      const chosen = cards().filter(({ id }) => selected.has(id));
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
    onMove: (positions) => store.getState().run(say('step.moved', { count: positions.size }), moveNodes(positions)),
    onResize: (nodeId, size) => store.getState().run(say('step.resized'), resizeFrame(nodeId, size)),
  };
}
