import type { JobRecord } from './define-job.ts';

/** What the things of jobs became in this process, for metrics. */
export interface JobCounts {
  count(kind: string, counts: JobRecord['counts']): void;
  listen(listener: (kind: string, outcome: string, count: number) => void): void;
}

/** Passes what jobs count on to whoever listens. */
export function createJobCounts(): JobCounts {
  const listeners: Parameters<JobCounts['listen']>[0][] = [];
  return {
    count(kind, counts) {
      for (const [outcome, count] of Object.entries(counts)) for (const listener of listeners) listener(kind, outcome, count);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
