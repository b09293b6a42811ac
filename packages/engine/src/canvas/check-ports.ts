import type { Problem } from '../contract/problem.ts';
import type { CompiledCanvas, NodeTypes } from './compile.ts';
import { type Graph, mayBe } from './graph.ts';
import { problem, shortened } from './problem-codes.ts';

/**
 * Ports that a node will be left by and that lead nowhere: neither by an edge, nor by `error`, nor to a catch node. An edge to a node
 * that could not be compiled leads somewhere.
 */
export function checkPorts({ canvas, nodes }: CompiledCanvas, graph: Graph, types: NodeTypes): readonly Problem[] {
  if (canvas.nodes.some(({ type }) => mayBe('catch', type, types))) return [];
  const connected = new Map(graph.map(({ id, connected }) => [id, connected]));
  return [...nodes.values()].flatMap(({ id, index, config, definition, common }) => {
    const left = connected.get(id);
    if (left?.has('error') === true && common.onError !== 'fail') return [];
    const loose = definition.advisedPorts(config).filter((port) => left?.has(port) !== true);
    return loose.map((port) =>
      problem(
        'PORT_LEADS_NOWHERE',
        ['nodes', index],
        `Port "${shortened(port, 64)}" of "${id}" leads nowhere: the execution fails there`,
        id,
      ),
    );
  });
}
