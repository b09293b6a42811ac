import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

it('works on each thing once, on so many at once and no more, and gives results in order', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(), { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), async (s, things, most) => {
      let [underWay, highest] = [0, 0];
      const seen: number[] = [];
      const working = fewAtOnce(things, most, async (thing) => {
        underWay += 1;
        highest = Math.max(highest, underWay);
        seen.push(thing);
        await s.schedule(Promise.resolve());
        underWay -= 1;
        return thing + 1;
      });
      await s.waitFor(working);
      expect(await working).toEqual(things.map((thing) => thing + 1));
      expect(seen).toEqual(things);
      expect(highest).toBe(Math.min(most, things.length));
    }),
  ));

it('fails with the first failure, and begins nothing more', async () => {
  const begun: number[] = [];
  const working = fewAtOnce([0, 1, 2, 3, 4, 5], 2, async (thing) => {
    begun.push(thing);
    if (thing === 2) throw new Error('of 2');
  });
  await expect(working).rejects.toThrow('of 2');
  expect(begun).toEqual([0, 1, 2, 3]);
});
