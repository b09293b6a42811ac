import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { openSqliteStore } from '@hilo/stores';
import { describeRuntime } from '@hilo/testing/contracts';
import { temporaryDirectory } from '../../stores/test/temporary-directory.ts';
import { createReadModel, restateRuntime, startDevServer } from '../src/index.ts';
import { describeWithRestate } from './restate-program.ts';

describeWithRestate('a real server', (program) => {
  describeRuntime('Restate', async () => {
    const directory = await temporaryDirectory();
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const server = await startDevServer({ directory: join(directory, 'restate'), store: 'one', program });
    const readModel = createReadModel(store);
    return {
      async engine(parts) {
        return createEngine({
          ...parts,
          store: readModel,
          runtime: restateRuntime(async () => ({ ...server, stop: async () => undefined })),
        });
      },
      // Its connections are cut, and the next engine takes its port: Restate sends all open requests to that one.
      abandon: (engine) => engine.stop(),
      elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      async close() {
        await server.stop();
        await store.close();
        await rm(directory, { recursive: true });
      },
    };
  });
});
