import { useReactFlow, useStore } from '@xyflow/react';
import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import type { Flow } from '../canvas/flow.ts';
import { useWords } from '../words/words.tsx';
import { boundsOf, rectsOf, seenBy } from './rects.ts';

/** In pixels, as in the style sheet. */
const size = { width: 160, height: 100 };
const margin = 6;

/** The small map of a large canvas, most of whose cards are no elements: one picture, and a frame around what is seen. */
export function LargeMap({ flow }: { readonly flow: Flow }) {
  const say = useWords();
  const { setCenter, getZoom } = useReactFlow();
  const [x, y, zoom] = useStore(({ transform }) => transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const layer = useRef<HTMLCanvasElement>(null);
  const rects = useMemo(() => rectsOf(flow), [flow]);
  const whole = useMemo(() => boundsOf([...rects.values()]), [rects]);
  const scale =
    whole === undefined
      ? 1
      : Math.min((size.width - 2 * margin) / Math.max(1, whole.width), (size.height - 2 * margin) / Math.max(1, whole.height));
  const [left, top] = whole === undefined ? [0, 0] : [margin - whole.x * scale, margin - whole.y * scale];

  useEffect(() => {
    const pen = layer.current?.getContext('2d');
    if (layer.current === null || pen === null || pen === undefined) return;
    const pixels = globalThis.devicePixelRatio;
    layer.current.width = size.width * pixels;
    layer.current.height = size.height * pixels;
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    pen.fillStyle = getComputedStyle(layer.current).color;
    for (const rect of rects.values())
      pen.fillRect(rect.x * scale + left, rect.y * scale + top, Math.max(1, rect.width * scale), Math.max(1, rect.height * scale));
  }, [rects, scale, left, top]);

  const show = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    void setCenter((event.clientX - box.left - left) / scale, (event.clientY - box.top - top) / scale, { zoom: getZoom() });
  };
  const seen = seenBy({ transform: [x, y, zoom], width, height });
  return (
    <div
      className="react-flow__minimap large-map"
      role="img"
      aria-label={say('board.map')}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        show(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && show(event)}
    >
      <canvas ref={layer} />
      <i style={{ left: seen.x * scale + left, top: seen.y * scale + top, width: seen.width * scale, height: seen.height * scale }} />
    </div>
  );
}
