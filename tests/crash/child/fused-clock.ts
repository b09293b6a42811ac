import type { Clock } from '@hilo/engine/contract';
import type { Fuse } from './fuse.ts';

/** The system's time, whose timers come by a crash point when they ring. */
export const fusedClock = (fuse: Fuse): Clock => ({
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(() => fuse.aroundSync(['timer.ring'], callback), delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
});
