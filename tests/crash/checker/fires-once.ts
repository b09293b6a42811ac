import type { Evidence, ReplayedExecution, Rule } from './evidence.ts';

/** The longest delay of a timer while a process is alive: test machines are slow at times. */
const boundMs = 60_000;

/** A timer fires once, never before its time, and not long after it (P11). */
export const firesOnce: Rule = (evidence) => evidence.store.executions.flatMap((execution) => wrongTimers(evidence, execution));

function wrongTimers({ processes }: Evidence, { record: { executionId }, history, states }: ReplayedExecution): readonly string[] {
  const fired = new Set<string>();
  return history.flatMap(({ event }, index) => {
    if (event.type !== 'timer.fired') return [];
    const { waitId, atMs, lateByMs } = event;
    const dueAtMs = states[index - 1]?.wait?.dueAtMs ?? Number.POSITIVE_INFINITY;
    const sinceMs = Math.max(dueAtMs, ...processes.map(({ startedAtMs }) => startedAtMs).filter((startedAtMs) => startedAtMs <= atMs));
    const name = `The timer of wait ${waitId} of execution ${executionId}`;
    const problems = [
      ...(fired.has(waitId) ? [`${name} fired twice`] : []),
      ...(atMs < dueAtMs ? [`${name} fired ${dueAtMs - atMs} ms early`] : []),
      ...(atMs - sinceMs > boundMs ? [`${name} fired ${atMs - sinceMs} ms late`] : []),
      ...(lateByMs < 0 || lateByMs > atMs - dueAtMs ? [`${name} says that it was ${lateByMs} ms late`] : []),
    ];
    fired.add(waitId);
    return problems;
  });
}
