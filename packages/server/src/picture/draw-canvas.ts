import type { NodeDefinition } from '@hilo/engine/contract';
import { cardsOf, measures } from './card.ts';
import { ink, toneColours } from './colours.ts';
import { drawCard } from './draw-card.ts';
import { headingOf } from './heading.ts';
import type { PlacedCard } from './layout.ts';
import { linesOf } from './lines.ts';
import { placeCards } from './place-cards.ts';
import { type Route, routesOf } from './routes.ts';
import { Sketch } from './sketch.ts';
import { element, escaped, rounded } from './svg.ts';

const fonts = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'Segoe UI', Roboto, sans-serif";
const margin = 48;

/** A canvas drawn. */
export interface Picture {
  readonly svg: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** How many nodes are on it. */
  readonly nodes: number;
}

/**
 * Draws a canvas as SVG, from the visual definitions of its nodes alone. The same canvas gives the same picture. A canvas
 * with mistakes is drawn as far as it goes: nodes of no known type in grey, ports that ought to lead somewhere in red.
 *
 * @param canvas - a canvas as it was parsed from JSON, checked or not
 */
export function drawCanvas(canvas: unknown, definitions: readonly NodeDefinition[]): Picture {
  const sketch = Sketch.catch({ id: '', name: '', kind: '', description: '', nodes: [], edges: [] }).parse(canvas);
  const cards = cardsOf(sketch, new Map(definitions.map((definition) => [definition.type, definition])));
  const lines = linesOf(sketch, cards);
  const layout = placeCards(cards, lines);
  const routes = routesOf(layout, lines);

  const [left, top, right, bottom] = bounds(layout.cards, routes);
  const heading = headingOf(sketch, lines.length, Math.max(right - left, 420));
  const width = Math.ceil(Math.max(right - left, heading.width) + 2 * margin);
  const height = Math.ceil(bottom - top + heading.height + 2 * margin);
  const picture = element('g', { transform: `translate(${rounded(margin - left)} ${rounded(margin + heading.height - top)})` }, [
    ...routes.map((route) => drawLine(route, layout.cards)),
    ...layout.cards.map(drawCard),
    ...arrows(layout.cards),
  ]);
  const name = sketch.name || sketch.id || 'Canvas';
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${rounded(width)} ${rounded(height)}`,
    role: 'img',
    'font-family': fonts,
  };
  const svg = element('svg', frame, [
    element('title', {}, escaped(name)),
    ...background(width, height),
    element('g', { transform: `translate(${margin} ${margin})` }, heading.markup),
    picture,
  ]);
  return { svg: `${svg}\n`, width, height, nodes: cards.length };
}

/** Left, top, right and bottom of everything. */
function bounds(cards: readonly PlacedCard[], routes: readonly Route[]): readonly [number, number, number, number] {
  const corners = cards.flatMap(({ x, y, width, height }) => [
    { x, y },
    { x: x + width, y: y + height },
  ]);
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { x, y } of [...corners, ...routes.flatMap(({ points }) => points)]) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return left > right ? [0, 0, 0, 0] : [left, top, right, bottom];
}

function background(width: number, height: number): readonly string[] {
  const dot = element('circle', { cx: 12, cy: 12, r: 1.1, fill: ink.dots });
  return [
    element('defs', {}, element('pattern', { id: 'dots', width: 24, height: 24, patternUnits: 'userSpaceOnUse' }, dot)),
    element('rect', { width, height, fill: ink.paper }),
    element('rect', { width, height, fill: 'url(#dots)' }),
  ];
}

function drawLine({ line, path }: Route, cards: readonly PlacedCard[]): string {
  const { tone, from } = line;
  const stroke = tone === 'plain' ? (cards[from]?.colour ?? ink.line) : toneColours[tone];
  const isAside = tone !== 'plain';
  return element('path', {
    d: path,
    fill: 'none',
    stroke,
    'stroke-width': 1.7,
    'stroke-opacity': isAside ? 0.55 : 0.7,
    'stroke-dasharray': isAside ? '5 4' : undefined,
  });
}

/** The head of every arrow that ends at a card: they all end at one point. */
const arrows = (cards: readonly PlacedCard[]): readonly string[] =>
  cards
    .filter(({ isEntered }) => isEntered)
    .map(({ x, y }) => element('path', { d: `M${rounded(x - 8)},${rounded(y + measures.inputY - 5)}l9,5l-9,5z`, fill: ink.faint }));
