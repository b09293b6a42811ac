import { useEffect, useState } from 'react';

/** As many as a browser makes between two pictures, with everything else that it has to do. */
const perFrame = 6;
/** Cards that are not wanted any more stay as long as there are no more than these: to take one away is work, too. */
const mostKept = 140;

/**
 * The next step from some cards to others: at most {@link perFrame} new ones, those that are seen first; and where there are
 * more than {@link mostKept}, as many of the old ones less.
 *
 * @returns the same set when nothing is left to do
 */
export function stepTowards(
  mounted: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  isSeen: (id: string) => boolean,
): ReadonlySet<string> {
  const missing = [...wanted].filter((id) => !mounted.has(id));
  const extra = [...mounted].filter((id) => !wanted.has(id));
  const surplus = Math.min(extra.length, Math.max(0, mounted.size + missing.length - mostKept));
  if (missing.length + surplus === 0) return mounted;
  const next = new Set(mounted);
  const [seen, unseen] = [missing.filter(isSeen), missing.filter((id) => !isSeen(id))];
  for (const id of [...seen, ...unseen].slice(0, perFrame)) next.add(id);
  for (const id of extra.slice(0, Math.min(surplus, perFrame))) next.delete(id);
  return next;
}

const none: ReadonlySet<string> = new Set();

/**
 * Which cards of a large canvas are elements: they become so a few in each frame, so that no frame of a pan or a zoom is long. While the
 * canvas is seen from afar they stay as they are, and are hidden.
 *
 * @param wanted - `undefined`: all are
 * @param seen - the cards that are seen now
 * @returns `mounted`, and whether each card that is seen is one of them
 */
export function useMounted(
  wanted: ReadonlySet<string> | undefined,
  isFarAway: boolean,
  seen: () => ReadonlySet<string>,
): { readonly mounted: ReadonlySet<string> | undefined; readonly isWhole: boolean } {
  const [mounted, setMounted] = useState(none);
  useEffect(() => {
    if (wanted === undefined || isFarAway) return undefined;
    const now = seen();
    const next = stepTowards(mounted, wanted, (id) => now.has(id));
    if (next === mounted) return undefined;
    const frame = requestAnimationFrame(() => setMounted(next));
    return () => cancelAnimationFrame(frame);
  }, [wanted, isFarAway, mounted]);
  if (wanted === undefined) return { mounted: undefined, isWhole: true };
  return { mounted, isWhole: isFarAway || [...seen()].every((id) => mounted.has(id)) };
}
