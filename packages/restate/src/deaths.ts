import type { EngineContext } from '@hilo/engine/runtime-kit';

/** At this many deaths during the same work, the work counts as their cause (P17). */
const maxDeaths = 3;

/** The result of the work, or why it is not tried again. */
export type Survived<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'deadly'; readonly reason: string };

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
  work: () => Promise<Result>,
): Promise<Survived<Result>> {
  if (askedAtMs >= crashTracker.sinceMs) return { kind: 'done', result: await work() };
  const counted = (await store.crashCounts([id])).get(id) ?? 0;
  const deaths = counted + 1; // the first was not counted
  if (deaths >= maxDeaths) {
    await store.clearCrashCounts([id]);
    return { kind: 'deadly', reason: `The process died ${deaths} times at its work` };
  }
  const attempt = async (): Promise<Survived<Result>> => {
    await store.countCrashes([id]);
    crashTracker.add(id);
    const result = await work();
    crashTracker.clear(id);
    return { kind: 'done', result };
  };
  return counted === 0 ? attempt() : crashTracker.alone(id, attempt);
}
