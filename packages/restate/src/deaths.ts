import type { EngineContext } from '@hilo/engine/runtime-kit';

/** At this many deaths during the same work, the work counts as their cause (P17). */
const maxDeaths = 3;

/** Work that may kill its process. */
interface Work<Result> {
  /** @param isRetry - an earlier process may have died at it: it does as little as it can */
  attempt(isRetry: boolean): Promise<Result>;
  /** @param isRepeated - a process died at this, too */
  giveUp(reason: string, isRepeated: boolean): Promise<Result>;
}

/**
 * Does work that Restate requests, until it is done. Work requested before this process began may have killed the process before it: it
 * is counted, and given up at the third death. From the second on, counted work runs one after the other, so that a deadly one takes
 * no other with it.
 *
 * @param id - the same for every attempt
 * @param askedAtMs - when it was first requested, in milliseconds since the Unix epoch
 */
export async function countDeaths<Result>(
  { crashTracker, store }: Pick<EngineContext, 'crashTracker' | 'store'>,
  id: string,
  askedAtMs: number,
  { attempt, giveUp }: Work<Result>,
): Promise<Result> {
  if (askedAtMs >= crashTracker.sinceMs) return attempt(false);
  const counted = (await store.crashCounts([id])).get(id) ?? 0;
  const deaths = counted + 1; // the first was not counted
  const tryOnce = async (): Promise<Result> => {
    await store.countCrashes([id]);
    crashTracker.add(id);
    const result =
      deaths < maxDeaths ? await attempt(true) : await giveUp(`The process died ${deaths} times at its work`, deaths > maxDeaths);
    crashTracker.clear(id);
    return result;
  };
  return counted === 0 ? tryOnce() : crashTracker.alone(id, tryOnce);
}
