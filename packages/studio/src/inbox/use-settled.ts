import { useEffect, useRef, useState } from 'react';

/** After so long without a key, what was typed is told on. */
const restMs = 250;

/** What is typed, and told on once the typing rests. */
export function useSettled(text: string, tell: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => latest.current(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return [typed, setTyped];
}
