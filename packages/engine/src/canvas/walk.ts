/**
 * A breadth-first search.
 *
 * @returns by index: -1 for an unreached node, its own index for a beginning, else the index of its predecessor
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

/** The indexes on the path from a beginning to a reached node, both included. */
export function traceWay(from: Int32Array, reached: number): readonly number[] {
  const way = [reached];
  for (let position = reached; from[position] !== position; ) {
    const previous = from[position];
    if (previous === undefined || previous === -1) break;
    way.push(previous);
    position = previous;
  }
  return way.reverse();
}

/** Which nodes of a graph can reach each other. */
export interface Components {
  /** The component of each node. Numbered so that ways between components lead from higher to lower numbers. */
  readonly of: Int32Array;
  readonly count: number;
}

/**
 * Finds the strongly connected components: Tarjan's algorithm, linear, with its own stack in place of recursion.
 *
 * @param targets - where the ways out of each node lead, by position
 */
export function findComponents(targets: readonly (readonly number[])[]): Components {
  const size = targets.length;
  const of = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1); // when a node was first seen
  const lowest = new Int32Array(size); // the earliest reachable node among those undecided
  const next = new Int32Array(size); // how many of a node's edges were followed
  const undecided: number[] = [];
  const path: number[] = [];
  let seen = 0;
  let count = 0;

  const open = (node: number) => {
    order[node] = lowest[node] = seen;
    seen += 1;
    undecided.push(node);
    path.push(node);
  };
  const lower = (node: number, to: number) => {
    lowest[node] = Math.min(lowest[node] ?? 0, to);
  };

  for (let root = 0; root < size; root += 1) {
    if (order[root] !== -1) continue;
    open(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const target = targets[node]?.[next[node] ?? 0];
      if (target !== undefined) {
        next[node] = (next[node] ?? 0) + 1;
        if (order[target] === -1) open(target);
        else if (of[target] === -1) lower(node, order[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent, lowest[node] ?? 0);
      if (lowest[node] !== order[node]) continue;
      for (let member = undecided.pop(); member !== undefined; member = undecided.pop()) {
        of[member] = count;
        if (member === node) break;
      }
      count += 1;
    }
  }
  return { of, count };
}
