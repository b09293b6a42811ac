// Draws a canvas as SVG.
import type { NodeDefinition } from '@hilo/engine/contract';
import { type Card, createCards, type Direction, transposeBox, transposePoint } from './card.ts';
import { element, escapeXml, ink, roundText, textLine, toneColours } from './svg.ts';
import { type Line, createLines, type PlacedCard, type Point } from './layout.ts';
import { drawCard } from './draw-card.ts';
import { layOut, placeCards } from './place-cards.ts';
import { type Route, createRoutes } from './routes.ts';
import { Sketch } from './sketch.ts';
import { clippedLine, wrappedLines } from './text-width.ts';

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
 * Draws a canvas as SVG, from the visual definitions of its nodes only. Deterministic. An invalid canvas is drawn as far as possible:
 * nodes of an unknown type in grey, unconnected required ports in red.
 *
 * @param canvas - a canvas as parsed from JSON, checked or not
 * @param direction - `right`: from left to right, with the author's positions when all nodes have one and none overlap. `down`: from top
 *   to bottom, always laid out again, since positions are meant for a canvas that leads to the right.
 */
export function drawCanvas(canvas: unknown, definitions: readonly NodeDefinition[], direction: Direction = 'right'): Picture {
  const sketch = Sketch.catch({ id: '', name: '', kind: '', description: '', nodes: [], edges: [] }).parse(canvas);
  const cards = createCards(sketch, new Map(definitions.map((definition) => [definition.type, definition])), direction);
  const lines = createLines(sketch, cards);
  const { placed, routes } = direction === 'right' ? arrangeRight(cards, lines) : arrangeDown(cards, lines);

  const [left, top, right, bottom] = findBounds(placed, routes);
  const heading = describeCanvas(sketch, lines.length, Math.max(right - left, 420));
  const width = Math.ceil(Math.max(right - left, heading.width) + 2 * margin);
  const height = Math.ceil(bottom - top + heading.height + 2 * margin);
  const picture = element('g', { transform: `translate(${roundText(margin - left)} ${roundText(margin + heading.height - top)})` }, [
    ...routes.map((route) => drawLine(route, placed)),
    ...placed.map((card) => drawCard(card, direction)),
    ...drawArrowheads(placed, direction),
  ]);
  const name = sketch.name || sketch.id || 'Canvas';
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${roundText(width)} ${roundText(height)}`,
    role: 'img',
    'font-family': fonts,
  };
  const svg = element('svg', frame, [
    element('title', {}, escapeXml(name)),
    ...drawBackground(width, height),
    element('g', { transform: `translate(${margin} ${margin})` }, heading.markup),
    picture,
  ]);
  return { svg: `${svg}\n`, width, height, nodes: cards.length };
}

/** All cards at their places, and the routes of the lines between them. */
interface Arrangement {
  readonly placed: readonly PlacedCard[];
  readonly routes: readonly Route[];
}

function arrangeRight(cards: readonly Card[], lines: readonly Line[]): Arrangement {
  const layout = placeCards(cards, lines);
  return { placed: layout.cards, routes: createRoutes(layout, lines) };
}

/** Lays out transposed cards from left to right, and transposes the result: one algorithm serves both directions. */
function arrangeDown(cards: readonly Card[], lines: readonly Line[]): Arrangement {
  const layout = layOut(cards.map(transposeBox), lines);
  const transposeRoute = ({ line, path, points }: Route): Route => ({
    line,
    path: path.map((stroke) => ({ ...stroke, points: stroke.points.map(transposePoint) })),
    points: points.map(transposePoint),
  });
  return {
    placed: layout.cards.map((card) => transposePoint(transposeBox(card))),
    routes: createRoutes(layout, lines).map(transposeRoute),
  };
}

/** Left, top, right and bottom of everything. */
function findBounds(cards: readonly PlacedCard[], routes: readonly Route[]): readonly [number, number, number, number] {
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

function drawBackground(width: number, height: number): readonly string[] {
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
    d: path.map(({ command, points }) => command + points.map(formatPoint).join(' ')).join(''),
    fill: 'none',
    stroke,
    'stroke-width': 1.7,
    'stroke-opacity': isAside ? 0.55 : 0.7,
    'stroke-dasharray': isAside ? '5 4' : undefined,
  });
}

const formatPoint = ({ x, y }: Point): string => `${roundText(x)},${roundText(y)}`;

/** The head of every arrow that ends at a card: they all end at one point. */
const drawArrowheads = (cards: readonly PlacedCard[], direction: Direction): readonly string[] =>
  cards
    .filter(({ isEntered }) => isEntered)
    .map(({ x, y, inputAt }) => {
      const head =
        direction === 'right'
          ? `M${formatPoint({ x: x - 8, y: y + inputAt - 5 })}l9,5l-9,5z`
          : `M${formatPoint({ x: x + inputAt - 5, y: y - 8 })}l5,9l5,-9z`;
      return element('path', { d: head, fill: ink.faint });
    });

/** Name, description and size of the canvas, above the picture. */
function describeCanvas(
  { id, name, kind, description, nodes }: Sketch,
  edgeCount: number,
  room: number,
): { readonly markup: readonly string[]; readonly width: number; readonly height: number } {
  const maxWidth = Math.min(room, 900);
  const facts = [id, kind, formatCount(nodes.length, 'node'), formatCount(edgeCount, 'edge')].filter(Boolean).join('  ·  ');
  const title = { size: 24, isBold: true };
  const small = { size: 12.5 };
  const described = wrappedLines(description, maxWidth, 3, small);
  return {
    markup: [
      textLine(clippedLine(name || id || 'Canvas', maxWidth, title), { x: 0, y: 20, room: maxWidth }, title, ink.title),
      textLine(clippedLine(facts, maxWidth, small), { x: 0, y: 44, room: maxWidth }, small, ink.faint),
      ...described.map((line, index) => textLine(line, { x: 0, y: 66 + index * 17, room: maxWidth }, small, ink.text)),
    ],
    width: maxWidth,
    height: 76 + described.length * 17,
  };
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
