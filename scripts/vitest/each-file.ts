// Before each file of tests.
import fc from 'fast-check';
import { inject } from 'vitest';
import { deriveOnce } from './derive-once.ts';

const runs = inject('runs');
fc.configureGlobal({ seed: inject('seed'), ...(runs > 0 && { numRuns: runs }) });

// Files share a process, and browsers, databases and commands each wait for signals in it. Node.js warns of more than ten listeners,
// in the output of whichever command comes next.
process.setMaxListeners(100);

deriveOnce();
