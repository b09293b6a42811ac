import { type RefObject, useEffect, useRef } from 'react';

/**
 * Lets the keys of a screen work as soon as it is there: its area gets the focus where nothing else has it, and keeps it.
 *
 * @param area - an element that can have the focus
 * @param isShown - whether the area is there
 */
export function useFocusAtOnce(area: RefObject<HTMLElement | null>, isShown = true): void {
  useEffect(() => {
    if (isShown && document.activeElement === document.body) area.current?.focus({ preventScroll: true });
  }, [area, isShown]);
  useFocusKept(area, isShown);
}

/**
 * Keeps the keys of an area working. An element that has the focus may be removed, such as a card by an undo: the browser then gives the focus to
 * the page, where no key of the area is heard. The area itself gets it instead. A focus that was put elsewhere is left there.
 *
 * @param area - an element that can have the focus
 * @param isShown - whether the area is there
 */
export function useFocusKept(area: RefObject<HTMLElement | null>, isShown = true): void {
  const isInside = useRef(false);
  const isOnItsWay = useRef(false);
  useEffect(() => {
    const note = ({ target }: Event): void => {
      isInside.current = target instanceof Node && area.current?.contains(target) === true;
      isOnItsWay.current = false;
    };
    // Between two elements the page has the focus for a moment, in which what the first one does when it is left may change the area: this
    // is to be known before that, so it is heard on the way down.
    const leave = ({ relatedTarget }: FocusEvent): void => {
      isOnItsWay.current = relatedTarget !== null;
    };
    document.addEventListener('focusin', note, true);
    document.addEventListener('focusout', leave, true);
    document.addEventListener('pointerdown', note, true);
    return () => {
      document.removeEventListener('focusin', note, true);
      document.removeEventListener('focusout', leave, true);
      document.removeEventListener('pointerdown', note, true);
    };
  }, [area]);
  useEffect(() => {
    if (area.current === null) return undefined;
    // The board removes cards in its own time, and browsers tell of no focus that went with an element.
    const observer = new MutationObserver(() => {
      if (isInside.current && !isOnItsWay.current && document.activeElement === document.body) area.current?.focus({ preventScroll: true });
    });
    observer.observe(area.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [area, isShown]);
}
