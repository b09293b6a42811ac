// Parts of long work leave others their turn.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('gives a turn before more than so much is done in one', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 30 }), async (most, sizes) => {
      const nextTurn = createTurns(most);
      let done = 0;
      let isOver = false;
      const others = (): void => {
        done = 0;
        if (!isOver) setImmediate(others);
      };
      setImmediate(others);
      for (const size of sizes) {
        await nextTurn(size);
        done += size;
        expect(done).toBeLessThanOrEqual(Math.max(most, size));
      }
      isOver = true;
    }),
  ));
