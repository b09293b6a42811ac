// Frames: notes that have a size, drawn behind the cards that they stand around. What is inside of a frame moves with it.
import type { CanvasJson, NodeJson, Point } from './canvas-json.ts';
import { type Command, snap } from './commands.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Box extends Point, Size {
  readonly id: string;
}

/** Around what a frame stands around; the title is at the top. */
const room = { side: 24, top: 48 };

/** The size of a frame; nothing for every other node, also for a note whose size no frame can have. */
export function frameSize({ type, width, height }: NodeJson): Size | undefined {
  const isSize = (one: unknown): one is number => typeof one === 'number' && one > 0 && one <= 100_000;
  return type === 'note' && isSize(width) && isSize(height) ? { width, height } : undefined;
}

const isWhole = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Whether the middle of its upper edge is inside: a card that grows, as its text does, stays in its frame. */
const isHeadIn = ({ x, y, width }: Box, outer: Box): boolean =>
  x + width / 2 >= outer.x && x + width / 2 <= outer.x + outer.width && y >= outer.y && y <= outer.y + outer.height;

/** Whether a frame has a box: a card by its head, another frame as a whole. */
const hasInside = (frame: Box, inner: Box, frames: ReadonlySet<string>): boolean =>
  inner.id !== frame.id && (frames.has(inner.id) ? isWhole : isHeadIn)(inner, frame);

/**
 * Where nodes come when some are moved: those inside of a frame that is moved go with it, and so do frames within.
 *
 * @param boxes - where all nodes are until now; `frames` says which are frames, and `pinned` which stay
 */
export function withFramed(
  boxes: readonly Box[],
  { frames, pinned }: { readonly frames: ReadonlySet<string>; readonly pinned: ReadonlySet<string> },
  moved: ReadonlyMap<string, Point>,
): ReadonlyMap<string, Point> {
  const all = new Map(moved);
  for (const frame of boxes) {
    const to = frames.has(frame.id) ? moved.get(frame.id) : undefined;
    if (to === undefined) continue;
    for (const box of boxes)
      if (!all.has(box.id) && !pinned.has(box.id) && hasInside(frame, box, frames))
        all.set(box.id, { x: box.x + to.x - frame.x, y: box.y + to.y - frame.y });
  }
  return all;
}

/** The place and size of a frame around some boxes; nothing around none. */
function around(boxes: readonly Box[]): (Point & Size) | undefined {
  if (boxes.length === 0) return undefined;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)) - room.side, Math.min(...boxes.map((box) => box.y)) - room.top];
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + room.side;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + room.side;
  return { x, y, width: right - x, height: bottom - y };
}

const put = (node: NodeJson, { x, y, width, height }: Point & Size): NodeJson => ({ ...node, position: { x, y }, width, height });

/**
 * Puts a frame around nodes. Where one frame is among them, it is fitted to the others.
 *
 * @param boxes - what it shall stand around
 * @param fresh - the frame, if it is a new one: it comes before all others, which are drawn over it
 */
export const putFrame =
  (boxes: readonly Box[], frames: ReadonlySet<string>, fresh: NodeJson): Command =>
  (canvas) => {
    const [known, ...more] = boxes.filter(({ id }) => frames.has(id));
    const isFitted = known !== undefined && more.length === 0 && boxes.length > 1;
    const place = around(isFitted ? boxes.filter(({ id }) => id !== known.id) : boxes);
    if (place === undefined) return canvas;
    if (!isFitted) return { ...canvas, nodes: [put(fresh, place), ...canvas.nodes] };
    return { ...canvas, nodes: canvas.nodes.map((node) => (node.id === known.id ? put(node, place) : node)) };
  };

/** The smallest frame: its title is read, and its corner does not lie on it. */
const least: Size = { width: 96, height: 64 };

/** Gives a frame another size, in steps of the grid; its left upper corner stays. */
export const resizeFrame =
  (id: string, { width, height }: Size): Command =>
  (canvas) => {
    const stepped = snap({ x: width, y: height });
    const size = { width: Math.max(least.width, stepped.x), height: Math.max(least.height, stepped.y) };
    return {
      ...canvas,
      nodes: canvas.nodes.map((node) => (node.id === id && frameSize({ ...node, ...size }) ? { ...node, ...size } : node)),
    };
  };

/** What each frame stands around, among boxes. */
export const contentsOf = (boxes: readonly Box[], frames: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    boxes
      .filter(({ id }) => frames.has(id))
      .map((frame) => [frame.id, boxes.filter((box) => !frames.has(box.id) && hasInside(frame, box, frames)).map(({ id }) => id)]),
  );

/** Fits frames to what they stood around, wherever that is now. One that was empty stays. */
export const refitFrames =
  (contents: ReadonlyMap<string, readonly string[]>, boxes: readonly Box[]): Command =>
  (canvas: CanvasJson) => ({
    ...canvas,
    nodes: canvas.nodes.map((node) => {
      const ids = new Set(contents.get(node.id));
      const place = around(boxes.filter(({ id }) => ids.has(id)));
      return place === undefined ? node : put(node, place);
    }),
  });
