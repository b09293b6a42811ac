import { isHiloError } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { hostileVisits } from './hostile-work.ts';

/** `npm run bench -- --authors` measures how long this, and functions that loop, hold up the event loop. */
it('a visit that is meant to hold up a service ends by itself, or is refused (P20)', () => {
  const ends = hostileVisits.map((visit) => {
    try {
      visit();
      return 'ended';
    } catch (error) {
      if (!isHiloError(error, 'EXPRESSION')) throw error;
      return 'refused';
    }
  });
  expect(new Set(ends)).toEqual(new Set(['ended', 'refused']));
});
