import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { parseCLI } from 'vitest/node';
import SlowFirst from './scripts/vitest/slow-first.ts';
import { smallWorkers } from './scripts/vitest/small-workers.ts';
import { makePrograms } from './scripts/vitest/stripped-programs.ts';

// Threads and processes that tests start find the code that others have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/**
 * Campaigns are what takes long: kills, clusters, moves under load, the same over another database. `npm test` leaves them out, unless it is
 * told files, which run in whole; `npm run test:all` has the mode `all`, and takes everything (tests/README.md).
 */
const campaigns = '**/*.campaign.test.ts';
const isToldFiles = process.argv[2] === 'run' && parseCLI(['vitest', ...process.argv.slice(2)]).filter.length > 0;

export default defineConfig(async ({ mode }) => {
  const takesAll = mode === 'all' || isToldFiles;
  await makePrograms();
  return {
    test: {
      include: ['packages/*/{src,test,template}/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...(takesAll ? [] : [campaigns])],
      provide: { takesAll },
      // Nothing here changes what others see, so that modules are loaded once for each process and not for each file.
      isolate: false,
      // Node.js loads modules itself, in less time and memory than Vite’s module runner.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // The longest files keep a processor busy for two thirds of their time: they wait for disks, timers and processes of their own.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      // With its own young generation of 1 MB at first, V8 moves what lives a little longer again and again: a sixth of the processor time.
      execArgv: ['--import', import.meta.resolve('./scripts/vitest/load-hooks.ts'), '--min-semi-space-size=16', '--max-semi-space-size=32'],
      sequence: { sequencer: SlowFirst },
      // Generous: a machine may be busy, and nothing here is proved by the clock on its wall.
      expect: { poll: { timeout: 60_000 } },
      testTimeout: 300_000,
      hookTimeout: 300_000,
      teardownTimeout: 300_000,
      pool: smallWorkers,
      globalSetup: 'scripts/vitest/whole-run.ts',
      setupFiles: 'scripts/vitest/each-file.ts',
    },
  };
});
