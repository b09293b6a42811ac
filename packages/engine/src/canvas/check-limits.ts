import type { Canvas } from '../contract/canvas.ts';
import type { Channel } from '../contract/execution.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import type { Problem } from '../contract/problem.ts';
import { pointer } from '../contract/problem.ts';
import type { CompiledCanvas, CompiledNode } from './compile.ts';
import { problem } from './problem-codes.ts';

/** What the nodes themselves object to, and waits that the session does not last for. */
export function checkLimits({ canvas, nodes }: CompiledCanvas, channels: readonly Channel[]): readonly Problem[] {
  const around = { channels, kind: canvas.kind };
  return [...nodes.values()].flatMap((node) => [
    ...node.definition
      .check(node.config, around)
      .map(({ at, ...found }) => ({ ...found, nodeId: node.id, pointer: pointer(['nodes', node.index, 'data', ...at]) })),
    ...longWaits(node, canvas.settings),
  ]);
}

/** Fields that say how long a node waits. */
const waitFields = ['timeout', 'waitTimeout', 'duration'] as const;

function longWaits({ id, index, config, definition }: CompiledNode, { sessionExpiry }: Canvas['settings']): readonly Problem[] {
  if (sessionExpiry === undefined || !isJsonObject(config as Json) || definition.waitsBefore(config).length === 0) return [];
  const fields = config as { readonly [field: string]: unknown };
  return waitFields.flatMap((field) => {
    const waitMs = fields[field];
    if (typeof waitMs !== 'number' || waitMs <= sessionExpiry) return [];
    return [
      problem(
        'WAIT_LONGER_THAN_SESSION',
        ['nodes', index, 'data', field],
        `"${id}" waits ${waitMs / 1_000} s, and the session ends after ${sessionExpiry / 1_000} s`,
        id,
      ),
    ];
  });
}
