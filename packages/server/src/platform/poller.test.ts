import { createVirtualClock, virtualStartMs } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createPoller } from './poller.ts';

const everyMs = 1_000;

/** A poller whose polls the test resolves one by one. */
function watched(waitMs?: () => number) {
  const clock = createVirtualClock();
  const polls: { readonly atMs: number; readonly end: () => void; readonly fail: () => void }[] = [];
  const poll = (nowMs: number) =>
    new Promise<void>((end, fail) => void polls.push({ atMs: nowMs - virtualStartMs, end, fail: () => fail(new Error('away')) }));
  const lines: string[] = [];
  const log = { warn: (_fields: object, line: string) => void lines.push(line) };
  const poller = createPoller({ clock, log, everyMs, poll, failure: 'Nothing was done', ...(waitMs !== undefined && { waitMs }) });
  /** Ends the poll at hand, and lets the next be set. */
  const endPoll = async (ending: 'end' | 'fail' = 'end'): Promise<void> => {
    polls.at(-1)?.[ending]();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...poller,
    clock,
    lines,
    endPoll,
    at: () => polls.map(({ atMs }) => atMs),
    wakeIn: (ms: number) => poller.wake(clock.now() + ms),
  };
}

describe('a poller', () => {
  it('polls again, one interval after the last poll has ended', async () => {
    const { start, clock, endPoll, at } = watched();
    start();
    clock.advanceBy(everyMs);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([1_000]);
    await endPoll();
    clock.advanceBy(everyMs);
    expect(at()).toEqual([1_000, 12_000]);
  });

  it('waits after each poll as long as that poll asks for, and tells so of one that has failed', async () => {
    let wanted = 0;
    const { start, clock, endPoll, at, lines } = watched(() => wanted);
    start();
    clock.advanceBy(everyMs);
    wanted = 3 * everyMs;
    await endPoll('fail');
    expect(lines).toEqual(['Nothing was done; the next try is in 3 s']);
    clock.advanceBy(3 * everyMs - 1);
    expect(at()).toEqual([1_000]);
    clock.advanceBy(1);
    expect(at()).toEqual([1_000, 4_000]);
    wanted = 1;
    await endPoll();
    clock.advanceBy(1);
    expect(at()).toEqual([1_000, 4_000, 4_001]);
  });

  it('tells why a poll has failed, and polls again an interval later', async () => {
    const { start, clock, endPoll, at, lines } = watched();
    start();
    clock.advanceBy(everyMs);
    await endPoll('fail');
    expect(lines).toEqual(['Nothing was done; the next try is in 1 s']);
    clock.advanceBy(everyMs);
    expect(at()).toEqual([1_000, 2_000]);
  });

  it('polls when something is due, and at once where that is now', async () => {
    const { start, wakeIn, clock, endPoll, at } = watched();
    start();
    wakeIn(300);
    wakeIn(700);
    clock.advanceBy(300);
    expect(at()).toEqual([300]);
    await endPoll();
    wakeIn(0);
    expect(at()).toEqual([300, 300]);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([300, 300]); // one poll at a time
  });

  it('polls once more for what became due during a poll', async () => {
    const { start, wakeIn, clock, endPoll, at } = watched();
    start();
    wakeIn(0);
    wakeIn(200);
    clock.advanceBy(500);
    expect(at()).toEqual([0]);
    await endPoll();
    expect(at()).toEqual([0, 500]);
  });

  it('polls at the earliest instant that was named, before, during or after a poll, however often', async () => {
    const { start, wakeIn, clock, endPoll, at } = watched();
    start();
    for (const ms of [900, 300, 700, 300]) wakeIn(ms);
    clock.advanceBy(300);
    for (const ms of [400, 200, 600, 200]) wakeIn(ms);
    clock.advanceBy(100);
    await endPoll();
    wakeIn(150);
    clock.advanceBy(99);
    expect(at()).toEqual([300]);
    clock.advanceBy(1);
    expect(at()).toEqual([300, 500]);
    await endPoll();
    for (const ms of [5_000, 1_001]) wakeIn(ms);
    clock.advanceBy(999);
    expect(at()).toEqual([300, 500]);
    clock.advanceBy(1);
    expect(at()).toEqual([300, 500, 1_500]);
  });

  it('does not poll once it is stopped, and stops when the current poll has ended', async () => {
    const { start, stop, wakeIn, clock, endPoll, at } = watched();
    wakeIn(0);
    expect(at()).toEqual([]); // nor before it begins
    start();
    wakeIn(0);
    let isStopped = false;
    const stopping = stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    await endPoll();
    await stopping;
    start(); // too late
    wakeIn(0);
    clock.advanceBy(10 * everyMs);
    expect(at()).toEqual([0]);
    expect(clock.nextMs()).toBeUndefined();
  });

  it('is idle once neither a poll nor what became due during it is under way', async () => {
    const { start, whenIdle, wakeIn, endPoll, at } = watched();
    await whenIdle();
    start();
    wakeIn(0);
    wakeIn(0);
    let isIdle = false;
    const idling = whenIdle().then(() => (isIdle = true));
    await endPoll();
    expect([at(), isIdle]).toEqual([[0, 0], false]);
    await endPoll();
    await idling;
  });
});
