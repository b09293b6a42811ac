/**
 * Makes one call for many keys: the first are those that are asked for in one turn, and those that are asked for while a call is under way
 * share the next one. A call that fails fails for all of its keys.
 *
 * @param load - returns one result for each key, in the same order
 */
export function batchLoader<Key, Result>(load: (keys: readonly Key[]) => Promise<readonly Result[]>): (key: Key) => Promise<Result> {
  interface Waiting {
    readonly key: Key;
    readonly resolve: (result: Promise<Result>) => void;
  }
  let waiting: Waiting[] = [];
  let isLoading = false;

  const work = async (): Promise<void> => {
    isLoading = true;
    await Promise.resolve(); // others of this turn come along
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const results = load(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(results.then((all) => all[index] as Result));
      await results.catch(() => undefined); // the callers get the error
    }
    isLoading = false;
  };

  return (key) =>
    new Promise((resolve) => {
      waiting.push({ key, resolve });
      if (!isLoading) void work();
    });
}
