// Before each file of tests.
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, inject, type RunnerTestFile } from 'vitest';
import { deriveOnce } from './derive-once.ts';
import { processorTimeMs } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test, or a whole file with its imports, took of processors, together with the processes that it started. */
    processorMs?: number;
  }
}

const fileBeganMs = processorTimeMs();
const testBeganMs = new Map<string, number>();
let file: RunnerTestFile | undefined;
beforeEach(({ task }) => {
  file = task.file;
  testBeganMs.set(task.id, processorTimeMs());
});
afterEach(({ task }) => {
  task.meta.processorMs = processorTimeMs() - (testBeganMs.get(task.id) ?? 0);
});
afterAll(() => {
  if (file !== undefined) file.meta.processorMs = processorTimeMs() - fileBeganMs;
});

const runs = inject('runs');
fc.configureGlobal({ seed: inject('seed'), ...(runs > 0 && { numRuns: runs }) });

// Files share a process, and browsers, databases and commands each wait for signals in it. Node.js warns of more than ten listeners,
// in the output of whichever command comes next.
process.setMaxListeners(100);

deriveOnce();
