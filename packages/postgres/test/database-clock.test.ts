import { describe, expect, it } from 'vitest';
import { createDatabaseClock } from '../src/database-clock.ts';

/** A database whose clock is `aheadMs` ahead of a steady clock, and whose answers take their time. */
function createWorld() {
  const world = { steadyMs: 1_000, aheadMs: 500_000, thereMs: 0, backMs: 0 };
  const clock = createDatabaseClock(() => world.steadyMs);
  const synchronise = () =>
    clock.synchronise(
      async () => {
        world.steadyMs += world.thereMs;
        const nowMs = world.steadyMs + world.aheadMs;
        world.steadyMs += world.backMs;
        return nowMs;
      },
      (nowMs) => nowMs,
    );
  return { world, clock, synchronise, trueMs: () => world.steadyMs + world.aheadMs };
}

describe('the clock of a database', () => {
  it('advances between two readings', async () => {
    const { world, clock, synchronise, trueMs } = createWorld();
    await synchronise();
    expect(clock.now()).toBe(trueMs());
    world.steadyMs += 7_000;
    expect(clock.now()).toBe(trueMs());
  });

  it('subtracts half of the round trip', async () => {
    const { world, clock, synchronise, trueMs } = createWorld();
    Object.assign(world, { thereMs: 40, backMs: 40 });
    await synchronise();
    expect(clock.now()).toBe(trueMs());
    Object.assign(world, { thereMs: 80, backMs: 0 });
    await synchronise();
    expect(clock.now() - trueMs()).toBeLessThanOrEqual(40);
  });

  it('follows a database whose clock is set forward, and waits for one that is set back', async () => {
    const { world, clock, synchronise, trueMs } = createWorld();
    await synchronise();
    world.aheadMs += 3_600_000;
    await synchronise();
    expect(clock.now()).toBe(trueMs());
    const latestMs = clock.now();
    world.aheadMs -= 10_000;
    await synchronise();
    expect(clock.now()).toBe(latestMs);
    world.steadyMs += 10_001;
    expect(clock.now()).toBe(trueMs());
    expect(clock.now()).toBe(latestMs + 1);
  });

  it('ignores a reading whose round trip took too long, unless it is the first', async () => {
    const { world, clock, synchronise, trueMs } = createWorld();
    Object.assign(world, { thereMs: 20_000, backMs: 0 });
    await synchronise();
    expect(clock.now()).toBe(trueMs() + 10_000); // half of what it took
    Object.assign(world, { thereMs: 0, backMs: 0 });
    world.steadyMs += 30_000;
    await synchronise();
    expect(clock.now()).toBe(trueMs());
    Object.assign(world, { thereMs: 20_000, backMs: 0 });
    await synchronise();
    expect(clock.now()).toBe(trueMs());
  });
});
