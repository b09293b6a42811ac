import { portAt } from './card.ts';
import { type Lane, type Layout, type Line, lineSpacing, type PlacedCard, type Point } from './layout.ts';
import { roundText } from './svg.ts';

/** A part of an SVG path: a command, and its points. */
export interface Stroke {
  readonly command: 'M' | 'L' | 'C' | 'Q';
  readonly points: readonly Point[];
}

/** A line with its way from the port to the card it leads to. */
export interface Route {
  readonly line: Line;
  readonly path: readonly Stroke[];
  /** Nothing of it is farther out than these. */
  readonly points: readonly Point[];
}

/** A rectangle that lines keep clear of. */
interface Obstacle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Room between a line and a card. */
const clearance = 12;
/** How far a line runs straight on before it turns back. */
const turn = 20;
/** How many lines turn side by side: more would reach the next column. */
const maxSideBySide = 6;

/** Routes every line. Lines from left to right are curves; lines that lead back, or pass cards in between, run in lanes of their own. */
export function createRoutes({ cards, lanes: lanesOf, isCrowded = false }: Layout, lines: readonly Line[]): readonly Route[] {
  const ends = lines.flatMap((line) => {
    const [from, to] = [cards[line.from], cards[line.to]];
    return from === undefined || to === undefined
      ? []
      : [{ line, from, to, start: findPortPoint(from, line.row), end: { x: to.x, y: to.y + to.inputAt } }];
  });
  const numberOf = counter();
  const obstacles: Obstacle[] = (isCrowded ? [] : cards).map(({ x, y, width, height }) => ({
    left: x,
    right: x + width,
    top: y - clearance,
    bottom: y + height + clearance,
  }));
  const curves = new Map<Line, Route>();
  for (const { line, from, to, start, end } of ends) {
    const lanes = lanesOf(line);
    if (end.x - start.x < turn || (lanes.length === 0 && !isCrowded && !isClear(start, end, cards, from, to))) continue;
    for (const { left, right, y } of lanes) obstacles.push({ left, right, top: y - lineSpacing, bottom: y + lineSpacing });
    curves.set(line, { line, path: curve(start, lanes, end), points: [start, ...lanes.map(({ left: x, y }) => ({ x, y })), end] });
  }
  return ends.map(({ line, from, start, end }) => {
    const found = curves.get(line);
    if (found !== undefined) return found;
    const right = start.x + turn + (numberOf(`after ${roundText(start.x)}`) % maxSideBySide) * lineSpacing;
    const left = end.x - turn - (numberOf(`before ${roundText(end.x)}`) % maxSideBySide) * lineSpacing;
    const span = { left: Math.min(left, right), right: Math.max(left, right) };
    const y = findFreeHeight(obstacles, span, line.from === line.to ? from.y + from.height + clearance + 1 : (start.y + end.y) / 2);
    if (!isCrowded) obstacles.push({ ...span, top: y - lineSpacing, bottom: y + lineSpacing });
    const points = [start, { x: right, y: start.y }, { x: right, y }, { x: left, y }, { x: left, y: end.y }, end];
    return { line, path: roundCorners(points), points };
  });
}

const findPortPoint = (card: PlacedCard, row: number): Point => ({ x: card.x + card.width, y: card.y + portAt(card, row) });

/** Numbers the uses of each name, from 0. */
function counter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count;
  };
}

/** Whether the plain curve between two points touches no card in between. */
function isClear(start: Point, end: Point, cards: readonly PlacedCard[], from: PlacedCard, to: PlacedCard): boolean {
  const samples = Array.from({ length: 25 }, (_, index) => findCurvePoint(start, end, index / 24));
  return !cards.some(
    (card) =>
      card !== from &&
      card !== to &&
      card.x < end.x &&
      card.x + card.width > start.x &&
      samples.some(({ x, y }) => x > card.x - 6 && x < card.x + card.width + 6 && y > card.y - 6 && y < card.y + card.height + 6),
  );
}

/** A point of the curve that {@link curve} draws between two points. */
function findCurvePoint(start: Point, end: Point, t: number): Point {
  const middle = (start.x + end.x) / 2;
  const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
  return { x: a * start.x + (b + c) * middle + d * end.x, y: (a + b) * start.y + (c + d) * end.y };
}

/** Straight past each column, and an S between them. */
function curve(start: Point, lanes: readonly Lane[], end: Point): readonly Stroke[] {
  const path: Stroke[] = [{ command: 'M', points: [start] }];
  let last = start;
  const bend = (to: Point): void => {
    const middle = (last.x + to.x) / 2;
    path.push({ command: 'C', points: [{ x: middle, y: last.y }, { x: middle, y: to.y }, to] });
    last = to;
  };
  for (const { left, right, y } of lanes) {
    bend({ x: left, y });
    last = { x: right, y };
    path.push({ command: 'L', points: [last] });
  }
  bend(end);
  return path;
}

/** The path through some points, with round corners. */
function roundCorners(points: readonly Point[]): readonly Stroke[] {
  const radius = 10;
  return points.flatMap((point, index): readonly Stroke[] => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined) return [{ command: 'M', points: [point] }];
    if (after === undefined) return [{ command: 'L', points: [point] }];
    return [
      { command: 'L', points: [towards(point, before, radius)] },
      { command: 'Q', points: [point, towards(point, after, radius)] },
    ];
  });
}

/** The point at a distance on the way to another, at most half way. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The height nearest to the one wanted at which nothing is in the way. */
function findFreeHeight(
  obstacles: readonly Obstacle[],
  { left, right }: { readonly left: number; readonly right: number },
  wanted: number,
): number {
  const inTheWay = obstacles.filter((obstacle) => obstacle.left < right && obstacle.right > left).sort((a, b) => a.top - b.top);
  let best = Number.NEGATIVE_INFINITY;
  let free = Number.NEGATIVE_INFINITY; // the gap looked at begins here
  for (const { top, bottom } of [...inTheWay, { top: Number.POSITIVE_INFINITY, bottom: 0 }]) {
    const nearest = Math.min(Math.max(wanted, free), top);
    if (top >= free && Math.abs(nearest - wanted) < Math.abs(best - wanted)) best = nearest;
    free = Math.max(free, bottom);
  }
  return best;
}
