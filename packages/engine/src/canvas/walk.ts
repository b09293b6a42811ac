/**
 * A breadth-first search over nodes that are known by index.
 *
 * @param size - the number of nodes
 * @returns for each node: -1 when unreached, its own index for an origin, else the index of its predecessor on a shortest path
 */
export function reach(size: number, origins: readonly number[], targetsOf: (position: number) => readonly number[]): Int32Array {
  const from = new Int32Array(size).fill(-1);
  const queue: number[] = [];
  for (const position of origins) {
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

/** The shortest path from an origin to a node, both included, in the result of {@link reach}. */
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

/** The strongly connected components of a graph: groups of nodes that can all reach each other. */
export interface Components {
  /** The component of each node. Edges between components lead from higher to lower numbers. */
  readonly of: Int32Array;
  readonly count: number;
}

/**
 * Finds the strongly connected components: Tarjan's algorithm, linear, with its own stack in place of recursion.
 *
 * @param targets - the indexes of the nodes that each node's edges lead to
 */
export function findComponents(targets: readonly (readonly number[])[]): Components {
  const size = targets.length;
  const of = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1); // the order of discovery
  const lowest = new Int32Array(size); // the earliest node on the stack that is reachable
  const next = new Int32Array(size); // the index of the edge to follow next
  const stack: number[] = []; // discovered nodes without a component yet
  const path: number[] = []; // from the root to the current node
  let seen = 0;
  let count = 0;

  const discover = (node: number) => {
    order[node] = lowest[node] = seen;
    seen += 1;
    stack.push(node);
    path.push(node);
  };
  const lower = (node: number, to: number) => {
    lowest[node] = Math.min(lowest[node] ?? 0, to);
  };

  for (let root = 0; root < size; root += 1) {
    if (order[root] !== -1) continue;
    discover(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const target = targets[node]?.[next[node] ?? 0];
      if (target !== undefined) {
        next[node] = (next[node] ?? 0) + 1;
        if (order[target] === -1) discover(target);
        else if (of[target] === -1) lower(node, order[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent, lowest[node] ?? 0);
      if (lowest[node] !== order[node]) continue;
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        of[member] = count;
        if (member === node) break;
      }
      count += 1;
    }
  }
  return { of, count };
}
