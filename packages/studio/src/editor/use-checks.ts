// Checks of the draft while it is edited.
import type { Channel } from '@hilo/engine/contract';
import { useEffect } from 'react';
import { type CanvasJson, type Point, portKey } from '../canvas/canvas-json.ts';
import { flowOf } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { CheckResult } from '../worker/protocol.ts';
import { createCheckTurns } from './check-turns.ts';
import type { EditorStore } from './editor-store.ts';

/**
 * Checks the draft in the worker after its edits. A canvas with nodes that only the service knows is checked by the service.
 */
export function useChecks(store: EditorStore, engine: EngineClient, channels: readonly Channel[]): void {
  const { client, companyId, catalogue } = useStudio();
  useEffect(() => {
    let isEnded = false;
    let last: CanvasJson | undefined;

    const check = async (): Promise<void> => {
      const { canvas } = store.getState().history;
      if (canvas === last) return;
      last = canvas;
      try {
        const result = await engine.check(canvas, channels);
        const isOfService = result.unknownTypes.some((type) => catalogue.has(type));
        const [problems, places] = await Promise.all([
          isOfService ? client.validate(companyId, canvas) : result.problems,
          placesFor(canvas, store.getState().placed, result, { engine, catalogue }),
        ]);
        if (isEnded) return;
        // Both at once: a card is seen first where it stays.
        store.getState().checked({ ...result, problems }, canvas);
        if (places !== undefined) store.getState().place(places);
      } catch {
        last = undefined; // the next edit tries again
        const { placed, place } = store.getState();
        if (!isEnded) place(placed); // what cannot be placed is shown all the same
      }
    };
    const turns = createCheckTurns(check);
    turns.edited(); // nothing of it is checked yet
    const unsubscribe = store.subscribe(({ history: { canvas } }, before) => {
      if (canvas !== before.history.canvas) turns.edited();
    });
    return () => {
      isEnded = true;
      turns.end();
      unsubscribe();
    };
  }, [store, engine, channels, client, companyId, catalogue]);
}

/** Places for the nodes of a canvas, where one has none yet. They are where the canvas is drawn, and are not written into it. */
async function placesFor(
  canvas: CanvasJson,
  placed: ReadonlyMap<string, Point>,
  { nodes }: CheckResult,
  { engine, catalogue }: { readonly engine: EngineClient; readonly catalogue: ReturnType<typeof useStudio>['catalogue'] },
): Promise<ReadonlyMap<string, Point> | undefined> {
  if (canvas.nodes.every(({ id, position }) => position !== undefined || placed.has(id))) return undefined;
  return layOutAll(canvas, engine, { catalogue, described: new Map(nodes.map((node) => [node.nodeId, node])) });
}

/** Places for every card of a canvas. */
export async function layOutAll(
  canvas: CanvasJson,
  engine: EngineClient,
  { catalogue, described }: Pick<Parameters<typeof flowOf>[1], 'catalogue' | 'described'>,
) {
  const { cards, wires } = flowOf(canvas, { catalogue, described });
  const order = new Map(
    cards.flatMap(({ id, ports }) => ports.map(({ name }, index): readonly [string, number] => [portKey(id, name), index])),
  );
  const boxes = cards.filter(({ frame }) => frame === undefined).map((card) => ({ id: card.id, ...cardSize(card) }));
  const ways = wires.map(({ id, source, target, kind }) => ({ source, target, order: order.get(id) ?? 0, isPlain: kind === 'plain' }));
  return new Map(await engine.layout({ boxes, ways }));
}
