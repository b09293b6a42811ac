import type { CompiledCanvas } from './canvas/compile.ts';
import type { ExecutionState } from './contract/execution.ts';
import type { HistoryRecord } from './contract/store.ts';

/** What stands in the history for a value that `mask` keeps out of it. Such a record cannot be replayed. */
export const maskText = '[masked]';

/** A history record without the values of nodes that are masked, made before it is written. */
export function masked(record: HistoryRecord, canvas: CompiledCanvas, before: ExecutionState): HistoryRecord {
  const node = canvas.nodes.get(before.visit?.nodeId ?? '');
  if (node?.common.mask !== true) return record;
  const { event } = record;
  if (event.type === 'effect.settled' && event.settled.kind === 'result')
    return { ...record, event: { ...event, settled: { kind: 'result', value: maskText } } };
  if (event.type === 'reply.received') return { ...record, event: { ...event, message: { masked: maskText } } };
  if (event.type === 'webhook.received')
    return { ...record, event: { ...event, writes: event.writes.map((write) => ({ ...write, value: maskText })) } };
  if (event.type === 'child.ended' || event.type === 'signal.received')
    return {
      ...record,
      event: event.type === 'child.ended' ? { ...event, result: { masked: maskText } } : { ...event, payload: maskText },
    };
  return record;
}
