// Tests of both databases: rows that cannot be read hold nothing up.
import { describe, expect, it } from 'vitest';
import {
  accepted,
  acceptedMessage,
  commitAll,
  executionRecord,
  saveAll,
  takeQueued,
} from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore } from '../src/index.ts';

/** A store whose rows can be changed behind its back. */
export interface Tampered {
  readonly store: DurableStore;
  run(sql: string): Promise<readonly object[]>;
  close(): Promise<void>;
}

/** What a bug might have written. */
const broken = ['', '{"status":"running', 'null', '[]', '{}', '"text"', '{"status":"unknown"}', 'b1["running"]', 'b', 'c1[]'];

/** Rows that cannot be read back hold nothing up (P17). */
export function describeUnreadable(name: string, open: () => Promise<Tampered>): void {
  const withTampered = (test: (tampered: Tampered) => Promise<void>) => async (): Promise<void> => {
    const tampered = await open();
    try {
      await test(tampered);
    } finally {
      await tampered.close();
    }
  };
  const lane = accepted('').lane;

  describe(`rows of ${name} that cannot be read back (P17)`, () => {
    it.each(broken)('are passed over in everything that is looked through: %s', (state) =>
      withTampered(async ({ store: { executions }, run }) => {
        const wait = { dueAtMs: 1_000, correlation: { name: 'paid', value: '7' } };
        const sound = executionRecord({ id: 'sound', wait });
        await saveAll(
          executions,
          executionRecord({ id: 'asks', pending: {} }),
          sound,
          executionRecord({ id: 'waits', wait: { ...wait, openedAtMs: 2_000 } }),
        );
        await run(`update executions set state = '${state}' where execution_id <> 'sound'`);

        expect(await executions.unfinished('', 10)).toEqual([{ lane, unsettled: [], queued: 0 }]);
        expect(await executions.unfinished('', 10)).toEqual([]);
        expect(await executions.unfinishedIn(lane)).toEqual({ lane, unsettled: [], queued: 0 });
        expect(await executions.awaitingReply('c1', 'b1', 'u1')).toEqual(sound);
        expect(await executions.awaitingSignal('c1', 'paid', '7')).toEqual([sound]);
        expect((await executions.due(9_000, 10)).map(({ executionId }) => executionId)).toEqual(['sound']);
        expect(await executions.list('c1', { limit: 10 })).toEqual({ results: [sound], nextCursor: null });
        expect(await executions.load('c1', 'waits')).toBeUndefined();
        // They are kept as they are, for whoever looks into them.
        expect(await run(`select status, state from executions where execution_id <> 'sound'`)).toEqual([
          { status: 'quarantined', state },
          { status: 'quarantined', state },
        ]);
      })(),
    );

    it.each(broken)('are out of their lane once they are met: %s', (text) =>
      withTampered(async ({ store: { executions }, run }) => {
        await commitAll(executions, { enqueue: [accepted('e1'), acceptedMessage('one'), acceptedMessage('two')] });
        await run(`update queue set accepted = '${text}' where accepted not like '%two%'`);
        expect(await executions.nextQueued(lane, { isInternal: true })).toBeUndefined();
        expect((await takeQueued(executions)).map(({ accepted }) => accepted)).toEqual([acceptedMessage('two').accepted]);
        expect(await executions.unfinished('', 10)).toEqual([]);
        expect(await run('select lane, accepted from set_aside')).toEqual([
          { lane, accepted: text },
          { lane, accepted: text },
        ]);
      })(),
    );

    it(
      'are taken for due no more than once',
      withTampered(async ({ store: { executions }, run }) => {
        await saveAll(executions, executionRecord({ wait: { dueAtMs: 1_000 } }), executionRecord({ id: 'e2', wait: { dueAtMs: 2_000 } }));
        await run(`update executions set wait_id = '"broken' where execution_id = 'e1'`);
        expect((await executions.due(9_000, 10)).map(({ executionId }) => executionId)).toEqual(['e2']);
        expect(await executions.nextDueMs()).toBe(2_000);
        await run(`update executions set state = 'broken' where execution_id = 'e2'`);
        expect(await executions.load('c1', 'e2')).toBeUndefined();
        expect(await executions.due(9_000, 10)).toEqual([]);
        expect(await executions.nextDueMs()).toBeUndefined();
      }),
    );

    it(
      'are left alone by retention',
      withTampered(async ({ store, run }) => {
        await saveAll(store.executions, executionRecord({ status: 'completed' }));
        await run(`update executions set state = 'broken'`);
        expect(await store.executions.load('c1', 'e1')).toBeUndefined();
        expect(await store.prune({ nowMs: 9e9, completedForMs: 0, failedForMs: 0 })).toEqual({ executions: 0, seen: 0 });
      }),
    );
  });
}
