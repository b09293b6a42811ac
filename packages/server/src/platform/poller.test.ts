import { createVirtualClock, virtualStartMs } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createPoller } from './poller.ts';

const everyMs = 1_000;

/** A poller whose polls the test resolves one by one. */
function watched() {
  const clock = createVirtualClock();
  const looks: { readonly atMs: number; readonly end: () => void }[] = [];
  const look = (nowMs: number) => new Promise<void>((end) => void looks.push({ atMs: nowMs - virtualStartMs, end }));
  const poller = createPoller({ clock, everyMs, look });
  /** Ends the look at hand, and lets the next be set. */
  const endLook = async (): Promise<void> => {
    looks.at(-1)?.end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...poller, clock, endLook, at: () => looks.map(({ atMs }) => atMs), wakeIn: (ms: number) => poller.wake(clock.now() + ms) };
}

describe('a poller', () => {
  it('polls again, one interval after the last poll has ended', async () => {
    const { start, clock, endLook, at } = watched();
    start();
    clock.advanceBy(everyMs);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([1_000]);
    await endLook();
    clock.advanceBy(everyMs);
    expect(at()).toEqual([1_000, 12_000]);
  });

  it('looks when something is due, and at once where that is now', async () => {
    const { start, wakeIn, clock, endLook, at } = watched();
    start();
    wakeIn(300);
    wakeIn(700);
    clock.advanceBy(300);
    expect(at()).toEqual([300]);
    await endLook();
    wakeIn(0);
    expect(at()).toEqual([300, 300]);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([300, 300]); // one look at a time
  });

  it('polls once more for what became due during a poll', async () => {
    const { start, wakeIn, clock, endLook, at } = watched();
    start();
    wakeIn(0);
    wakeIn(200);
    clock.advanceBy(500);
    expect(at()).toEqual([0]);
    await endLook();
    expect(at()).toEqual([0, 500]);
  });

  it('does not poll once it is stopped, and stops when the current poll has ended', async () => {
    const { start, stop, wakeIn, clock, endLook, at } = watched();
    wakeIn(0);
    expect(at()).toEqual([]); // nor before it begins
    start();
    wakeIn(0);
    let isStopped = false;
    const stopping = stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    await endLook();
    await stopping;
    wakeIn(0);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([0]);
    expect(clock.nextMs()).toBeUndefined();
  });
});
