import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/vitest/slow-first.ts';

// Threads and processes that tests start find the code that others have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    include: ['packages/*/{src,test,template}/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Nothing here changes what others see, so that modules are loaded once for each process and not for each file.
    isolate: false,
    // The longest files keep a processor busy for two thirds of their time: they wait for disks, timers and processes of their own.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: SlowFirst },
    // Generous: a machine may be busy, and nothing here is proved by the clock on its wall.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: 'scripts/vitest/whole-run.ts',
    setupFiles: 'scripts/vitest/each-file.ts',
  },
});
