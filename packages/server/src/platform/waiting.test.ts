import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it, vi } from 'vitest';
import { createWake, pause, waitUpTo } from './waiting.ts';

describe('pauses of one signal', () => {
  it('share a listener, which leaves with the last of them', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const pauses = [1_000, 2_000, 2_000].map((ms) => pause(clock, ms, signal));
    expect(added).toHaveBeenCalledTimes(1);
    clock.advanceBy(1_000);
    await pauses[0];
    expect(removed).not.toHaveBeenCalled();
    clock.advanceBy(1_000);
    await Promise.all(pauses);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('end together, also those of a signal that had some before', async () => {
    const clock = createVirtualClock();
    const ending = new AbortController();
    const first = pause(clock, 1, ending.signal);
    clock.advanceBy(1);
    await first;
    const pauses = [1_000, 2_000].map((ms) => pause(clock, ms, ending.signal));
    ending.abort();
    await Promise.all(pauses);
    expect(clock.now()).toBe(createVirtualClock().now() + 1);
  });
});

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
