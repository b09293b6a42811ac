import type { Problem } from '../contract/problem.ts';
import { findComponents, reach, traceWay } from './walk.ts';
import type { Graph, Way, WayTeller } from './graph.ts';
import { joinNames, mostProblems, problem } from './problem-codes.ts';

/** What can be seen of the ways alone: nodes that none leads to, and ways that never end or never wait. */
export function checkGraph(graph: Graph, tellWay: WayTeller): readonly Problem[] {
  const entries = graph.flatMap(({ isEntry }, position) => (isEntry ? [position] : []));
  if (entries.length === 0) return []; // NO_ENTRY is reported once, not at every node
  const reached = reach(graph.length, entries, (position) => listTargets(graph, position));
  const isReached = (position: number) => reached[position] !== -1;
  return [...findUnreachable(graph, isReached), ...findBusyLoops(graph, isReached, tellWay), ...findTraps(graph, reached, tellWay)];
}

const listTargets = (graph: Graph, position: number, isTaken: (way: Way) => boolean = () => true): readonly number[] =>
  (graph[position]?.ways ?? []).filter(isTaken).map(({ target }) => target);

function findUnreachable(graph: Graph, isReached: (position: number) => boolean): readonly Problem[] {
  const visited = new Set(graph.filter((_, position) => isReached(position)).map(({ id }) => id));
  return graph.flatMap(({ id, index }) =>
    visited.has(id) ? [] : [problem('UNREACHABLE_NODE', ['nodes', index], `No way from an entry leads to "${id}"`, id)],
  );
}

/** One problem for each group of cycles that hang together, with the shortest cycle at its first node. */
function findBusyLoops(graph: Graph, isReached: (position: number) => boolean, tellWay: WayTeller): readonly Problem[] {
  const targets = graph.map((_, position) => (isReached(position) ? listTargets(graph, position, ({ isFree }) => isFree) : []));
  const groups = findComponents(targets);
  const reported = new Set<number | undefined>();
  return graph.flatMap(({ id, index }, position) => {
    const group = groups.of[position];
    const inGroup = (at: number) => (targets[at] ?? []).filter((target) => groups.of[target] === group);
    if (reported.has(group) || reported.size >= mostProblems || inGroup(position).length === 0) return [];
    reported.add(group);
    const from = reach(graph.length, inGroup(position), inGroup);
    const cycle = from[position] === -1 ? [] : [position, ...traceWay(from, position)];
    const found = problem('BUSY_LOOP', ['nodes', index], `This cycle never waits: ${describeCycle(graph, cycle)}`, id);
    return [{ ...found, ...tellWay(cycle, ({ isFree }) => isFree) }];
  });
}

/** One problem for each group of nodes that can be come into and never be left, at its first node. */
function findTraps(graph: Graph, reached: Int32Array, tellWay: WayTeller): readonly Problem[] {
  const isReached = (position: number) => reached[position] !== -1;
  const sources: number[][] = graph.map(() => []);
  for (const [position, { ways }] of graph.entries()) for (const { target } of ways) sources[target]?.push(position);
  const exits = graph.flatMap(({ isExit }, position) => (isExit ? [position] : []));
  const ending = reach(graph.length, exits, (position) => sources[position] ?? []);
  const isDead = (position: number) => isReached(position) && ending[position] === -1;

  const targets = graph.map((_, position) => (isDead(position) ? listTargets(graph, position) : []));
  const { of, count } = findComponents(targets);
  const members: number[][] = Array.from({ length: count }, () => []);
  for (const position of graph.keys()) if (isDead(position)) members[of[position] ?? 0]?.push(position);
  return members.flatMap((group) => {
    const isLeft = group.some((position) => targets[position]?.some((target) => of[target] !== of[position]));
    const [at] = group;
    const first = at === undefined ? undefined : graph[at];
    if (isLeft || at === undefined || first === undefined) return [];
    const ids = [...new Set(group.map((position) => graph[position]?.id ?? ''))];
    const found = problem('UNREACHABLE_EXIT', ['nodes', first.index], `No way leads to an end any more from ${joinNames(ids)}`, first.id);
    return [{ ...found, ...tellWay(traceWay(reached, at)) }];
  });
}

/** Node ids on a cycle; the middle of a long one is left out. */
function describeCycle(graph: Graph, cycle: readonly number[]): string {
  const ids = cycle.map((position) => graph[position]?.id ?? '');
  return (ids.length > 12 ? [...ids.slice(0, 8), '…', ...ids.slice(-3)] : ids).join(' → ');
}
