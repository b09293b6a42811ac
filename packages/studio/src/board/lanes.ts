import type { Card, Flow } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import { rectsOf } from './rects.ts';
import { forwardCurve, type Rect } from './wire-path.ts';

/** Between a lane and the cards that it passes. */
const clearance = 16;
/** Wires between neighbouring columns pass no card. */
const shortest = 120;

/**
 * Wires that would run across other cards, with the height of the lane in which they pass above or below them, whichever is nearer.
 * The sizes of cards are those of the layout, so that nothing has to be drawn first.
 */
export function lanesOf({ cards, wires }: Flow): ReadonlyMap<string, number> {
  const rects = rectsOf({ cards });
  const byLeft = [...rects].toSorted(([, a], [, b]) => a.x - b.x);
  const cardOf = new Map(cards.map((card) => [card.id, card]));
  const lanes = new Map<string, number>();
  for (const { id, source, target, port } of wires) {
    const from = rects.get(source);
    const to = rects.get(target);
    const card = cardOf.get(source);
    if (from === undefined || to === undefined || card === undefined) continue;
    if (to.x - (from.x + from.width) < shortest) continue;
    const ends = { sourceX: from.x + from.width, sourceY: from.y + portOffset(card, port), targetX: to.x, targetY: to.y + 28 };
    const between = byLeft.flatMap(([other, rect]) =>
      other !== source && other !== target && rect.x < ends.targetX - 24 && rect.x + rect.width > ends.sourceX + 24 ? [rect] : [],
    );
    const crossed = between.filter((rect) => forwardCurve(ends).some((point) => isInside(point, rect)));
    if (crossed.length === 0) continue;
    const above = freeLane(Math.min(...crossed.map(({ y }) => y)) - clearance, -1, between);
    const below = freeLane(Math.max(...crossed.map(({ y, height }) => y + height)) + clearance, 1, between);
    const detour = (lane: number): number => Math.abs(ends.sourceY - lane) + Math.abs(ends.targetY - lane);
    lanes.set(id, detour(above) <= detour(below) ? above : below);
  }
  return lanes;
}

const isInside = ([x, y]: readonly [number, number], rect: Rect): boolean =>
  x > rect.x && x < rect.x + rect.width && y > rect.y && y < rect.y + rect.height;

/** The first free height from `lane` on, upwards or downwards. */
function freeLane(lane: number, direction: 1 | -1, rects: readonly Rect[]): number {
  let free = lane;
  for (const _ of rects) {
    const hit = rects.find(({ y, height }) => free > y - clearance && free < y + height + clearance);
    if (hit === undefined) break;
    free = direction === 1 ? hit.y + hit.height + clearance : hit.y - clearance;
  }
  return free;
}

/** How far below the top of a card a port is, as the style sheet has it. */
function portOffset(card: Card, port: string): number {
  const rows = card.ports.filter(({ isRequired, target }) => isRequired || target !== undefined);
  const required = rows.filter(({ isRequired }) => isRequired);
  if (required.length === 1 && required[0]?.name === port) return 28;
  const index = rows.findIndex(({ name }) => name === port);
  const fromEnd = rows.length - index;
  return cardSize(card).height - 10 - fromEnd * 30 + 15;
}
