import { createVirtualClock } from '@hilo/testing';
import { expect, it } from 'vitest';
import { createTurns } from './delivery-turns.ts';

/** So many turns of what looks whenever it may, within a second in which it is woken each millisecond, as often as told. */
async function turnsOf(wakesEachMs: number): Promise<number> {
  const clock = createVirtualClock();
  const turns = createTurns(clock, 20, 1_000);
  let count = 0;
  const look = async (): Promise<void> => {
    for (;;) {
      await turns.next();
      count += 1;
    }
  };
  void look();
  for (let ms = 0; ms < 1_000; ms += 1) {
    for (let wake = 0; wake < wakesEachMs; wake += 1) turns.wake();
    clock.advanceBy(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count;
}

it('what wakes a subscription within a moment is one wake, and without any it is looked at once a second', async () => {
  expect([await turnsOf(0), await turnsOf(1), await turnsOf(5)]).toEqual([1, 50, 50]);
});
