import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DueWait } from '../contract/store.ts';
import { createDueReader } from './due-reader.ts';
import { createHeldTimers } from './held-timers.ts';

const nowMs = 1_000;

/** Waits in a store that answers as the contract says, and a reader with small slices over it. */
function readerOver(all: readonly DueWait[], { slice, companies }: { readonly slice: number; readonly companies: number }) {
  const open = new Set(all);
  const sorted = () => [...open].sort((a, b) => a.dueAtMs - b.dueAtMs);
  const held = createHeldTimers();
  const store = {
    due: async (atMs: number, limit: number, fromMs = 0, companyId?: string) =>
      sorted()
        .filter((wait) => wait.dueAtMs <= atMs && wait.dueAtMs >= fromMs && (companyId ?? wait.companyId) === wait.companyId)
        .slice(0, limit),
    companiesWithTimers: async (atMs: number, after: string, limit: number) =>
      [...Map.groupBy(sorted(), ({ companyId }) => companyId)]
        .flatMap(([companyId, [first]]) => (companyId > after ? [{ companyId, isDue: first !== undefined && first.dueAtMs <= atMs }] : []))
        .sort((a, b) => (a.companyId < b.companyId ? -1 : 1))
        .slice(0, limit),
  };
  const reader = createDueReader({
    store,
    clock: { now: () => nowMs },
    lanes: { takes: (lane) => lane !== 'leaving' },
    held,
    slice,
    companies,
  });
  return { open, held, reader };
}

const wait = (companyId: string, index: number, dueAtMs: number, lane = 'ours'): DueWait => {
  const executionId = `${companyId} ${index}`;
  return { companyId, executionId, lane, waitId: 'w', dueAtMs };
};

/** How many timers of each of a few companies are long due, how many are due since a moment, and how many are not due. */
const distributions = fc.array(
  fc.record({
    long: fc.nat(40),
    just: fc.nat(3),
    future: fc.nat(2),
    heldFirst: fc.constantFrom(0, 0, 5),
    leaving: fc.constantFrom(0, 0, 3),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('the slices in which due timers are read', () => {
  it('have the first of each company within as many slices as its companies take, whatever others have; each timer once, none early (P11, P23)', () =>
    fc.assert(
      fc.asyncProperty(distributions, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 6 }), async (sizes, slice, companies) => {
        const all = sizes.flatMap(({ long, just, future, leaving }, company) => {
          const name = `c${String(company).padStart(2, '0')}`;
          const due = [...Array.from({ length: long }, (_, index) => index), ...Array.from({ length: just }, () => nowMs)];
          return [...due, ...Array.from({ length: future }, () => nowMs + 1)].map((dueAtMs, index) =>
            wait(name, index, dueAtMs, index >= due.length - leaving ? 'leaving' : 'ours'),
          );
        });
        const { open, held, reader } = readerOver(all, { slice, companies });
        const byCompany = Map.groupBy(all, ({ companyId }) => companyId);
        for (const [company, waits] of [...byCompany.values()].entries())
          for (const one of waits.slice(0, sizes[company]?.heldFirst)) held.add(one);
        const heldCount = all.filter((one) => held.has(one)).length;
        const toFire = new Set(all.filter((one) => one.dueAtMs <= nowMs && one.lane === 'ours' && !held.has(one)));
        const waitsFor = new Set([...toFire].map(({ companyId }) => companyId));
        const most = Math.ceil(byCompany.size / companies) + 1;
        for (let slices = 1; toFire.size > 0; slices += 1) {
          const read = await reader.read();
          expect(read.length).toBeGreaterThan(0);
          expect(read.length).toBeLessThanOrEqual(slice + 2 * (byCompany.size + heldCount));
          const dueAtMs = new Map<string, number>();
          for (const one of read) {
            expect(toFire.delete(one)).toBe(true);
            open.delete(one);
            waitsFor.delete(one.companyId);
            expect(one.dueAtMs).toBeGreaterThanOrEqual(dueAtMs.get(one.companyId) ?? 0); // of a company, the earliest first
            dueAtMs.set(one.companyId, one.dueAtMs);
          }
          expect(slices < most ? [] : [...waitsFor]).toEqual([]);
        }
        expect(await reader.read()).toEqual([]);
      }),
      { numRuns: 60 },
    ));

  it('are shared evenly by two companies of which one has far more, and are one company’s where no other has any', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => wait('many', index, index % 7));
    const few = Array.from({ length: 30 }, (_, index) => wait('few', index, 900));
    const { open, reader } = readerOver([...many, ...few], { slice: 20, companies: 10 });
    const counts: (readonly number[])[] = [];
    for (let slice = 0; slice < 4; slice += 1) {
      const read = await reader.read();
      for (const one of read) open.delete(one);
      counts.push(['many', 'few'].map((name) => read.filter(({ companyId }) => companyId === name).length));
    }
    expect(counts).toEqual([
      [10, 10],
      [10, 10],
      [10, 10],
      [20, 0],
    ]);
  });
});
