import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/vitest/slow-first.ts';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test,template}/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Generous: a machine may be busy, and nothing here is proved by the clock on its wall.
    // Nothing here changes what others see, so that modules are loaded once for each process and not for each file.
    isolate: false,
    maxWorkers: '100%',
    sequence: { sequencer: SlowFirst },
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['scripts/vitest/tell-skipped.ts', 'scripts/vitest/choose-seed.ts', 'scripts/vitest/services-on.ts'],
    setupFiles: ['scripts/vitest/apply-seed.ts', 'scripts/vitest/share-process.ts'],
  },
});
