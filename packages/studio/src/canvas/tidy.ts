import { type CanvasJson, isPinned, type Point } from './canvas-json.ts';

/**
 * Where tidying up puts nodes. One that is pinned stays, and the others are laid out around the first of them.
 *
 * @param places - the layout of the whole canvas
 * @param chosen - the nodes that are to be moved: all, when there are none
 */
export function tidyPlaces(
  { nodes }: Pick<CanvasJson, 'nodes'>,
  places: ReadonlyMap<string, Point>,
  chosen: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Point> {
  const pinned = nodes.find((node) => isPinned(node) && node.position !== undefined && places.has(node.id));
  const [from, to] = [places.get(pinned?.id ?? ''), pinned?.position];
  const by = from === undefined || to === undefined ? { x: 0, y: 0 } : { x: to.x - from.x, y: to.y - from.y };
  return new Map(
    nodes.flatMap((node): readonly (readonly [string, Point])[] => {
      const place = places.get(node.id);
      const moves = !isPinned(node) && (chosen.size === 0 || chosen.has(node.id));
      return place === undefined || !moves ? [] : [[node.id, { x: place.x + by.x, y: place.y + by.y }]];
    }),
  );
}
