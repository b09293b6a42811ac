import type { Problem } from '../contract/problem.ts';
import { findComponents, reach, traceWay } from './walk.ts';
import { type DescribeWay, formatWay, type Graph, type GraphEdge } from './graph.ts';
import { joinNames, maxProblems, problem } from './problem-codes.ts';

/** Problems of the graph's shape alone: unreachable nodes, cycles that never wait, nodes from which no exit can be reached. */
export function checkGraph(graph: Graph, describeWay: DescribeWay): readonly Problem[] {
  const entries = graph.flatMap(({ isEntry }, position) => (isEntry ? [position] : []));
  if (entries.length === 0) return []; // NO_ENTRY is reported once, not at every node
  const reached = reach(graph.length, entries, (position) => listTargets(graph, position));
  const isReached = (position: number) => reached[position] !== -1;
  return [...findUnreachable(graph, isReached), ...findBusyLoops(graph, isReached, describeWay), ...findTraps(graph, reached, describeWay)];
}

const listTargets = (graph: Graph, position: number, isTaken: (edge: GraphEdge) => boolean = () => true): readonly number[] =>
  (graph[position]?.outgoing ?? []).filter(isTaken).map(({ target }) => target);

function findUnreachable(graph: Graph, isReached: (position: number) => boolean): readonly Problem[] {
  const visited = new Set(graph.filter((_, position) => isReached(position)).map(({ id }) => id));
  return graph.flatMap(({ id, index }) =>
    visited.has(id) ? [] : [problem('UNREACHABLE_NODE', ['nodes', index], `No way from an entry leads to "${id}"`, id)],
  );
}

/** One problem for each strongly connected component of immediate edges, with the shortest cycle at its first node. */
function findBusyLoops(graph: Graph, isReached: (position: number) => boolean, describeWay: DescribeWay): readonly Problem[] {
  const isTaken = ({ isImmediate }: GraphEdge) => isImmediate;
  const targets = graph.map((_, position) => (isReached(position) ? listTargets(graph, position, isTaken) : []));
  const components = findComponents(targets);
  const reported = new Set<number | undefined>();
  return graph.flatMap(({ id, index }, position) => {
    const component = components.of[position];
    const targetsWithin = (at: number) => (targets[at] ?? []).filter((target) => components.of[target] === component);
    if (reported.has(component) || reported.size >= maxProblems || targetsWithin(position).length === 0) return [];
    reported.add(component);
    const from = reach(graph.length, targetsWithin(position), targetsWithin);
    const cycle = from[position] === -1 ? [] : [position, ...traceWay(from, position)];
    const found = problem('BUSY_LOOP', ['nodes', index], `This cycle never waits: ${formatWay(graph, cycle, 8)}`, id);
    return [{ ...found, ...describeWay(cycle, isTaken) }];
  });
}

/** One problem for each reachable component that has no edge out of it and cannot reach an exit, at its first node. */
function findTraps(graph: Graph, reached: Int32Array, describeWay: DescribeWay): readonly Problem[] {
  const sources: number[][] = graph.map(() => []);
  for (const [position, { outgoing }] of graph.entries()) for (const { target } of outgoing) sources[target]?.push(position);
  const exits = graph.flatMap(({ isExit }, position) => (isExit ? [position] : []));
  const reachesExit = reach(graph.length, exits, (position) => sources[position] ?? []);
  const isTrapped = (position: number) => reached[position] !== -1 && reachesExit[position] === -1;

  const targets = graph.map((_, position) => (isTrapped(position) ? listTargets(graph, position) : []));
  const { of, count } = findComponents(targets);
  const members: number[][] = Array.from({ length: count }, () => []);
  for (const position of graph.keys()) if (isTrapped(position)) members[of[position] ?? 0]?.push(position);
  return members.flatMap((component) => {
    const isLeft = component.some((position) => targets[position]?.some((target) => of[target] !== of[position]));
    const [at] = component;
    const first = at === undefined ? undefined : graph[at];
    if (isLeft || at === undefined || first === undefined) return [];
    const ids = [...new Set(component.map((position) => graph[position]?.id ?? ''))];
    const found = problem('UNREACHABLE_EXIT', ['nodes', first.index], `No way leads to an end any more from ${joinNames(ids)}`, first.id);
    return [{ ...found, ...describeWay(traceWay(reached, at)) }];
  });
}
