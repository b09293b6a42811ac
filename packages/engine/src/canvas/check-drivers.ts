import type { Json } from '../contract/json.ts';
import type { Problem } from '../contract/problem.ts';
import { isOfTheEngine } from '../contract/wait.ts';
import { joinNames, problem } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

/**
 * Nodes with an effect that no driver performs: reported at publication, not by the first user who reaches them.
 *
 * @param performed - the effects with a driver
 */
export function checkDrivers(nodes: readonly LoneNode[], performed: ReadonlySet<string>): readonly Problem[] {
  return nodes.flatMap((node) => {
    const asked = node.definition.effects?.map(({ type }) => type) ?? firstAsked(node);
    const missing = [...new Set(asked)].filter((effect) => !isOfTheEngine(effect) && !performed.has(effect));
    if (missing.length === 0) return [];
    const message = `A ${node.type} node asks for ${joinNames(missing)}, and nothing here performs that`;
    return [problem('MISSING_DRIVER', ['nodes', node.index, 'type'], message, node.id)];
  });
}

/**
 * The first effect of a node whose variables are all empty texts, for nodes that do not declare their effects: `run` is pure, so it may
 * be called here. A node that fails without real values is accepted unchecked.
 */
function firstAsked({ read, definition }: LoneNode): readonly string[] {
  if (read === undefined) return [];
  const { config } = read;
  const everyPort = new Set([...definition.ports(config), ...definition.optionalPorts(config)]);
  try {
    const outcome = definition.run({
      config,
      variables: { get: (): Json => '' },
      trigger: undefined,
      isConnected: (port) => everyPort.has(port),
      random: () => 0,
      nowMs: 0,
      memo: null,
      channel: undefined,
      hold: undefined,
    });
    return outcome.kind === 'perform' ? [outcome.effect.type] : [];
  } catch {
    return [];
  }
}
