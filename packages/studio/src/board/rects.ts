import type { Point } from '../canvas/canvas-json.ts';
import type { Card, Flow } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import type { Rect } from './wire-path.ts';

export type { Rect } from './wire-path.ts';

const rectOf = new WeakMap<Card, Rect>();
const rectsOfCards = new WeakMap<Flow['cards'], ReadonlyMap<string, Rect>>();

/** The position and size of each card, by the sizes of the layout: nothing has to be rendered first. Derived once from the same cards. */
export function rectsOf({ cards }: Pick<Flow, 'cards'>): ReadonlyMap<string, Rect> {
  const known = rectsOfCards.get(cards);
  if (known !== undefined) return known;
  const rects = new Map<string, Rect>();
  for (const card of cards) {
    const rect = rectOf.get(card) ?? { ...card.position, ...cardSize(card) };
    rectOf.set(card, rect);
    rects.set(card.id, rect);
  }
  rectsOfCards.set(cards, rects);
  return rects;
}

/** The smallest rectangle around some rectangles; `undefined` around none. */
export function boundsOf(rects: readonly Rect[]): Rect | undefined {
  if (rects.length === 0) return undefined;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The card at a point; of several, the topmost one. */
export const cardAt = (rects: ReadonlyMap<string, Rect>, { x, y }: Point): string | undefined =>
  [...rects].findLast(([, rect]) => x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height)?.[0];

/** What stays free around a part that is fitted into a view, in pixels: the buttons for the zoom are at the bottom. */
const free = { side: 36, top: 24, bottom: 56 };

/**
 * The place of a part of a canvas in the middle of a view, whole, and no larger than it is.
 *
 * @param width - that of the view, in pixels; `height` likewise
 * @returns where the canvas's origin is, in pixels, and the zoom
 */
export function fitInto(part: Rect, width: number, height: number): { readonly x: number; readonly y: number; readonly zoom: number } {
  const [freeWidth, freeHeight] = [Math.max(1, width - 2 * free.side), Math.max(1, height - free.top - free.bottom)];
  const zoom = Math.min(1, freeWidth / part.width, freeHeight / part.height);
  return {
    x: (width - part.width * zoom) / 2 - part.x * zoom,
    y: free.top + (freeHeight - part.height * zoom) / 2 - part.y * zoom,
    zoom,
  };
}

/** Whether all of a part is in view. */
export const isWithin = ({ x, y, width, height }: Rect, { transform: [left, top, zoom], ...view }: View): boolean =>
  x * zoom + left >= 0 && y * zoom + top >= 0 && (x + width) * zoom + left <= view.width && (y + height) * zoom + top <= view.height;

/** Below this zoom, or with more cards in view than this, a canvas is drawn from afar. */
const farZoom = 0.25;
const maxCards = 250;

/** Which part of a canvas is seen. */
export interface View {
  /** Where the canvas's origin is, in pixels, and the zoom. */
  readonly transform: readonly [x: number, y: number, zoom: number];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Whether a view is from afar. */
export function isFar(rects: ReadonlyMap<string, Rect>, { transform: [left, top, zoom], width, height }: View): boolean {
  if (rects.size <= maxCards) return false; // as many elements as a browser draws easily
  if (zoom < farZoom) return true;
  let count = 0;
  for (const rect of rects.values()) {
    const isInView =
      (rect.x + rect.width) * zoom + left > 0 &&
      rect.x * zoom + left < width &&
      (rect.y + rect.height) * zoom + top > 0 &&
      rect.y * zoom + top < height;
    if (isInView) count += 1;
    if (count > maxCards) return true;
  }
  return false;
}

/** Views that differ by less than this many pixels show the same cards. */
const step = 256;

/** The part of a canvas around a view, half a screen more on each side, in steps: it changes seldom while a view is moved. */
export function areaAround({ transform: [left, top, zoom], width, height }: View): Rect {
  const snapDown = (value: number): number => Math.floor(value / step) * step;
  return {
    x: snapDown((-left - width / 2) / zoom),
    y: snapDown((-top - height / 2) / zoom),
    width: snapDown((2 * width) / zoom) + 2 * step,
    height: snapDown((2 * height) / zoom) + 2 * step,
  };
}

/** The cards that touch an area. */
export const cardsIn = (rects: ReadonlyMap<string, Rect>, area: Rect): ReadonlySet<string> =>
  new Set(
    [...rects].flatMap(([id, { x, y, width, height }]) =>
      x + width > area.x && x < area.x + area.width && y + height > area.y && y < area.y + area.height ? [id] : [],
    ),
  );
