import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callOf } from './campaigns-stage.ts';
import { type ConversationRow, conversationRow, instantMs, keep } from './conversations-rows.ts';
import { helpDesk } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const path = 'GET /v1/metrics/conversations/external/stats';

/** The same figures, one conversation after the other. */
function recount(rows: readonly ConversationRow[]) {
  const count = (holds: (row: ConversationRow) => boolean): number => rows.filter(holds).length;
  const averageSeconds = (times: readonly number[]): number =>
    times.length === 0 ? 0 : times.reduce((total, ms) => total + ms, 0) / times.length / 1_000;
  return {
    total: rows.length,
    actual: count(({ state }) => state === 'active'),
    attended: count(({ was_replied }) => was_replied === 1),
    expired: count(({ state, was_replied }) => state === 'expired' && was_replied === 0),
    lastMessageOperator: count(({ last_message_by }) => last_message_by === 'operator'),
    lastMessageUser: count(({ last_message_by }) => last_message_by === 'user'),
    lastMessageBot: count(({ last_message_by }) => last_message_by === 'bot'),
    notAttended: count(({ was_replied }) => was_replied === 0),
    avgReplyTime: averageSeconds(
      rows.flatMap(({ first_replied_at_ms, start_at_ms }) => (first_replied_at_ms === null ? [] : [first_replied_at_ms - start_at_ms])),
    ),
    avgOperatorResponseTime: averageSeconds(rows.flatMap(({ response_times_ms }) => JSON.parse(response_times_ms ?? '[]') as number[])),
    transfered: count(({ state }) => state === 'transferred'),
    avgConversationTime: averageSeconds(
      rows.flatMap(({ end_at_ms, start_at_ms }) => (end_at_ms === null ? [] : [end_at_ms - start_at_ms])),
    ),
  };
}

const olga = { id: 10, names: 'Olga', email: 'olga@acme.test', companyId: 1 };

describeOverEachStore('GET /v1/metrics/conversations/external/stats', (on) => {
  it(
    'equals a recount, of one operator and of all (STA-01 to STA-07)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const call = callOf(service);
      const rows = await keep(service, fc.sample(conversationRow, { numRuns: 200, seed: 7 }));
      await fc.assert(
        fc.asyncProperty(instantMs, instantMs, fc.constantFrom(undefined, 10), async (one, other, operatorId) => {
          const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other)];
          const inRange = rows.filter((row) => row.start_at_ms >= fromMs && row.start_at_ms <= toMs);
          const range = `startAt=${new Date(fromMs).toISOString()}&endAt=${new Date(toMs).toISOString()}`;
          const { status, body } = await call(`${path}?${range}${operatorId === undefined ? '' : `&operatorId=${operatorId}`}`);
          expect(status).toBe(200);
          expect(body).toEqual(
            operatorId === undefined
              ? { _id: 0, operator: null, ...recount(inRange) }
              : { _id: 10, operator: olga, ...recount(inRange.filter((row) => row.operator_id === 10)) },
          );
        }),
        { numRuns: 60 },
      );
    }),
    120_000,
  );

  it(
    'accepts dates, the last one inclusive, and instants in any zone (STA-02)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const call = callOf(service);
      const starts = ['2026-01-01T00:00:00.000Z', '2026-01-02T12:00:00Z', '2026-01-02T23:59:59.999Z', '2026-01-03T00:00:00Z'];
      const rows = fc.sample(conversationRow, { numRuns: starts.length, seed: 1 });
      await keep(
        service,
        rows.map((row, index) => ({ ...row, start_at_ms: Date.parse(starts[index] ?? '') })),
      );
      const totalOf = async (startAt: string, endAt: string) => {
        const { body } = await call(`${path}?startAt=${encodeURIComponent(startAt)}&endAt=${encodeURIComponent(endAt)}`);
        return (body as { readonly total: number }).total;
      };
      expect(await totalOf('2026-01-01', '2026-01-02')).toBe(3);
      expect(await totalOf('2026-01-02', '2026-01-02')).toBe(2);
      expect(await totalOf('2026-01-01', '2026-01-03T00:00:00Z')).toBe(4);
      expect(await totalOf('2026-01-01T18:00:00-06:00', '2026-01-02T06:00:00-06:00')).toBe(1);
      expect(await totalOf('2026-01-02T23:59:59.9990001Z', '2026-01-02')).toBe(0);
      expect(await totalOf('2026-01-02T12:00:00.0001Z', '2026-01-02T12:00:00.0001Z')).toBe(0); // no end before its beginning
    }),
    120_000,
  );

  it(
    'adds up times that are longer together than the whole numbers that can be read (STA-05)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const call = callOf(service);
      const longest = Number.MAX_SAFE_INTEGER;
      const [row] = fc.sample(conversationRow, { numRuns: 1, seed: 1 });
      if (row === undefined) throw new Error('There is no row');
      const lasting = { ...row, operator_id: 10, start_at_ms: 0, end_at_ms: longest, response_count: 1, response_total_ms: longest };
      await keep(service, [lasting, lasting, lasting]);
      const stats = await call(`${path}?startAt=1970-01-01&endAt=1970-01-01`);
      expect(stats).toMatchObject({ status: 200, body: { total: 3 } });
      const { avgConversationTime, avgOperatorResponseTime } = stats.body as { readonly [figure: string]: number };
      expect(avgConversationTime).toBeCloseTo(longest / 1_000, -1);
      expect(avgOperatorResponseTime).toBeCloseTo(longest / 1_000, -1);
    }),
    120_000,
  );

  it(
    'is zeros where nothing is (STA-09)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const { body } = await callOf(service)(`${path}?startAt=2020-01-01&endAt=2020-01-01&operatorId=10`);
      expect(body).toEqual({ _id: 10, operator: olga, ...recount([]) });
    }),
    120_000,
  );
});
