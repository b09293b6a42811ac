/** Does `count` things, `callers` at a time. @returns the latency of each, in milliseconds */
export async function together(count: number, callers: number, one: (index: number) => Promise<unknown>): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const beganMs = performance.now();
      await one(index);
      latencies.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return latencies;
}
