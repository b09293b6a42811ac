// Work on many things, a few at a time: what is begun at once holds every place of the process that such work needs, as hashes of secrets do the
// threads of Node.js, which files and names of hosts are read by as well.

/**
 * Works on things in their order.
 *
 * @param most - under way at once
 * @returns the results in the order of the things; it fails with the first failure, and begins nothing more then
 */
export async function fewAtOnce<Thing, Result>(
  things: readonly Thing[],
  most: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = things.entries();
  let hasFailed = false;
  const workOn = async (): Promise<void> => {
    for (const [index, thing] of left) {
      try {
        results[index] = await work(thing);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      if (hasFailed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, things.length) }, workOn));
  return results;
}
