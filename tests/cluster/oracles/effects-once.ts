import { idempotencyKey } from '@hilo/engine/debug';
import type { Oracle } from '../evidence.ts';

const tryOf = (key: string, attempt: number): string => `${key} try ${attempt}`;

/**
 * A process attempts an effect once, and once more for each time that it is declared dead; not after its answer is recorded, and not
 * before its intent is committed; each time with the same payload (P3, P4).
 */
export const effectsOnce: Oracle = ({ effects, commits }) => {
  const problems: string[] = [];
  const releases: { readonly order: number; readonly executionId: string }[] = [];
  const intended = new Map<string, number>();
  const recorded = new Map<string, number>();
  const keys = new Set<string>();
  for (const { order, commit } of commits) {
    for (const { companyId, state } of commit.saves) {
      const { pending } = state;
      if (pending === undefined) continue;
      const key = idempotencyKey(companyId, pending.key);
      const name = tryOf(key, pending.attempt);
      keys.add(key);
      if (!intended.has(name)) intended.set(name, order);
    }
    for (const { companyId, event, executionId } of commit.history) {
      if (event.type === 'execution.released') releases.push({ order, executionId });
      if (event.type !== 'effect.settled') continue;
      const key = idempotencyKey(companyId, event.key);
      recorded.set(tryOf(key, triesOf(key, recorded) + 1), order); // a key's later tries are intended after its earlier ones were recorded
    }
  }
  const made = new Map<string, number>();
  const payloads = new Map<string, string>();
  for (const effect of effects) {
    const name = tryOf(effect.key, effect.attempt);
    // Releasing an execution from quarantine permits one more attempt.
    const released = releases.filter(({ order, executionId }) => order < effect.order && executionId === effect.executionId).length;
    const about = `${effect.effect} ${name} of execution ${effect.executionId}`;
    const attempts = (made.get(`${effect.process} ${name}`) ?? 0) + 1;
    made.set(`${effect.process} ${name}`, attempts);
    if (attempts > effect.lifetime + released)
      problems.push(`${about} was performed ${attempts} times by ${effect.process}, in its life ${effect.lifetime}`);
    // The answer that holds a user comes from no step; all other effects do.
    if (keys.has(effect.key) && (intended.get(name) ?? Number.POSITIVE_INFINITY) > effect.order)
      problems.push(`${about} was performed before its intent was committed`);
    if ((recorded.get(name) ?? Number.POSITIVE_INFINITY) < effect.aliveSince)
      problems.push(`${about} was performed again by ${effect.process} after its answer was recorded`);
    const payload = payloads.get(effect.key) ?? effect.payload;
    if (payload !== effect.payload) problems.push(`${about} changed its payload from ${payload} to ${effect.payload}`);
    payloads.set(effect.key, payload);
  }
  return problems;
};

/** How many tries of a key have a recorded answer. */
function triesOf(key: string, recorded: ReadonlyMap<string, number>): number {
  let tries = 0;
  while (recorded.has(tryOf(key, tries + 1))) tries += 1;
  return tries;
}
