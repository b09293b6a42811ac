import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { areaFor, boundsOf, cardsIn, coveredBy, fitInto, isFar, isWithin, type Rect, seenBy, type View } from './rects.ts';
import { reducesMotion } from './use-glide.ts';

/** Nobody zooms out further, unless the whole canvas needs it. */
const usualLeastZoom = 0.08;
/** Below the first, of a card only its title can be read, in larger letters; below the second, nothing. */
const smallZoom = 0.45;
const tinyZoom = 0.25;
/** A card that is asked for is brought into view at least this large. */
const readingZoom = 0.8;

interface ViewportOptions {
  /** Only the cards around the view are drawn. */
  readonly isLarge: boolean;
  /** The placing that was fitted into view last. */
  readonly fitted: RefObject<string | undefined>;
  readonly placing: string;
  /** Whether each card has its place. */
  readonly isPlaced: boolean;
  readonly inView: string | readonly string[] | undefined;
  readonly selected: ReadonlySet<string> | undefined;
  readonly moving: RefObject<boolean>;
}

/** Which part of a canvas is seen, and how large; it is moved when a canvas opens, for what is asked for, and for a panel that opens. */
export function useViewport(
  rects: ReadonlyMap<string, Rect>,
  { isLarge, fitted, placing, isPlaced, inView, selected, moving }: ViewportOptions,
) {
  const { setCenter, setViewport, getZoom } = useReactFlow();
  const area = useStoreApi();
  const hasPlace = useStore(({ width, height }) => width > 0 && height > 0);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const whole = useMemo(() => boundsOf([...rects.values()]), [rects]);
  const [isShown, setShown] = useState(false);
  const durationMs = reducesMotion() || !isShown ? 0 : 200;
  /** Brings cards into view, all of them when none are named; by their sizes, so that none has to be drawn first. */
  const fit = (ids: readonly string[] | undefined, duration: number): void => {
    const bounds = ids === undefined ? whole : boundsOf(ids.flatMap((id) => rects.get(id) ?? []));
    if (bounds !== undefined) void setViewport(fitInto(bounds, width, height), { duration });
  };

  /** The card that is on its way into view. */
  const brought = useRef<string>(undefined);
  const bring = (id: string, rect: Rect, duration: number): void => {
    brought.current = id;
    const zoom = Math.max(getZoom(), readingZoom);
    void setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom, duration }).then(() => {
      if (brought.current === id) brought.current = undefined;
    });
  };

  useEffect(() => {
    if (!hasPlace || fitted.current === placing || whole === undefined) return;
    fitted.current = placing;
    void setViewport(fitInto(whole, width, height));
  }, [hasPlace, placing, whole === undefined]);

  useEffect(() => {
    if (inView === undefined || !hasPlace) return;
    if (typeof inView !== 'string') return fit(inView, durationMs);
    const rect = rects.get(inView);
    if (rect !== undefined) bring(inView, rect, durationMs);
    return undefined;
  }, [inView, hasPlace, placing]);

  // A card is seen first where it stays: a pointer that goes to where it was would meet another one, or none.
  useEffect(() => {
    if (isPlaced && hasPlace && (whole === undefined || fitted.current === placing)) setShown(true);
  }, [isPlaced, hasPlace, placing, whole === undefined]);

  const chosen = selected?.size === 1 ? [...selected][0] : undefined;
  /**
   * A panel that opens beside the canvas does not cover the card that it is about. The canvas moves in the picture in which the panel
   * appears, by its measured width, which React Flow is told a picture later: a pointer that is pressed in between would meet nothing.
   */
  useLayoutEffect(() => {
    const rect = chosen === undefined || moving.current ? undefined : rects.get(chosen);
    if (chosen === undefined || rect === undefined || fitted.current === undefined) return;
    // A card that is on its way into view goes on: a shift from where the view is now would stop it short.
    if (brought.current === chosen) return bring(chosen, rect, durationMs);
    const { transform, domNode } = area.getState();
    const [x, y, zoom] = transform;
    const covered = coveredBy(rect, { transform, width: domNode?.clientWidth ?? 0 });
    if (covered > 0) void setViewport({ x: x - covered, y, zoom });
  }, [chosen, width]);

  const kept = useStore(
    useMemo(() => ofView<Rect | undefined>((view, before) => (isLarge ? areaFor(before, view) : undefined)), [isLarge]),
  );
  return {
    fit,
    /** Whether cards are where they stay; before, none is shown. */
    isShown,
    leastZoom: hasPlace && whole !== undefined ? Math.min(usualLeastZoom, fitInto(whole, width, height).zoom) : usualLeastZoom,
    isWhole: useStore(useMemo(() => ofView((view) => whole !== undefined && isWithin(whole, view)), [whole])),
    isFarAway: useStore(useMemo(() => ofView((view) => isFar(rects, view)), [rects])),
    /** How much of a card can be read. A large canvas is drawn from afar before its cards are too small. */
    legible: useStore(({ transform: [, , zoom] }) => (isLarge || zoom >= smallZoom ? 'all' : zoom < tinyZoom ? 'nothing' : 'title')),
    /** The only cards of a large canvas that are passed to the renderer, which measures each new one. */
    around: useMemo(() => (kept === undefined ? undefined : cardsIn(rects, kept)), [rects, kept]),
    /** The cards that are seen now. */
    seen: (): ReadonlySet<string> => {
      const { transform, ...size } = area.getState();
      return cardsIn(rects, seenBy({ transform, width: size.width, height: size.height }));
    },
  };
}

/** A selector of React Flow's store that computes only when the view has moved: the store calls it at each change of any node. */
function ofView<Value>(select: (view: View, before: Value | undefined) => Value): (view: View) => Value {
  let last: { readonly view: View; readonly value: Value } | undefined;
  return ({ transform, width, height }) => {
    const isSame = last?.view.transform === transform && last.view.width === width && last.view.height === height;
    if (last === undefined || !isSame) {
      const view = { transform, width, height };
      last = { view, value: select(view, last?.value) };
    }
    return last.value;
  };
}
