import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { type RareState, rareStates } from './rare-states.ts';
import { runCampaign } from './campaign.ts';
import { modeOf, replayLine, type SeedTask } from './seed-run.ts';

const takesAll = inject('takesAll');
/** How many clusters are simulated, unless `HILO_RUNS` is set. */
const { numRuns: seeds = takesAll ? 120 : 16 } = fc.readConfigureGlobal();
/** The rarest states occur in three of 800 runs: up to this many batches are searched for one that has not occurred yet. */
const maxBatches = 30;
const batch = 100;

const tasksFrom = (first: number, count: number): readonly SeedTask[] =>
  Array.from({ length: count }, (_, index) => ({ seed: first + index, mode: modeOf(first + index) }));

describe('a simulated cluster', { timeout: 600_000 }, () => {
  it(`keeps every promise with ${seeds} seeds${takesAll ? ', and gets into every rare state' : ''} (P1 to P19, P26, P35)`, async () => {
    const reached = new Set<RareState>();
    const run = async (tasks: readonly SeedTask[]): Promise<void> => {
      const { failed, rare } = await runCampaign(tasks);
      const problems = failed.map((run) => ({
        replay: replayLine(run),
        findings: run.findings.slice(0, 3).map(({ oracle, problem }) => `${oracle}: ${problem}`),
        isReproducible: run.isReproducible,
      }));
      expect(problems).toEqual([]);
      for (const [state, runs] of rare) if (runs > 0) reached.add(state);
    };
    const missing = (): readonly RareState[] => rareStates.filter((state) => !reached.has(state));

    await run(tasksFrom(0, seeds));
    if (!takesAll) return;
    for (let batches = 0; batches < maxBatches && missing().length > 0; batches += 1) await run(tasksFrom(seeds + batches * batch, batch));
    expect(missing()).toEqual([]);
  });
});
