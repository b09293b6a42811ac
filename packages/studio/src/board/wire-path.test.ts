import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wirePath } from './wire-path.ts';

const side = fc.integer({ min: -2_000, max: 2_000 });
const rect = fc.record({ x: side, y: side, width: fc.constant(240), height: fc.integer({ min: 40, max: 400 }) });

describe('the path of a wire', () => {
  it('begins at the port, ends at the card, and back it stays below both cards', () => {
    fc.assert(
      fc.property(rect, rect, (source, target) => {
        const ends = { sourceX: source.x + source.width, sourceY: source.y + 28, targetX: target.x, targetY: target.y + 28 };
        const path = wirePath(ends, source, target);
        const numbers = path.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? [];
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect([numbers[0], numbers[1]]).toEqual([ends.sourceX, ends.sourceY]);
        expect(numbers.slice(-2)).toEqual([ends.targetX, ends.targetY]);
        const lowest = Math.max(...numbers.filter((_, index) => index % 2 === 1));
        const lane = Math.min(source.y, target.y) - 16;
        const inLane =
          wirePath(ends, source, target, lane)
            .match(/-?\d+(?:\.\d+)?/g)
            ?.map(Number) ?? [];
        expect([inLane.slice(0, 2), inLane.slice(-2)]).toEqual([numbers.slice(0, 2), numbers.slice(-2)]);
        expect(ends.targetX - ends.sourceX <= 64 || inLane.includes(lane)).toBe(true);
        expect(ends.targetX > ends.sourceX || lowest === Math.max(source.y + source.height, target.y + target.height) + 22).toBe(true);
      }),
    );
  });
});
