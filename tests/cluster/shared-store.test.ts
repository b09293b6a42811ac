import { describe, expect, it } from 'vitest';
import { createSharedStore } from './shared-store.ts';
import { describeExecutionStore, describeLeases, executionRecord, recordedListener } from '../../packages/testing/src/contracts/index.ts';
import { createVirtualClock } from '../../packages/simulator/src/virtual-clock.ts';

const close = async (): Promise<void> => {};
const leaseMs = 10_000;

describeExecutionStore('the shared store', async () => ({ store: createSharedStore(createVirtualClock()).connect().store, close }));

describeExecutionStore('the shared store of a process that takes part', async () => {
  const { store } = createSharedStore(createVirtualClock()).connect();
  await store.leases?.join(recordedListener());
  return { store, close };
});

describeLeases('the shared store', async () => {
  const clock = createVirtualClock();
  const shared = createSharedStore(clock, { leaseMs });
  return {
    async open() {
      const { store, fallSilent, speak } = shared.connect();
      const hang = (): void => {
        fallSilent();
        clock.advanceBy(leaseMs);
        speak();
      };
      return { store, hang, close };
    },
    close,
  };
});

describe('a silent process', () => {
  const record = executionRecord({ lane: 'l' });
  const saved = { saves: [record], history: [], contacts: [], enqueue: [], dequeue: [] };
  const lanes = Array.from({ length: 50 }, (_, index) => `lane ${index}`);

  it('is a member until its lease is over, and no longer', async () => {
    const clock = createVirtualClock();
    const shared = createSharedStore(clock, { leaseMs });
    const [a, b] = [shared.connect(), shared.connect()];
    for (const { store } of [a, b]) await store.leases?.join(recordedListener());
    const ownedByB = () => lanes.filter((lane) => b.store.leases?.isOurs(lane)).length;
    a.fallSilent();
    clock.advanceBy(leaseMs - 1);
    expect(ownedByB()).toBeLessThan(lanes.length);
    clock.advanceBy(1);
    expect(ownedByB()).toBe(lanes.length);
  });

  it('is refused a commit that was in flight when it was removed, and is no longer a member (P8)', async () => {
    const clock = createVirtualClock();
    const shared = createSharedStore(clock, { leaseMs });
    const [a, b] = [shared.connect(), shared.connect()];
    for (const { store } of [a, b]) await store.leases?.join(recordedListener());
    a.fallSilent();
    clock.advanceBy(leaseMs);
    await expect(a.store.commit(saved)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(a.store.commit(saved)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await shared.contents.load('c1', 'e1')).toBeUndefined();
  });
});
