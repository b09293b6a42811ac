import fc from 'fast-check';
import { inject } from 'vitest';

const runs = inject('runs');
fc.configureGlobal({ seed: inject('seed'), ...(runs > 0 && { numRuns: runs }) });
