// How many acts of a job are under way at once: many while nobody else is served, few beside others, each once and in order.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachPaced } from './pacer.ts';

const [alone, besideOthers] = [128, 32];
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Begins acts on so many things, beside so many turns of others; `end` ends those chosen, with others at work from then on. */
function begin(count: number, others: number) {
  const begun: number[] = [];
  const open: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const at = { others };
  const acting = eachPaced(
    [...Array.from({ length: count }).keys()],
    { take: async () => {}, atWork: () => open.length + at.others },
    (item) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push(item);
      open.push({ resolve, reject });
      return promise;
    },
  );
  return { begun, open, at, ended: acting.then(() => 'done', String) };
}

it('begins each once and in order, as many at once as there is room', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 300 }),
      fc.array(fc.record({ others: fc.integer({ min: 0, max: 2 }), ends: fc.nat() }), { minLength: 1, maxLength: 10 }),
      async (count, script) => {
        const acts = begin(count, script[0]?.others ?? 0);
        await settled();
        for (let step = 1; acts.open.length > 0; step += 1) {
          const { others = 0, ends = 0 } = script[step % script.length] ?? {};
          acts.at.others = others;
          const before = acts.open.length;
          acts.open.splice(ends % before, 1)[0]?.resolve();
          await settled();
          const room = others > 0 ? besideOthers : alone;
          const left = count - acts.begun.length;
          // Those that are under way are waited for; further ones begin up to the room that there is now, as far as there are any.
          expect(acts.open.length).toBe(Math.max(before - 1, Math.min(room, acts.open.length + left)));
        }
        expect(await acts.ended).toBe('done');
        expect(acts.begun).toEqual([...Array.from({ length: count }).keys()]);
      },
    ),
    { numRuns: 30 },
  ));

it.each([
  ['alone', 0, alone],
  ['beside others', 1, besideOthers],
])('begins so many %s, and one more for each that ends', async (_, others, most) => {
  const acts = begin(most + 1, others);
  await settled();
  expect(acts.begun.length).toBe(most);
  acts.open.shift()?.resolve();
  await settled();
  expect(acts.begun.length).toBe(most + 1);
});

it('begins no further one after a failure, and waits for those under way', async () => {
  const acts = begin(alone + 10, 0);
  await settled();
  acts.open.shift()?.reject(new Error('the first'));
  await settled();
  acts.open.shift()?.reject(new Error('the second'));
  let isOver = false;
  void acts.ended.then(() => (isOver = true));
  while (acts.open.length > 0) {
    await settled();
    expect([isOver, acts.begun.length]).toEqual([false, alone]);
    acts.open.shift()?.resolve();
  }
  expect(await acts.ended).toBe('Error: the first');
});
