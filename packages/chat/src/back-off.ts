// When a request is made again: later each time, at once when the browser is online again, and never where the visitor is refused. It is of
// its own, since this script has no dependency: a page loads 9 kB.

/** The service does not take the visitor, or the request: trying again would not help. */
export class Refused extends Error {}

/** An answer that asks to try again: `Retry-After`, in seconds, where the service names it. */
export class Unavailable extends Error {
  readonly waitMs: number;
  constructor({ status, headers }: Response) {
    super(`The chat answered ${status}`);
    this.waitMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  }
}

/** How long to wait before the next attempt: about as long as the back-off says, and at least as long as the service asked for. */
const waitMsAfter = (error: unknown, pauseMs: number): number =>
  Math.max(error instanceof Unavailable ? error.waitMs : 0, pauseMs * (0.5 + Math.random() / 2));

/** @throws {Unavailable} for an answer that asks to try again */
export function requireAvailable(response: Response): void {
  if (response.status === 429 || response.status >= 500) throw new Unavailable(response);
}

const pauses = { firstMs: 500, longestMs: 30_000 };

/** The pauses between the attempts of one thing. */
export interface Backoff {
  /** Waits before the next attempt; less, when the browser is online again. */
  wait(error: unknown): Promise<void>;
  /** It has gone well: the next pause is a short one. */
  reset(): void;
}

/** @returns what makes the pauses of each thing that is tried */
export function createBackoffs(): () => Backoff {
  const pausing = new Set<() => void>();
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        pausing.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      pausing.add(end);
    });
  addEventListener('online', () => {
    for (const end of pausing) end();
  });
  return () => {
    let pauseMs = pauses.firstMs;
    return {
      async wait(error) {
        await pause(waitMsAfter(error, pauseMs));
        pauseMs = Math.min(pauses.longestMs, pauseMs * 2);
      },
      reset() {
        pauseMs = pauses.firstMs;
      },
    };
  };
}
