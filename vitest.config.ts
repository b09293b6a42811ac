import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: 'scripts/vitest/choose-seed.ts',
    setupFiles: 'scripts/vitest/apply-seed.ts',
  },
});
