/**
 * Everything that can be reached, nearest first.
 *
 * @returns by position, -1 for what was not reached, the position itself for a beginning, else the one it was reached from
 */
export function reach(size: number, beginnings: readonly number[], targetsOf: (position: number) => readonly number[]): Int32Array {
  const from = new Int32Array(size).fill(-1);
  const queue: number[] = [];
  for (const position of beginnings) {
    if (from[position] !== -1) continue;
    from[position] = position;
    queue.push(position);
  }
  for (const position of queue) {
    for (const target of targetsOf(position)) {
      if (from[target] !== -1) continue;
      from[target] = position;
      queue.push(target);
    }
  }
  return from;
}

/** The positions on the way from a beginning to what was reached, both included. */
export function wayTo(from: Int32Array, reached: number): readonly number[] {
  const way = [reached];
  for (let position = reached; from[position] !== position; ) {
    const previous = from[position];
    if (previous === undefined || previous === -1) break;
    way.push(previous);
    position = previous;
  }
  return way.reverse();
}
