const pauseOnceMs = 120;
const slowMs = 200;

/** Says when a draft is checked. */
export interface CheckTurns {
  /** The draft is another one now. */
  edited(): void;
  end(): void;
}

/**
 * Has a draft checked after its edits: at once after one that follows a pause, so that its problem shows soon; after others, as in
 * typing, when there was a pause of 120 ms. One check is in flight, and edits that come meanwhile are checked after it. While checks
 * take longer than 200 ms, the pause is twice as long.
 *
 * @param check - must not reject
 */
export function createCheckTurns(check: () => Promise<void>): CheckTurns {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = pauseOnceMs;
  let editedAtMs = Number.NEGATIVE_INFINITY;
  let edits = 0;
  let isBusy = false;
  let isEnded = false;

  const later = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), delayMs);
  };
  const run = async (): Promise<void> => {
    if (isBusy) return; // which looks for new edits at its end
    isBusy = true;
    const [known, startedAtMs] = [edits, performance.now()];
    await check();
    isBusy = false;
    const endedAtMs = performance.now();
    pauseMs = endedAtMs - startedAtMs > slowMs ? pauseOnceMs * 2 : pauseOnceMs;
    if (!isEnded && edits !== known) later(Math.max(editedAtMs + pauseMs - endedAtMs, 0));
  };

  return {
    edited() {
      const nowMs = performance.now();
      const isAfterPause = nowMs - editedAtMs >= pauseMs;
      editedAtMs = nowMs;
      edits += 1;
      later(isAfterPause ? 0 : pauseMs);
    },
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
