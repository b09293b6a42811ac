import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childId, slotCount, slotOf, slotOfId } from './deterministic-ids.ts';
import { laneOf, createExecutionId } from './new-execution.ts';

const origin = { companyId: '1', route: 'production' } as const;
const userLane = (userId: string): string => laneOf({ ...origin, botId: 'bot', userId }, '');

describe('the slot of a lane', () => {
  it('is FNV-1a over UTF-8, folded: what is routed by it stays where it is', () => {
    // Worked out by hand of the definition: the hashes of "" and "a" are those of the authors of FNV.
    expect(slotOf('')).toBe((0x811c9dc5 ^ (0x811c9dc5 >>> 12)) & 0xfff);
    expect(slotOf('a')).toBe((0xe40c292c ^ (0xe40c292c >>> 12)) & 0xfff);
    expect(slotOf('foobar')).toBe((0xbf9cf968 ^ (0xbf9cf968 >>> 12)) & 0xfff);
  });

  it('is that of the bytes, whatever the script', () => {
    const byBytes = (text: string): number => {
      let hash = 0x811c9dc5n;
      for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn;
      return Number(((hash >> 12n) ^ hash) & 0xfffn);
    };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(slotOf(text)).toBe(byBytes(text));
        expect(slotOf(text)).toBeLessThan(slotCount);
      }),
    );
  });

  it('spreads the numbers of neighbours evenly over slots', () => {
    const counts = Array.from({ length: slotCount }, () => 0);
    for (let index = 0; index < 20 * slotCount; index += 1) {
      const slot = slotOf(userLane(`52155${10_000_000 + index}`));
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThan(60);
    const quarters = [0, 1, 2, 3].map((part) => counts.slice(part * 1_024, (part + 1) * 1_024).reduce((sum, count) => sum + count, 0));
    for (const quarter of quarters) expect(quarter / (5 * slotCount)).toBeCloseTo(1, 1);
  });

  it('stands in the id of each of its executions, and of their children', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), bytes, fc.nat(slotCount - 1), fc.string(), (nowMs, drawn, slot, waitId) => {
        const executionId = createExecutionId({ clock: { now: () => nowMs }, random: { bytes: () => drawn.slice() } }, () => slot);
        expect(executionId).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
        expect([slotOfId(executionId), slotOf(laneOf(origin, executionId))]).toEqual([slot, slot]);
        const child = childId({ executionId, seed: 'f'.repeat(32) }, waitId);
        expect(child).toMatch(/^[0-9a-f]{32}$/);
        expect(slotOfId(child)).toBe(slot);
      }),
    );
  });
});
