import type { Channel } from '@hilo/engine/contract';
import { useEffect } from 'react';
import { type CanvasJson, portKey } from '../canvas/canvas-json.ts';
import { flowOf } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { CheckResult } from '../worker/protocol.ts';
import type { EditorStore } from './editor-store.ts';

const quietMs = 120;
const slowMs = 200;

/**
 * Checks the draft in the worker after each edit, with one check in flight and the newest canvas winning; when checks are slow, the delay
 * before them doubles. A canvas with nodes that only the service knows is checked by the service.
 */
export function useChecks(store: EditorStore, engine: EngineClient, channels: readonly Channel[]): void {
  const { client, companyId, catalogue } = useStudio();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isBusy = false;
    let isEnded = false;
    let quiet = quietMs;
    let last: CanvasJson | undefined;

    const check = async (): Promise<void> => {
      const { canvas } = store.getState().history;
      if (isBusy || canvas === last) return;
      isBusy = true;
      last = canvas;
      const startedAt = performance.now();
      try {
        const result = await engine.check(canvas, channels);
        const isOfService = result.unknownTypes.some((type) => catalogue.has(type));
        const judged: CheckResult = isOfService ? { ...result, problems: await client.validate(companyId, canvas) } : result;
        if (!isEnded) store.getState().checked(judged);
        if (!isEnded) await placeNodes(store, engine, catalogue);
      } catch {
        last = undefined; // the next edit tries again
      }
      quiet = performance.now() - startedAt > slowMs ? quietMs * 2 : quietMs;
      isBusy = false;
      if (!isEnded && store.getState().history.canvas !== canvas) later();
    };
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void check(), quiet);
    };
    void check();
    const unsubscribe = store.subscribe(({ history: { canvas } }, before) => {
      if (canvas !== before.history.canvas) later();
    });
    return () => {
      isEnded = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, engine, channels, client, companyId, catalogue]);
}

/** Finds places for nodes that have none. They are where the canvas is drawn, and are not written into it. */
async function placeNodes(store: EditorStore, engine: EngineClient, catalogue: ReturnType<typeof useStudio>['catalogue']): Promise<void> {
  const { history, described, placed } = store.getState();
  if (history.canvas.nodes.every(({ id, position }) => position !== undefined || placed.has(id))) return;
  store.getState().place(await layOutAll(history.canvas, engine, { catalogue, described }));
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
  const boxes = cards.map((card) => ({ id: card.id, ...cardSize(card) }));
  const ways = wires.map(({ id, source, target, kind }) => ({ source, target, order: order.get(id) ?? 0, isPlain: kind === 'plain' }));
  return new Map(await engine.layout({ boxes, ways }));
}
