import { describe } from 'vitest';
import { describeEffectsOfRuntime } from './runtime-effects.ts';
import { describeLanesOfRuntime } from './runtime-lanes.ts';
import { describeRestartsOfRuntime } from './runtime-restarts.ts';
import type { RuntimeStage } from './runtime-stage.ts';
import { describeWaitsOfRuntime } from './runtime-waits.ts';

/**
 * The promises of whatever keeps lanes, as tests of the engine's own verbs: a process with its memory, a process with a store, a
 * cluster. Each runs all of them.
 *
 * @param open - opens a new, empty one
 * @example
 * describeRuntime('SQLite', async () => {
 *   const store = await openSqliteStore({ path: newPath() });
 *   return stageOverStore(store, { close: store.close });
 * });
 */
export function describeRuntime(name: string, open: () => Promise<RuntimeStage>): void {
  describe(`${name} as a runtime`, () => {
    describeLanesOfRuntime(open);
    describeWaitsOfRuntime(open);
    describeEffectsOfRuntime(open);
    describeRestartsOfRuntime(open);
  });
}
