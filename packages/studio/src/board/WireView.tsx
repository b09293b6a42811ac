import { BaseEdge, type Edge, type EdgeProps, useInternalNode } from '@xyflow/react';
import { memo, useContext } from 'react';
import { portKey } from '../canvas/canvas-json.ts';
import type { Wire } from '../canvas/flow.ts';
import { OverlayContext } from './overlay.ts';
import { type Rect, wirePath } from './wire-path.ts';

export type WireEdge = Edge<{ readonly wire: Wire; readonly lane: number | undefined }, 'wire'>;

/** A port's hit area is larger than its drawing: a wire ends in its middle. */
const hitRadius = 14;
/** Drawn as a path of its own and not as a marker, so that it has the colour of its wire in every state. */
const arrow = { length: 9, half: 5 };

/** A way from a port to a node, in the colour of its state. */
export const WireView = memo(function WireView({
  id,
  source,
  target,
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
  selected,
}: EdgeProps<WireEdge>) {
  const { taken, way, marks, numbers } = useContext(OverlayContext);
  const rects = [useInternalNode(source), useInternalNode(target)].map((node): Rect => {
    const { x = 0, y = 0 } = node?.internals.positionAbsolute ?? {};
    return { x, y, width: node?.measured.width ?? 240, height: node?.measured.height ?? 56 };
  });
  const [from, to] = rects;
  if (from === undefined || to === undefined || data === undefined) return null;
  const key = portKey(source, data.wire.port);
  const mark = marks?.ports.get(key);
  const traffic = numbers?.ports.get(key);
  const states = [
    'wire',
    data.wire.kind,
    (taken?.[key] ?? 0) > 0 ? 'taken' : taken === undefined && (numbers === undefined || traffic !== undefined) ? '' : 'pale',
    way === undefined ? '' : way.ports.has(key) ? 'on-way' : 'dimmed',
    mark ?? '',
    selected === true ? 'selected' : '',
  ];
  const className = states.filter((state) => state !== '').join(' ');
  const [tipX, tipY] = [targetX + hitRadius, targetY];
  const path = wirePath({ sourceX: sourceX - hitRadius, sourceY, targetX: tipX - arrow.length + 1, targetY }, from, to, data.lane);
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={className}
        interactionWidth={20}
        {...(traffic !== undefined && { style: { strokeWidth: traffic.widthPx } })}
      />
      {traffic !== undefined && <title>{traffic.title}</title>}
      <path
        className={`arrow ${className}`}
        d={`M${tipX},${tipY} l${-arrow.length},${-arrow.half} v${2 * arrow.half} z`}
        pointerEvents="none"
      />
    </>
  );
});
