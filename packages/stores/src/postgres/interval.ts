/** Repeats work with a pause, never twice at a time. @returns stops it */
export type Interval = (delayMs: number, work: () => Promise<void>) => () => void;

/** The machine's own timers: one for each member of a shared store. */
export const systemInterval: Interval = (delayMs, work) => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    timer = setTimeout(() => void work().finally(next), delayMs);
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};
