import type { Service } from '../service/service.ts';

const limitMs = 2_000;

/** Why nothing should be sent here now, or `undefined` when all is well. */
export async function unready({ store, clock, isAccepting }: Service): Promise<string | undefined> {
  if (!isAccepting()) return 'The service is stopping';
  const answers = store.executions.nextDueMs().then(
    () => undefined,
    () => 'The store does not answer',
  );
  let timer: unknown;
  const tooLate = new Promise<string>((resolve) => {
    timer = clock.setTimeout(() => resolve('The store does not answer in time'), limitMs);
  });
  return Promise.race([answers, tooLate]).finally(() => clock.clearTimeout(timer));
}
