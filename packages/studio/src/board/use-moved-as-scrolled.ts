// A canvas that a browser scrolls: moved by as much in place of that.
import { useReactFlow } from '@xyflow/react';
import type { UIEvent } from 'react';
import { useHandler } from '../parts/identity.ts';

/**
 * A browser that brings a card into view (a search in the page, a screen reader, a focus) scrolls the canvas, which React Flow takes back:
 * the canvas is moved by as much, so that the card stays where the browser brought it.
 *
 * @returns for `onScrollCapture` of an element around React Flow
 */
export function useMovedAsScrolled(): (event: UIEvent<HTMLElement>) => void {
  const { getViewport, setViewport } = useReactFlow();
  return useHandler(({ target }) => {
    if (!(target instanceof HTMLElement) || !target.classList.contains('react-flow')) return;
    const { scrollLeft, scrollTop } = target;
    const { x, y, zoom } = getViewport();
    if (scrollLeft === 0 && scrollTop === 0) return;
    target.scrollTo({ left: 0, top: 0, behavior: 'instant' });
    void setViewport({ x: x - scrollLeft, y: y - scrollTop, zoom });
  });
}
