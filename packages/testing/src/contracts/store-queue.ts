import type { ExecutionStore } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { accepted, commitAll, executionRecord, saveAll } from './execution-records.ts';
import { type Open, withStore } from './opened-store.ts';

/** What a process that starts finds left to do. */
export function describeQueue(open: Open<ExecutionStore>): void {
  describe('queued', () => {
    it(
      'gives what has had no consequence yet, in the order accepted, of all companies',
      withStore(open, async (store) => {
        const first = await commitAll(store, { enqueue: [accepted('e1'), accepted('e2', 'c2')] });
        const second = await commitAll(store, { enqueue: [accepted('e3')] });
        const seqs = [...first, ...second];
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        expect(new Set(seqs).size).toBe(3);
        expect(await store.queued()).toEqual([
          { ...accepted('e1'), seq: seqs[0] },
          { ...accepted('e2', 'c2'), seq: seqs[1] },
          { ...accepted('e3'), seq: seqs[2] },
        ]);
      }),
    );

    it(
      'never gives a number again, though what had it is gone',
      withStore(open, async (store) => {
        const [first = 0] = await commitAll(store, { enqueue: [accepted('e1')] });
        await commitAll(store, { dequeue: [first] });
        const [second = 0] = await commitAll(store, { enqueue: [accepted('e2')] });
        expect(second).toBeGreaterThan(first);
      }),
    );

    it(
      'forgets what a commit was the consequence of, and keeps the rest',
      withStore(open, async (store) => {
        const [first = 0, , third = 0] = await commitAll(store, { enqueue: [accepted('e1'), accepted('e2'), accepted('e3')] });
        await commitAll(store, { dequeue: [first, third], enqueue: [accepted('e4')] });
        expect((await store.queued()).map(({ accepted }) => accepted)).toEqual([accepted('e2').accepted, accepted('e4').accepted]);
      }),
    );
  });

  describe('unsettled', () => {
    it(
      'gives the executions whose effect has no recorded answer, of all companies',
      withStore(open, async (store) => {
        await saveAll(
          store,
          executionRecord({ id: 'asks', pending: {} }),
          executionRecord({ id: 'asks', companyId: 'c2', pending: {} }),
          executionRecord({ id: 'waits', wait: {} }),
          executionRecord({ id: 'begins' }),
          executionRecord({ id: 'answered', pending: {} }),
          executionRecord({ id: 'answered', revision: 2, status: 'completed' }),
          executionRecord({ id: 'stopped', status: 'quarantined', pending: {} }),
        );
        const found = (await store.unsettled()).map(({ companyId, executionId }) => `${companyId} ${executionId}`);
        expect(found.toSorted()).toEqual(['c1 asks', 'c2 asks']);
      }),
    );
  });
}
