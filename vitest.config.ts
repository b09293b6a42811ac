import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Generous: a machine may be busy, and nothing here is proved by the clock on its wall.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: 'scripts/vitest/choose-seed.ts',
    setupFiles: 'scripts/vitest/apply-seed.ts',
  },
});
