import type { Moment, Reporter } from './reporter.ts';
import type { Stage } from './stage.ts';

/** Prints a talk for a program: one JSON object a line, each with its `kind`. */
export function createJsonReporter({ main, canvases, channel, user }: Stage, print: (text: string) => void): Reporter {
  const line = (value: object): void => print(JSON.stringify(value));
  return {
    greet: ({ nowMs, executionIds }: Moment) =>
      line({
        kind: 'ready',
        workflowId: main.id,
        workflows: canvases.map(({ id }) => id),
        channel,
        user,
        atMs: nowMs,
        ...(executionIds.length > 0 && { executionIds }),
      }),
    heard: (said) => line({ kind: 'line', line: said }),
    events: (events) => events.forEach(line),
    show: (shown, { nowMs }) => line(shown.kind === 'time' ? { ...shown, nowMs } : shown),
    complain: (reason) => line({ kind: 'complaint', reason }),
  };
}
