// The corner by which a frame is made larger or smaller.
import { type PointerEvent, useContext, useRef } from 'react';
import { ResizeContext } from './overlay.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Follows the pointer by the style of the frame alone: the canvas is told once, at the end. */
export default function FrameGrip({ nodeId, size }: { readonly nodeId: string; readonly size: Size }) {
  const onResize = useContext(ResizeContext);
  const from = useRef<{ readonly x: number; readonly y: number; readonly zoom: number }>(undefined);
  if (onResize === undefined) return null;
  const sizeAt = ({ clientX, clientY }: PointerEvent): Size | undefined =>
    from.current && {
      width: size.width + (clientX - from.current.x) / from.current.zoom,
      height: size.height + (clientY - from.current.y) / from.current.zoom,
    };
  return (
    <span
      className="frame-grip nodrag nopan"
      onPointerDown={(event) => {
        event.stopPropagation();
        const frame = event.currentTarget.parentElement;
        if (frame === null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY, zoom: frame.getBoundingClientRect().width / size.width };
      }}
      onPointerMove={(event) => draw(event.currentTarget, sizeAt(event))}
      onPointerUp={(event) => {
        const now = sizeAt(event);
        from.current = undefined;
        draw(event.currentTarget, now && size); // as React knows it, which draws what becomes of it
        if (now !== undefined) onResize(nodeId, now);
      }}
    />
  );
}

function draw({ parentElement: frame }: HTMLElement, size: Size | undefined): void {
  if (frame === null || size === undefined) return;
  frame.style.width = `${size.width}px`;
  frame.style.height = `${size.height}px`;
}
