import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState, Trigger } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { HistoryRecord } from '../contract/store.ts';
import type { Write } from '../contract/variables.ts';

/** Replaces the values of nodes with `mask` in the history. A record with it cannot be replayed. */
const maskText = '[masked]';

/** A history record without the values of a node whose `mask` is set, made before it is written. */
export function maskHistory(record: HistoryRecord, canvas: CompiledCanvas, before: ExecutionState): HistoryRecord {
  const { event } = record;
  if (event.type === 'execution.accepted' || event.type === 'execution.forked' || event.type === 'execution.continued') return record;
  return hidesValues(event, before, canvas) === undefined ? record : { ...record, event: maskEvent(event) };
}

/** The node whose values are left out of the record of an event. */
export function hidesValues(event: ExecutionEvent, before: ExecutionState, canvas: CompiledCanvas): string | undefined {
  const node = canvas.nodes.get(findReceiver(event, before) ?? '');
  return node?.common.mask === true && maskEvent(event) !== event ? node.id : undefined;
}

/** The node that an event brings something for. */
function findReceiver(event: ExecutionEvent, before: ExecutionState): string | undefined {
  if (event.type === 'execution.started') return event.entry;
  return event.type === 'webhook.received' && event.isKept === true ? event.via : before.visit?.nodeId;
}

/** The input of an event for the node at which it began, or which waited for it. */
function maskEvent(event: ExecutionEvent): ExecutionEvent {
  switch (event.type) {
    case 'execution.started':
      return { ...event, trigger: maskTrigger(event.trigger) };
    case 'effect.settled':
      return event.settled.kind === 'result' ? { ...event, settled: { kind: 'result', value: maskText } } : event;
    case 'reply.received':
      return { ...event, message: maskedObject };
    case 'webhook.received':
      return { ...event, writes: maskWrites(event.writes) };
    case 'child.ended':
      return { ...event, result: maskedObject };
    case 'signal.received':
      return { ...event, payload: maskText };
    default:
      return event;
  }
}

function maskTrigger(trigger: Trigger): Trigger {
  switch (trigger.kind) {
    case 'webhook':
      return { ...trigger, writes: maskWrites(trigger.writes) };
    case 'message':
      return { ...trigger, message: maskedObject };
    case 'call':
      return { ...trigger, inputs: maskedObject, webhook: maskedObject };
  }
}

const maskedObject: JsonObject = { masked: maskText };

/** Writes without their values. */
export const maskWrites = (writes: readonly Write[]): readonly Write[] => writes.map((write) => ({ ...write, value: maskText }));
