// The message log by user, conversation, instant and order, against a filter over the whole list.
import { encodeKey } from '@hilo/stores';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunningService } from '../../src/service/open-service.ts';
import type { LoggedMessage, MessageFilter } from '../../src/messages/messages.ts';
import { createMessagePages, readMessagePage } from '../../src/messages/message-pages.ts';
import { setStatus } from '../../src/messages/sql.ts';
import { conversations } from '../../src/platform/tables/conversations.ts';
import { conversationRow } from '../rest/conversations-rows.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const users = ['5215512345678', '593987654321'] as const;

/** All pages, one after the other. */
async function readAll({ messages }: Pick<RunningService, 'messages'>, filter: MessageFilter): Promise<readonly LoggedMessage[]> {
  const all: LoggedMessage[] = [];
  for (let cursor: string | undefined; ; ) {
    const { results, nextCursor } = await messages.list('1', 'bot_wa', { ...filter, cursor });
    all.push(...results);
    if (nextCursor === null) return all;
    expect(results.length).toBeGreaterThanOrEqual(filter.status === undefined ? filter.limit : 0);
    cursor = nextCursor;
  }
}

it(
  'lists exactly the messages of a user, a conversation, a status, a cause and a time, in both orders and any pages',
  withPlace(async ({ open, clock }) => {
    const service = await open({ workspace: exampleWorkspace }, { runs: false });
    const startMs = clock.now();
    const smallPages = createMessagePages(3);
    // Instants stand still and repeat; a later message of another process may have an earlier one.
    const waits = [0, 0, 1, 59_000, 60_000, 0, 3_600_000, 1, 0, 86_400_000, 5, 5, 0, 120_000];
    for (const [index, ms] of waits.entries()) {
      clock.advanceBy(ms);
      for (const userId of users) {
        const message = {
          companyId: '1',
          botId: 'bot_wa',
          userId,
          message: { type: 'text', text: `${index}` },
          idempotencyKey: `${userId} ${index}`,
        };
        await service.messages.sent(message);
      }
    }
    const sent = await readAll(service, { limit: 200 });
    expect(sent).toHaveLength(waits.length * users.length);
    const ends = ['failed A', 'failed B', 'sent', 'delivered A', 'queued'].map((end) => end.split(' '));
    for (const [index, { idempotencyKey }] of sent.entries()) {
      const [status = '', cause] = ends[index % ends.length] ?? [];
      await service.store.runner.write([setStatus({ companyId: '1', idempotencyKey: idempotencyKey ?? '', status, cause })]);
    }
    const all = await readAll(service, { limit: 200 });
    const instants = [...new Set(all.map(({ createdAtMs }) => createdAtMs))].flatMap((ms) => [ms - 1, ms, ms + 1]);
    const [sample = expect.unreachable()] = fc.sample(conversationRow, 1);
    const talks = [
      { id: 'whole', userId: users[0], fromMs: startMs, toMs: null },
      { id: 'part', userId: users[1], fromMs: startMs + 59_001, toMs: startMs + 119_001 },
      { id: 'before', userId: users[0], fromMs: startMs - 10, toMs: startMs - 1 },
    ];
    const rows = talks.map(({ id, userId, fromMs, toMs }) => {
      const times = { start_at_ms: fromMs, end_at_ms: toMs, state: toMs === null ? 'active' : 'closed' };
      return { ...sample, ...times, id, bot_id: 'bot_wa', user_id: userId, user_key: encodeKey(userId) };
    });
    await service.store.runner.write(conversations.insertMissing(rows.map(conversations.fromRow)));
    const filter = fc.record(
      {
        userId: fc.constantFrom(...users, '100'),
        sinceMs: fc.constantFrom(0, ...instants),
        conversationId: fc.constantFrom(...talks.map(({ id }) => id), 'none'),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        status: fc.constantFrom('failed' as const, 'sent' as const, 'delivered' as const, 'queued' as const, 'read' as const),
        cause: fc.constantFrom('A', 'B', 'C'),
        limit: fc.integer({ min: 1, max: 30 }),
      },
      { requiredKeys: ['limit'] },
    );
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const talk = talks.find(({ id }) => id === given.conversationId);
        const fits = all.filter(
          ({ userId, createdAtMs, status, cause }) =>
            (given.status === undefined || given.status === status) &&
            (given.cause === undefined || given.cause === cause) &&
            (given.userId === undefined || given.userId === userId) &&
            createdAtMs >= (given.sinceMs ?? 0) &&
            (given.conversationId === undefined ||
              (talk?.userId === userId && createdAtMs >= talk.fromMs && createdAtMs <= (talk.toMs ?? Infinity))),
        );
        const ids = (list: readonly LoggedMessage[]) => list.map(({ messageId }) => messageId);
        const wanted = ids(given.order === 'desc' ? fits.toReversed() : fits);
        expect(ids(await readAll(service, given))).toEqual(wanted);
        const found: string[] = [];
        for (let cursor: string | undefined; ; ) {
          const { rows, next } = await readMessagePage(
            service.store,
            { companyId: '1', botId: 'bot_wa' },
            { ...given, cursor },
            smallPages,
          );
          found.push(...rows.map(({ messageId }) => messageId));
          if (next === undefined) break;
          cursor = String(next);
        }
        expect(found, 'looked for among three at a time').toEqual(wanted);
      }),
      { numRuns: 150 },
    );
  }),
);
