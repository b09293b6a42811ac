// Something that is done between what an act has read and what it writes, whichever part of the service writes it.
import type { RunningService } from '../../src/service/open-service.ts';

/** Has something done before the write of this number, of all parts of a service. @returns how many writes there were, and the way back */
export function beforeWrite(service: RunningService, number: number, overtaking: () => Promise<void>) {
  const { store } = service;
  const { commitWith, runner } = store;
  const { write, writeOne } = runner;
  let [writes, isOvertaking] = [0, false];
  const count = async (): Promise<void> => {
    if (isOvertaking) return;
    writes += 1;
    if (writes !== number) return;
    isOvertaking = true;
    await overtaking();
    isOvertaking = false;
  };
  Object.assign(store, { commitWith: async (...given: Parameters<typeof commitWith>) => (await count(), await commitWith(...given)) });
  Object.assign(runner, {
    write: async (...given: Parameters<typeof write>) => (await count(), await write(...given)),
    writeOne: async (...given: Parameters<typeof writeOne>) => (await count(), await writeOne(...given)),
  });
  return {
    writes: () => writes,
    end: () => {
      Object.assign(store, { commitWith });
      Object.assign(runner, { write, writeOne });
    },
  };
}
