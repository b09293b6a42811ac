import { useCallback, useRef } from 'react';

/**
 * A function with one identity for the lifetime of the component, which calls the newest `handler`: what it is passed to is not rendered
 * again because the component was.
 */
export function useHandler<Args extends readonly unknown[], Result>(handler: (...args: Args) => Result): (...args: Args) => Result {
  const newest = useRef(handler);
  newest.current = handler;
  return useCallback((...args) => newest.current(...args), []);
}
