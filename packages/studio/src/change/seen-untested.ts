// What users do and no test: ports that were left in the last week, and that no kept test takes.
import type { NodeNumbers } from '../numbers/numbers.ts';

/** @param never - ports that no test takes, as `node.port`. @returns those that were taken, the most frequent first */
export function seenUntested(nodes: readonly Pick<NodeNumbers, 'nodeId' | 'ports'>[], never: readonly string[]) {
  const untested = new Set(never);
  return nodes
    .flatMap(({ nodeId, ports = [] }) => ports.map(({ port, count }) => ({ nodeId, port, count })))
    .filter(({ nodeId, port, count }) => count > 0 && untested.has(`${nodeId}.${port}`))
    .toSorted((one, other) => other.count - one.count || (`${one.nodeId}.${one.port}` < `${other.nodeId}.${other.port}` ? -1 : 1));
}
