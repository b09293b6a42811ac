// The plan of the campaign in `crash.campaign.test.ts`, and one of its deaths.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWorld } from './campaign.ts';
import { planHalf, planWorld, worldsPerDeck } from './plan.ts';
import { crashPoints, type Kill, killName, sides } from './points.ts';

const seed = Math.abs((fc.readConfigureGlobal()?.seed ?? 0) % 1_000_000);
const worlds = Array.from({ length: worldsPerDeck }, (_, index) => worldsPerDeck * seed + index);

describe('an engine that is killed repeatedly', () => {
  const namesOf = (kills: readonly Kill[]): readonly string[] => kills.map(({ point, side }) => `${side} ${point}`).toSorted();
  const bothSides = crashPoints.flatMap(({ name }) => sides.map((side) => `${side} ${name}`)).toSorted();

  it('dies at every point of the full plan, before it and after it', () => {
    expect(namesOf(worlds.flatMap(planWorld))).toEqual(bothSides);
  });

  it('dies at every point of half a plan, and on both sides in two halves', () => {
    expect(
      worlds
        .flatMap(planHalf)
        .map(({ point }) => point)
        .toSorted(),
    ).toEqual(crashPoints.map(({ name }) => name).toSorted());
    const next = worlds.map((world) => world + worldsPerDeck);
    expect(namesOf([...worlds, ...next].flatMap(planHalf))).toEqual(bothSides);
  });

  it('keeps its promises through one death, that the seed draws (P1 to P4, P7 to P11, P14, P17 to P19, P35)', async () => {
    const [world = 0] = worlds;
    const kills = planWorld(world).slice(0, 1);
    const { findings, kills: died } = await runWorld(kills);
    expect(findings, `npm run crash -- --kills 1 --from ${world}`).toEqual([]);
    expect(died.map(killName)).toEqual(kills.map(killName));
  });
});
