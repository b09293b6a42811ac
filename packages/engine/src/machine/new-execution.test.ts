import { createExecutionId } from './new-execution.ts';
import { expect, it } from 'vitest';

import fc from 'fast-check';

const random = fc.uint8Array({ minLength: 16, maxLength: 16 });
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const idAt = (nowMs: number, bytes: Uint8Array): string =>
  createExecutionId({ clock: { now: () => nowMs }, random: { bytes: () => bytes } });

it('creates ids in the order of time, like UUIDs of version 7', () => {
  fc.assert(
    fc.property(instant, instant, random, random, (one, other, bytes, others) => {
      const [first, second] = [idAt(Math.min(one, other), bytes), idAt(Math.max(one, other), others)];
      expect(first).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      expect(Number.parseInt(first.slice(0, 12), 16)).toBe(Math.min(one, other));
      expect(one === other || first < second).toBe(true);
    }),
  );
});

it('uses 74 random bits', () => {
  expect(idAt(0, new Uint8Array(16).fill(0xff))).toBe('0000000000007fffbfffffffffffffff');
});
