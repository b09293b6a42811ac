import { describe, expect, it } from 'vitest';
import { runCampaign } from './campaign.ts';
import { modeOf, replayLine } from './seed-run.ts';

/** As many as fit into a minute or two of two cores. */
const seeds = 2_000;

describe('a simulated cluster', { timeout: 300_000 }, () => {
  it(`keeps every promise with ${seeds} seeds, and gets into every rare state (P1 to P19, P26, P35)`, async () => {
    const { failed, rare } = await runCampaign(Array.from({ length: seeds }, (_, seed) => ({ seed, mode: modeOf(seed) })));
    const problems = failed.map((run) => ({
      replay: replayLine(run),
      findings: run.findings.slice(0, 3).map(({ oracle, problem }) => `${oracle}: ${problem}`),
      isReproducible: run.isReproducible,
    }));
    expect(problems).toEqual([]);
    const never = [...rare].flatMap(([state, runs]) => (runs === 0 ? [state] : []));
    expect(never).toEqual([]);
  });
});
