import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWorld } from './campaign.ts';
import { planHalf, planWorld, worldsPerDeck } from './plan.ts';
import { killName } from './points.ts';

/** Each run of the tests kills elsewhere. */
const { numRuns } = fc.readConfigureGlobal();
/** Half of the deaths, unless `HILO_RUNS` asks for more; the seed decides which half. */
const plan = numRuns === undefined ? planHalf : planWorld;
const first = worldsPerDeck * Math.abs((fc.readConfigureGlobal()?.seed ?? 0) % 1_000_000);
const worlds = Array.from({ length: worldsPerDeck }, (_, index) => first + index);
/** Half of the worlds, unless `HILO_RUNS` asks for more. Two run at a time on any machine: more would only wait for each other. */
const played = numRuns === undefined ? worlds.slice(0, worldsPerDeck / 2) : worlds;
const halves = [played.slice(0, played.length / 2), played.slice(played.length / 2)];

describe('an engine that is killed repeatedly', { timeout: 600_000 }, () => {
  it.concurrent.for(halves)('keeps its promises in worlds %j (P1 to P4, P7 to P11, P14, P17 to P19, P35)', async (half) => {
    for (const world of half) {
      const kills = plan(world);
      const { findings, kills: died, executions } = await runWorld(kills);
      expect(findings, `npm run crash -- --kills 1 --from ${world}`).toEqual([]);
      expect(died.map(killName)).toEqual(kills.map(killName));
      expect(executions).toBeGreaterThan(kills.length);
    }
  });
});
