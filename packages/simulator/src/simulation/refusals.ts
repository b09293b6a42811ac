// Refusals that a script keeps for the calls to come.
import type { Json } from '@hilo/engine/contract';
import { sendMessage, sendTemplate } from '@hilo/nodes/effects';
import type { RecordedCall } from './recorded-call.ts';

/** A refusal that is kept for a call. */
export interface Refusal {
  /** Of any node, when left out: then for the next message or template. */
  readonly nodeId?: string | undefined;
  readonly result: { readonly kind: 'refused'; readonly cause: string; readonly message: string } | { readonly kind: 'windowClosed' };
}

/** @param onOutcome - told which call a refusal has met */
export function createRefusals(onOutcome: ((call: RecordedCall, outcome: Json) => void) | undefined) {
  const refusals: Refusal[] = [];
  /** Takes the first kept refusal that is for a call. */
  const takeRefusal = (call: RecordedCall): Refusal['result'] | undefined => {
    const isForAny = call.effect === sendMessage.type || call.effect === sendTemplate.type;
    const index = refusals.findIndex(
      ({ nodeId, result }) =>
        (nodeId === undefined ? isForAny : nodeId === call.nodeId) && (result.kind === 'refused' || call.effect === sendMessage.type),
    );
    const [taken] = index === -1 ? [] : refusals.splice(index, 1);
    if (taken !== undefined) onOutcome?.(call, taken.result);
    return taken?.result;
  };
  /** The result of a call that may be refused but has no window. */
  const takeCause = (call: RecordedCall): Extract<Refusal['result'], { readonly kind: 'refused' }> | undefined => {
    const taken = takeRefusal(call);
    return taken?.kind === 'refused' ? taken : undefined;
  };

  return { takeRefusal, takeCause, keep: (refusal: Refusal): void => void refusals.push(refusal) };
}
