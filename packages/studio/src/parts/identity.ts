import { useCallback, useRef, useState } from 'react';

/**
 * A function with one identity for the lifetime of the component, which calls the newest `handler`: what it is passed to is not rendered
 * again because the component was.
 */
export function useHandler<Args extends readonly unknown[], Result>(handler: (...args: Args) => Result): (...args: Args) => Result {
  const newest = useRef(handler);
  newest.current = handler;
  return useCallback((...args) => newest.current(...args), []);
}

/** The list of before where it has the same items. */
export const keepSame = <Item>(before: Item[], after: Item[]): Item[] =>
  after.length === before.length && after.every((item, index) => item === before[index]) ? before : after;

/** A list that keeps its identity as long as its items are the same. */
export function useSame<Item>(list: Item[]): Item[] {
  const last = useRef(list);
  last.current = keepSame(last.current, list);
  return last.current;
}

/** A state whose newest value is available at once, for handlers that are called twice before a render. */
export function useNewest<Value>(initial: Value): readonly [Value, (change: (before: Value) => Value) => Value] {
  const [value, setValue] = useState(initial);
  const newest = useRef(initial);
  const change = useCallback((how: (before: Value) => Value): Value => {
    newest.current = how(newest.current);
    setValue(newest.current);
    return newest.current;
  }, []);
  return [value, change];
}
