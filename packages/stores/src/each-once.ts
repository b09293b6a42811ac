// Whether names differ, without a set: the engine of JavaScript keeps each text that is put into one until its next whole collection, which
// an import of hundreds of thousands of rows would pay for in memory.

/** Whether no name is there twice. */
export function areEachOnce(names: readonly string[]): boolean {
  const sorted = names.toSorted();
  return sorted.every((name, index) => index === 0 || name !== sorted[index - 1]);
}
