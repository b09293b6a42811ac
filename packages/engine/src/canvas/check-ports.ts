import type { Problem } from '../contract/problem.ts';
import type { CompiledCanvas } from './compile.ts';
import { problem, shortened } from './problem-codes.ts';

/** Ports that a node will be left by and that lead nowhere: neither by an edge, nor by `error`, nor to a catch node. */
export function checkPorts({ nodes, catcher }: CompiledCanvas): readonly Problem[] {
  if (catcher !== undefined) return [];
  return [...nodes.values()].flatMap(({ id, index, config, definition, targets, common }) => {
    if (targets.has('error') && common.onError !== 'fail') return [];
    const loose = definition.advisedPorts(config).filter((port) => !targets.has(port));
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
