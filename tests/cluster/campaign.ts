import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type RareState, rareStates } from './rare-states.ts';
import type { SeedRun, SeedTask } from './seed-run.ts';

/** What a campaign comes to. */
export interface Campaign {
  readonly runs: number;
  /** Runs with findings, and runs that were not the same twice. */
  readonly failed: readonly SeedRun[];
  /** In how many runs each rare state was reached. */
  readonly rare: ReadonlyMap<RareState, number>;
  readonly steps: number;
  readonly simulatedMs: number;
}

/** Tasks that a worker has at once, so that it never waits for one. */
const ahead = 4;

/**
 * Runs seeds on all cores.
 *
 * @param onRun - called after each run
 */
export async function runCampaign(tasks: readonly SeedTask[], onRun: (run: SeedRun) => void = () => {}): Promise<Campaign> {
  const rare = new Map<RareState, number>(rareStates.map((state) => [state, 0]));
  const failed: SeedRun[] = [];
  let [given, runs, steps, simulatedMs] = [0, 0, 0, 0];

  const take = (run: SeedRun): void => {
    runs += 1;
    steps += run.steps;
    simulatedMs += run.simulatedMs;
    for (const state of run.rareStates) rare.set(state, (rare.get(state) ?? 0) + 1);
    if (run.findings.length > 0 || !run.isReproducible) failed.push(run);
    onRun(run);
  };

  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('campaign-worker.ts', import.meta.url));
      let open = 0;
      const give = (): void => {
        const task = tasks[given];
        if (task !== undefined) {
          given += 1;
          open += 1;
          worker.postMessage(task);
        } else if (open === 0) void worker.terminate().then(() => resolve());
      };
      worker.on('error', reject);
      worker.on('message', (run: SeedRun) => {
        open -= 1;
        take(run);
        give();
      });
      for (let count = 0; count < ahead; count += 1) give();
    });

  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { runs, failed: failed.toSorted((a, b) => a.seed - b.seed), rare, steps, simulatedMs };
}
