import { Duration } from 'luxon';
import type { Channel } from '../contract/execution.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import { type Problem, pointer } from '../contract/problem.ts';
import { type CompiledCanvas, unread } from './compile.ts';
import { problem } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

/** What the nodes themselves object to, and waits that the session does not last for. */
export function checkLimits(
  nodes: readonly LoneNode[],
  { canvas, sessionExpiryMs }: CompiledCanvas,
  channels: readonly Channel[],
): readonly Problem[] {
  const around = { channels, kind: canvas.kind };
  return nodes.flatMap(({ id, index, definition, read }) => {
    if (read === undefined) return [];
    const found = definition.check(read.config, around).map(({ at, ...found }) => ({
      ...found,
      ...(id !== unread && { nodeId: id }),
      pointer: pointer(['nodes', index, 'data', ...at]),
    }));
    return [...found, ...longWaits({ id, index, definition }, read.config, sessionExpiryMs)];
  });
}

/** Fields with the duration of a wait. */
const waitFields = ['timeout', 'waitTimeout', 'duration'] as const;

/** A node that calls a workflow may wait beyond the session's expiry: the session continues in the child. */
function longWaits(
  { id, index, definition }: Pick<LoneNode, 'id' | 'index' | 'definition'>,
  config: unknown,
  sessionExpiryMs: number | undefined,
): readonly Problem[] {
  if (sessionExpiryMs === undefined || !isJsonObject(config as Json) || definition.waitsBefore(config).length === 0) return [];
  if (definition.references(config).some(({ kind }) => kind === 'workflow')) return [];
  const fields = config as { readonly [field: string]: unknown };
  return waitFields.flatMap((field) => {
    const waitMs = fields[field];
    if (typeof waitMs !== 'number' || waitMs <= sessionExpiryMs) return [];
    const message = `"${id}" waits ${inIso(waitMs)}, and the session ends after ${inIso(sessionExpiryMs)}`;
    return [problem('WAIT_LONGER_THAN_SESSION', ['nodes', index, 'data', field], message, id)];
  });
}

/** As an author would write it: `P3D`, `PT1H1S`. */
const inIso = (durationMs: number): string =>
  Duration.fromMillis(durationMs).shiftTo('days', 'hours', 'minutes', 'seconds').removeZeros().toISO() ?? '';
