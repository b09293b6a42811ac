import { idempotencyKey } from '@hilo/engine/debug';
import type { ReceivedCall } from '../load/ledger.ts';
import { type Evidence, quarantinedLanes, type Rule } from './evidence.ts';

/** A user's messages take effect in the order of their acceptance; an execution acts in the order of its canvas (P3, P9). */
export const keepsOrder: Rule = (evidence) => [...usersOutOfOrder(evidence), ...executionsOutOfOrder(evidence)];

/** Every message is echoed with its number. Executions released from quarantine are late. */
function usersOutOfOrder(evidence: Evidence): readonly string[] {
  const { received, store } = evidence;
  const laneOf = new Map(store.executions.map(({ record }) => [record.executionId, record.lane]));
  const said = withoutRepeats(received).flatMap(({ executionId, payload }) => {
    const number = /(?:hello|echo) #(\d+)/.exec(payload)?.[1];
    return number === undefined ? [] : [{ lane: laneOf.get(executionId) ?? '', number: Number(number) }];
  });
  const excused = quarantinedLanes(evidence);
  return [...Map.groupBy(said, ({ lane }) => lane)].flatMap(([lane, all]) =>
    all.flatMap(({ number }, index) => {
      const before = all[index - 1]?.number ?? 0;
      return number > before || excused.has(lane) ? [] : [`In ${lane}, message #${number} was answered after #${before}`];
    }),
  );
}

function executionsOutOfOrder({ received, store }: Evidence): readonly string[] {
  const byExecution = Map.groupBy(received, ({ executionId }) => executionId);
  return store.executions.flatMap(({ record: { companyId, executionId }, states }) => {
    const intended = unrepeated(states.flatMap(({ pending }) => (pending === undefined ? [] : [idempotencyKey(companyId, pending.key)])));
    const done = unrepeated((byExecution.get(executionId) ?? []).map(({ key }) => key));
    return done.every((key, index) => key === intended[index])
      ? []
      : [`Execution ${executionId} acted in another order than its history has: ${done.join(' ')} in place of ${intended.join(' ')}`];
  });
}

/** The first call under each key. */
function withoutRepeats(received: readonly ReceivedCall[]): readonly ReceivedCall[] {
  const first = new Map<string, ReceivedCall>();
  for (const call of received) if (!first.has(call.key)) first.set(call.key, call);
  return [...first.values()];
}

/** Attempts of one effect are consecutive: once another effect has begun, none is repeated. */
const unrepeated = (keys: readonly string[]): readonly string[] => keys.filter((key, index) => key !== keys[index - 1]);
