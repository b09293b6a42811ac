// Positions and sizes of cards.
import { isPinned, type Point } from '../canvas/canvas-json.ts';
import type { Card, Flow } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import { withFramed } from '../canvas/frames.ts';
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

/** Where cards come when some are moved: what is inside of a frame goes with it. */
export function withCarried(cards: Flow['cards'], moved: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  const frames = idsOf(cards, ({ frame }) => frame !== undefined);
  if (![...moved.keys()].some((id) => frames.has(id))) return moved;
  return withFramed(boxesOf(cards), { frames, pinned: idsOf(cards, ({ node }) => isPinned(node)) }, moved);
}

/** The ids of the cards that are so. */
export const idsOf = (cards: Flow['cards'], is: (card: Card) => boolean): ReadonlySet<string> =>
  new Set(cards.filter(is).map(({ id }) => id));

/** Where cards are, each with its id. */
export const boxesOf = (cards: Flow['cards']) => [...rectsOf({ cards })].map(([id, rect]) => ({ id, ...rect }));

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

/** Above this number of nodes, only those around the view are elements, and from afar none is. */
export const manyCards = 150;
/** Below this zoom, or with more cards in view than this, such a canvas is drawn from afar. */
const farZoom = 0.5;
const maxCards = 120;

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
  if (rects.size <= manyCards) return false; // as many elements as a browser draws easily
  if (zoom < farZoom) return true;
  const seen = seenBy({ transform: [left, top, zoom], width, height });
  let count = 0;
  for (const rect of rects.values()) {
    if (isTouching(rect, seen)) count += 1;
    if (count > maxCards) return true;
  }
  return false;
}

/** The part of a canvas that a view shows. */
export const seenBy = ({ transform: [left, top, zoom], width, height }: View): Rect => ({
  x: -left / zoom,
  y: -top / zoom,
  width: width / zoom,
  height: height / zoom,
});

const isTouching = (rect: Rect, area: Rect): boolean =>
  rect.x + rect.width > area.x && rect.x < area.x + area.width && rect.y + rect.height > area.y && rect.y < area.y + area.height;

/** An area that is so many times wider than what is seen of it holds too many cards. */
const mostTimes = 3;

/**
 * The part of a canvas whose cards are kept drawn: what is seen, and an eighth more on each side. It stays while a view moves and zooms
 * inside of it, so that not every frame has cards to draw.
 */
export function areaFor(before: Rect | undefined, view: View): Rect {
  const { x, y, width, height } = seenBy(view);
  const isInside =
    before !== undefined &&
    before.x <= x &&
    before.y <= y &&
    before.x + before.width >= x + width &&
    before.y + before.height >= y + height &&
    before.width <= width * mostTimes;
  return isInside ? before : { x: x - width / 8, y: y - height / 8, width: width * 1.25, height: height * 1.25 };
}

/** The cards that touch an area. */
export const cardsIn = (rects: ReadonlyMap<string, Rect>, area: Rect): ReadonlySet<string> =>
  new Set([...rects].flatMap(([id, rect]) => (isTouching(rect, area) ? [id] : [])));

/** Between a card that is brought into view and the border of the view. */
const margin = 24;
/** As wide as a panel is at most. */
const panelWidth = 560;

/**
 * How much of a card, with a margin, is behind the end of a view from which a panel took its part, in pixels: the view moves by as much. A
 * card that was not seen before stays where it is, and the beginning of one that is too wide stays in view.
 */
export function coveredBy(rect: Rect, { transform: [x, , zoom], width }: Pick<View, 'transform' | 'width'>): number {
  const right = (rect.x + rect.width) * zoom + x;
  const left = rect.x * zoom + x;
  const wasSeen = width > 0 && right > 0 && left < width + panelWidth;
  return wasSeen ? Math.max(0, Math.min(right - width + margin, Math.max(0, left - margin))) : 0;
}
