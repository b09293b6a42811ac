/** The rectangle of a card. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WireEnds {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
}

const curvature = 0.32;
const below = 22;
const radius = 14;
/** From a port into its lane, and out of it: shorter than the ground between two columns of a layout. */
const longestBend = 64;

/** The distance of a forward curve's control points from its ends. */
const pullOf = (distance: number): number => Math.max(24, distance * (curvature + 0.18));

/** Points on the curve of a wire that leads forward. */
export function forwardCurve({ sourceX, sourceY, targetX, targetY }: WireEnds): readonly (readonly [number, number])[] {
  const pull = pullOf(targetX - sourceX);
  return Array.from({ length: 23 }, (_, index) => {
    const t = (index + 1) / 24;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
    return [a * sourceX + b * (sourceX + pull) + c * (targetX - pull) + d * targetX, (a + b) * sourceY + (c + d) * targetY] as const;
  });
}

/**
 * The path of a wire as SVG. Forward it is a curve; back, and to itself, it goes right, below both cards, left, and in, with round corners.
 *
 * @param lane - the height at which it passes other cards, where it would run across them
 */
export function wirePath({ sourceX, sourceY, targetX, targetY }: WireEnds, source: Rect, target: Rect, lane?: number): string {
  const distance = targetX - sourceX;
  if (distance > 64 && lane !== undefined) {
    const bend = Math.min(longestBend, distance / 3);
    const into = `C${sourceX + bend / 2},${sourceY} ${sourceX + bend / 2},${lane} ${sourceX + bend},${lane}`;
    const out = `C${targetX - bend / 2},${lane} ${targetX - bend / 2},${targetY} ${targetX},${targetY}`;
    return `M${sourceX},${sourceY} ${into} L${targetX - bend},${lane} ${out}`;
  }
  if (distance > 16) {
    const pull = pullOf(distance);
    return `M${sourceX},${sourceY} C${sourceX + pull},${sourceY} ${targetX - pull},${targetY} ${targetX},${targetY}`;
  }
  const floor = Math.max(source.y + source.height, target.y + target.height) + below;
  return roundCorners([
    [sourceX, sourceY],
    [sourceX + 24, sourceY],
    [sourceX + 24, floor],
    [targetX - 24, floor],
    [targetX - 24, targetY],
    [targetX, targetY],
  ]);
}

/** Straight pieces with round corners, each corner as round as its pieces let it be. */
function roundCorners(points: readonly (readonly [number, number])[]): string {
  const [start] = points;
  if (start === undefined) return '';
  const parts = [`M${start[0]},${start[1]}`];
  for (const [index, [x, y]] of points.entries()) {
    const before = points[index - 1];
    const after = points[index + 1];
    if (before === undefined) continue;
    if (after === undefined) {
      parts.push(`L${x},${y}`);
      continue;
    }
    const into = Math.hypot(x - before[0], y - before[1]);
    const out = Math.hypot(after[0] - x, after[1] - y);
    const round = Math.min(radius, into / 2, out / 2);
    const toward = ([px, py]: readonly [number, number], length: number): string =>
      length === 0 ? `${x},${y}` : `${x + ((px - x) / length) * round},${y + ((py - y) / length) * round}`;
    parts.push(`L${toward(before, into)} Q${x},${y} ${toward(after, out)}`);
  }
  return parts.join(' ');
}
