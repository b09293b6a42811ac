import { isInternal } from '@hilo/engine/contract';
import { idempotencyKey } from '@hilo/engine/debug';
import type { Oracle } from '../evidence.ts';

/** A user's accepted requests are processed in order, and messages are sent in the order of the canvas (P9). */
export const order: Oracle = (evidence) => [...processed(evidence), ...sent(evidence)];

/** A message that a hold discards leaves the queue early; it is no step of an execution. */
const processed: Oracle = ({ commits }) => {
  const lanes = new Map<number, string>();
  const last = new Map<string, number>();
  const problems: string[] = [];
  for (const { commit, seqs } of commits) {
    for (const [index, queued] of commit.enqueue.entries()) if (!isInternal(queued)) lanes.set(seqs[index] ?? 0, queued.lane);
    if (commit.saves.length === 0) continue;
    for (const { seq } of commit.dequeue) {
      const lane = lanes.get(seq);
      if (lane === undefined) continue;
      const before = last.get(lane) ?? 0;
      if (seq < before) problems.push(`lane ${lane} processed ${seq} after ${before}`);
      last.set(lane, Math.max(seq, before));
    }
  }
  return problems;
};

const sent: Oracle = ({ commits, effects }) => {
  const problems: string[] = [];
  const intents = Map.groupBy(
    commits.flatMap(({ commit }) =>
      commit.saves.flatMap(({ companyId, executionId, state: { pending } }) =>
        pending === undefined ? [] : [{ executionId, key: idempotencyKey(companyId, pending.key) }],
      ),
    ),
    ({ executionId }) => executionId,
  );
  const first = new Map<string, number>();
  for (const { key, order } of effects) if (!first.has(key)) first.set(key, order);
  for (const [executionId, pending] of intents) {
    const keys = [...new Set(pending.map(({ key }) => key))].filter((key) => first.has(key));
    for (const [index, key] of keys.entries()) {
      const next = keys[index + 1];
      if (next !== undefined && (first.get(next) ?? 0) < (first.get(key) ?? 0))
        problems.push(`execution ${executionId} performed ${next} before ${key}`);
    }
  }
  return problems;
};
