import type { Oracle } from '../evidence.ts';

/** The longest delay of a timer without faults: a shared store is polled every five seconds. */
const maxLateMs = 6_000;

/** Timers fire once, at or after their time; where nothing goes wrong, soon after it (P11, P12). */
export const timers: Oracle = ({ commits, histories, isPunctual }) => {
  const dueAtMs = new Map<string, number>();
  for (const { commit } of commits)
    for (const { executionId, state } of commit.saves)
      if (typeof state.wait?.dueAtMs === 'number') dueAtMs.set(`${executionId} ${state.wait.id}`, state.wait.dueAtMs);
  const problems: string[] = [];
  const fired = new Set<string>();
  for (const { executionId, event } of [...histories.values()].flat()) {
    if (event.type !== 'timer.fired') continue;
    const { atMs } = event;
    const waitId = `${executionId} ${event.waitId}`;
    const due = dueAtMs.get(waitId);
    if (due === undefined) problems.push(`the timer of ${waitId} fired, and it has none`);
    else if (atMs < due) problems.push(`the timer of ${waitId} fired ${due - atMs} ms early`);
    else if (isPunctual && atMs - due > maxLateMs) problems.push(`the timer of ${waitId} fired ${atMs - due} ms late`);
    if (fired.has(waitId)) problems.push(`the timer of ${waitId} fired twice`);
    fired.add(waitId);
  }
  return problems;
};
