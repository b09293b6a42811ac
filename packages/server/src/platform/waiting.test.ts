import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createWake, waitUpTo } from './waiting.ts';

describe('waitUpTo', () => {
  it('ends with the work, or at the limit', async () => {
    const clock = createVirtualClock();
    await waitUpTo(clock, 1_000, Promise.resolve());
    let isOver = false;
    const waiting = waitUpTo(clock, 1_000, new Promise(() => {})).then(() => (isOver = true));
    clock.advanceBy(999);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advanceBy(1);
    await waiting;
    expect(isOver).toBe(true);
  });

  it('fails with work that fails before the limit', () =>
    expect(waitUpTo(createVirtualClock(), 1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken'));
});

describe('a wake', () => {
  it('ends a sleep at once, and a later one as long as it is not reset', async () => {
    const wake = createWake(createVirtualClock());
    const sleeping = wake.sleep(1_000);
    wake.wake();
    expect(await sleeping).toBe(true);
    expect(await wake.sleep(1_000)).toBe(true);
  });

  it('leaves a sleep to the clock once it is reset', async () => {
    const clock = createVirtualClock();
    const wake = createWake(clock);
    wake.wake();
    wake.reset();
    const sleeping = wake.sleep(1_000);
    clock.advanceBy(1_000);
    expect(await sleeping).toBe(false);
  });
});
