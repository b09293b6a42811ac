import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useMemo } from 'react';
import type { Flow } from '../canvas/flow.ts';
import { areaAround, boundsOf, cardsIn, isFar, type Rect, type View } from './rects.ts';
import { reducesMotion } from './use-glide.ts';

/** An editor opens at its entry at this zoom where the whole canvas would be smaller. */
const readingZoom = 0.8;
const leastZoom = 0.08;
/** Below this, cards are too small to read. */
const smallZoom = 0.4;
/** Of the view, around what is fitted into it. */
const padding = 0.12;
/** Between a card that is brought into view and the border of the view. */
const margin = 24;
/** As wide as a panel is at most. */
const panelWidth = 560;

interface ViewportOptions {
  readonly isEditable: boolean;
  /** Only the cards around the view are drawn. */
  readonly isLarge: boolean;
  /** The placing that was fitted into view last. */
  readonly fitted: RefObject<string | undefined>;
  readonly placing: string;
  readonly inView: string | readonly string[] | undefined;
  readonly selected: ReadonlySet<string> | undefined;
  readonly moving: RefObject<boolean>;
}

/** Which part of a canvas is seen, and how large; it is moved when a canvas opens, for what is asked for, and for a panel that opens. */
export function useViewport(
  flow: Flow,
  rects: ReadonlyMap<string, Rect>,
  { isEditable, isLarge, fitted, placing, inView, selected, moving }: ViewportOptions,
) {
  const { setCenter, setViewport, getZoom } = useReactFlow();
  const area = useStoreApi();
  const hasPlace = useStore(({ width, height }) => width > 0 && height > 0);
  const width = useStore((state) => state.width);
  const fitting = (bounds: Rect, maxZoom: number) => {
    const { width: areaWidth, height } = area.getState();
    return getViewportForBounds(bounds, areaWidth, height, leastZoom, maxZoom, padding);
  };
  /** Brings cards into view, all of them when none are named; by their sizes, so that none has to be drawn first. */
  const fit = (ids: readonly string[] | undefined, duration: number): void => {
    const bounds = boundsOf(ids === undefined ? [...rects.values()] : ids.flatMap((id) => rects.get(id) ?? []));
    if (bounds !== undefined) void setViewport(fitting(bounds, 1), { duration });
  };

  useEffect(() => {
    if (!hasPlace || fitted.current === placing || flow.cards.length === 0) return;
    fitted.current = placing;
    const bounds = boundsOf([...rects.values()]);
    const entry = flow.cards.find(({ category }) => category === 'entry') ?? flow.cards[0];
    if (bounds === undefined || entry === undefined) return;
    const whole = fitting(bounds, 1);
    const { x, y } = entry.position;
    const atEntry = { x: 48 - x * readingZoom, y: area.getState().height / 2 - (y + 56) * readingZoom, zoom: readingZoom };
    void setViewport(whole.zoom >= readingZoom || !isEditable ? whole : atEntry);
  }, [hasPlace, placing, flow.cards.length === 0]);

  useEffect(() => {
    if (inView === undefined || !hasPlace) return;
    const duration = reducesMotion() ? 0 : 200;
    if (typeof inView !== 'string') return fit(inView, duration);
    const rect = rects.get(inView);
    if (rect !== undefined) void setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom: Math.max(getZoom(), 0.6), duration });
  }, [inView, hasPlace, placing]);

  const chosen = selected?.size === 1 ? [...selected][0] : undefined;
  /** A panel that opens beside the canvas does not cover the card that it is about. */
  useEffect(() => {
    const rect = chosen === undefined || moving.current ? undefined : rects.get(chosen);
    if (rect === undefined || fitted.current === undefined) return;
    const [x, y, zoom] = area.getState().transform;
    const right = (rect.x + rect.width) * zoom + x;
    const left = rect.x * zoom + x;
    const isPartlySeen = right > 0 && left < width + panelWidth;
    if (!isPartlySeen || right <= width - margin || width === 0) return;
    void setViewport({ x: x - Math.min(right - width + margin, Math.max(0, left - margin)), y, zoom });
  }, [chosen, width]);

  const areaKey = useStore(useMemo(() => ofView((view) => (isLarge ? JSON.stringify(areaAround(view)) : '')), [isLarge]));
  return {
    fit,
    isFarAway: useStore(useMemo(() => ofView((view) => isFar(rects, view)), [rects])),
    isSmall: useStore(({ transform: [, , zoom] }) => zoom < smallZoom),
    /** Of a large canvas only these cards are passed to the renderer, which measures each new one. */
    around: useMemo(() => (areaKey === '' ? undefined : cardsIn(rects, JSON.parse(areaKey) as Rect)), [rects, areaKey]),
  };
}

/** A selector of React Flow's store that computes only when the view has moved: the store calls it at each change of any node. */
function ofView<Value>(select: (view: View) => Value): (view: View) => Value {
  let last: { readonly view: View; readonly value: Value } | undefined;
  return ({ transform, width, height }) => {
    const isSame = last?.view.transform === transform && last.view.width === width && last.view.height === height;
    if (last === undefined || !isSame) {
      const view = { transform, width, height };
      last = { view, value: select(view) };
    }
    return last.value;
  };
}
