import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDayCounts } from './day-counts.ts';

const dayMs = 86_400_000;

it('bounds what a network sends in a day, at n and n + 1, and says when there is room', () => {
  let nowMs = 1_000;
  const { take } = createDayCounts({ now: () => nowMs }, 10);
  expect([6, 5, 4, 1].map((amount) => take('192.0.2.1', amount))).toEqual([0, dayMs, 0, dayMs]);
  expect(take('192.0.2.2', 10)).toBe(0);
  expect(take('::ffff:192.0.2.1', 1)).toBe(dayMs); // the same address
  nowMs += dayMs - 1;
  expect(take('192.0.2.1', 1)).toBe(1);
  nowMs += 1;
  expect(take('192.0.2.1', 10)).toBe(0);
});

it('counts the addresses of an IPv6 /64 as one, and a /48 as sixteen', () => {
  const { take } = createDayCounts({ now: () => 0 }, 2);
  expect(['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:1::3%eth0'].map((address) => take(address, 1))).toEqual([0, 0, dayMs]);
  const sent = Array.from({ length: 40 }, (_, network) => take(`2001:db8:1:${(network + 2).toString(16)}::1`, 2));
  expect(sent.filter((waitMs) => waitMs === 0)).toHaveLength(15); // and the first network
  expect(take('2001:db8:2:1::1', 2)).toBe(0);
});

it('takes no more than the limit within a day, whatever comes when, and refuses nothing that fits', () => {
  const step = fc.record({ waitMs: fc.nat(dayMs), amount: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let [nowMs, sinceMs, sum] = [0, Number.NEGATIVE_INFINITY, 0];
      const { take } = createDayCounts({ now: () => nowMs }, 10);
      for (const { waitMs, amount } of steps) {
        nowMs += waitMs;
        if (nowMs - sinceMs >= dayMs) [sinceMs, sum] = [nowMs, 0];
        const fits = sum + amount <= 10;
        expect(take('192.0.2.1', amount)).toBe(fits ? 0 : sinceMs + dayMs - nowMs);
        if (fits) sum += amount;
      }
    }),
  );
});
