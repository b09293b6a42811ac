import type { Call, DurableStore } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { commit, executionRecord } from '../../../testing/src/contracts/execution-records.ts';
import { forgetClaims as forgetCampaignClaims } from '../../src/campaigns/sql.ts';
import { conversationsToReport, dueConversations, dueGroups } from '../../src/conversations/sql.ts';
import { keepPruning } from '../../src/executions/prune-executions.ts';
import { keepFile } from '../../src/chat/files.ts';
import { selectRevoking } from '../../src/functions/sql.ts';
import { createClaims } from '../../src/messages/delivery-queues.ts';
import { dueLanes, forgetClaims, forgetSendKeys } from '../../src/messages/outbox-sql.ts';
import { forgetProviderMessages } from '../../src/messages/provider-records.ts';
import { selectPaymentsToReport } from '../../src/payments/sql.ts';
import { withMoves } from './companies.ts';
import { postgresDatabase, sqliteFile, type TableRow, type TestDatabase } from './databases.ts';

const databases = { SQLite: sqliteFile, PostgreSQL: postgresDatabase };

/** Two companies with something due in each table; the process of the first one's move died when its rows could be changed no more. */
async function fencedBesideServed(database: TestDatabase): Promise<void> {
  for (const companyId of ['1', '2']) {
    const mine = { company_id: companyId };
    const ofBot = { ...mine, bot_id: 'bot', user_key: 'ana' };
    const conversation = {
      ...ofBot,
      user_id: 'ana',
      was_replied: 0,
      origin: 'organic',
      start_at_ms: 1,
      response_count: 0,
      response_total_ms: 0,
    };
    const rows: { readonly [table: string]: readonly TableRow[] } = {
      companies: [{ ...mine, name: 'A company', kind: 'enterprise', plan: 'growth', settings: '{}' }],
      conversations: [
        { ...conversation, id: 'idle', state: 'active', due_at_ms: 1 },
        { ...conversation, id: 'ended', state: 'closed', end_at_ms: 1, tell_at_ms: 1 },
      ],
      operator_groups: [{ ...mine, conversation_id: 'idle', due_at_ms: 1, is_leaving: 0, parts_sent: 0 }],
      outbox: [{ ...ofBot, idempotency_key: 'k', attempts: 0, due_at_ms: 1, claimed_by: 'me' }],
      campaigns: [
        {
          ...mine,
          id: 'sale',
          name: 'Sale',
          element_name: 'sale',
          template_id: 'sale',
          bot_id: 'bot',
          status: 'IN_PROGRESS',
          created_at_ms: 1,
          total_messages: 1,
          delivered_messages: 0,
          failed_messages: 0,
          claimed_by: 'me',
          claimed_until_ms: 1,
        },
      ],
      send_keys: [{ ...mine, bot_id: 'bot', send_key: 'k', fingerprint: 'f', message_id: 'm', until_ms: 1 }],
      provider_messages: [{ ...mine, bot_id: 'bot', provider_key: 'k', status_rank: 0, at_ms: 1 }],
      chat_files: [
        { ...ofBot, file_id: companyId, message_id: 'old', content_type: 'text/plain', content: 'SGk=', bytes: 2, created_at_ms: 1 },
      ],
      payments: [
        {
          ...mine,
          payment_id: `pay-${companyId}`,
          effect_key: 'k',
          workflow_id: 'order',
          node_id: 'pay',
          execution_id: 'e',
          provider: 'test',
          amount: 1,
          currency: 'EUR',
          description: '',
          status: 'approved',
          created_at_ms: 1,
          expires_at_ms: 1,
          tell_at_ms: 1,
        },
      ],
      functions: [{ ...mine, function_id: `fn-${companyId}`, name: 'f', source: '', tools: '[]', deployment: 1 }],
      runtime_tokens: [{ ...mine, function_id: `fn-${companyId}`, id: 't', name: 't', prefix: 'p', hash: companyId, revoked_at_ms: 1 }],
    };
    for (const [table, all] of Object.entries(rows)) for (const row of all) await database.insert(table, row);
  }
  const store = await database.open();
  for (const companyId of ['1', '2']) {
    const ended = executionRecord({ id: companyId, companyId, lane: `${companyId}/execution/${companyId}`, status: 'completed' });
    const waiting = executionRecord({ id: `waits ${companyId}`, companyId, wait: { dueAtMs: Number(companyId) } });
    await commit(store.executions, { saves: [ended, waiting] });
  }
  await store.close();
  const around = (store: DurableStore): DurableStore => {
    let writes = 0;
    const write = async (calls: readonly Call[]) => {
      writes += 1;
      if (writes > 2) throw new Error('The process died');
      return store.runner.write(calls);
    };
    return { ...store, runner: { ...store.runner, write } };
  };
  await expect(withMoves(database, (moves) => moves.leave('1'), { around })).rejects.toThrow('The process died');
  expect(await database.rows('company_moves')).toMatchObject([{ company_id: '1', state: 'fenced' }]);
}

describe.each(Object.entries(databases))('a company whose move was interrupted, on %s', (_name, open) => {
  it('holds up nothing that is due of another company', { timeout: 120_000 }, async () => {
    const database = await open();
    await fencedBesideServed(database);
    const store = await database.open();
    const { runner } = store;
    const nowMs = 90 * 86_400_000;
    const due = [
      () => runner.read(dueConversations({ nowMs })),
      () => runner.read(conversationsToReport({ nowMs })),
      () => runner.read(dueGroups({ nowMs })),
      () => runner.read(dueLanes({ nowMs })),
      () => runner.read(selectPaymentsToReport({ nowMs })),
      () => runner.read(selectRevoking({})),
    ];
    for (const find of due) expect((await find()).map(({ companyId }) => companyId)).toEqual(['2']);

    await runner.write([forgetSendKeys({ nowMs })]);
    await runner.write([forgetProviderMessages(nowMs)]);
    const lane = { companyId: '2', botId: 'bot', userKey: 'ana' };
    const file = { lane, messageId: 'new', contentType: 'text/plain', filename: null, content: Buffer.from('Hi') };
    await keepFile(runner, file, nowMs);
    await store.close();
    for (const [table, left] of [
      ['send_keys', ['1']],
      ['provider_messages', ['1']],
      ['chat_files', ['1', '2']],
    ] as const)
      expect((await database.rows(table, 'company_id')).map(({ company_id }) => company_id)).toEqual(left);
    await database.remove();
  });

  it('does not keep the claims of other companies from being renewed, or from being forgotten at a start', {
    timeout: 120_000,
  }, async () => {
    const database = await open();
    await fencedBesideServed(database);
    const store = await database.open();
    const rows = await database.rows('outbox', 'company_id');
    const claims = createClaims(store.runner, 'me', { now: () => 1_000_000 });
    const ids = rows.map(({ id }) => Number(id));
    await ids.reduce((work, id) => () => claims.during(id, work), claims.renew)();
    const readDue = async () => (await database.rows('outbox', 'company_id')).map(({ due_at_ms }) => due_at_ms);
    expect(await readDue()).toEqual([1, 1_020_000]);

    await store.runner.write([forgetClaims({})]);
    expect(await readDue()).toEqual([1, 0]);
    await store.runner.write([forgetCampaignClaims({})]);
    expect((await database.rows('campaigns', 'company_id')).map(({ claimed_by }) => claimed_by)).toEqual(['me', null]);
    await store.close();
    await database.remove();
  });

  it('does not keep the timers of other companies from firing', { timeout: 120_000 }, async () => {
    const database = await open();
    await fencedBesideServed(database);
    const readDue = async () => {
      const store = await database.open();
      const due = await store.executions.due(9, 9);
      const nextMs = await store.executions.nextDueMs();
      await store.close();
      return { due: due.map(({ companyId }) => companyId), nextMs };
    };
    expect(await readDue()).toEqual({ due: ['2'], nextMs: 2 });
    await withMoves(database, (moves) => moves.cancel('1'));
    expect(await readDue()).toEqual({ due: ['1', '2'], nextMs: 1 });
    await database.remove();
  });

  it('does not keep the executions of other companies from being removed', { timeout: 120_000 }, async () => {
    const database = await open();
    await fencedBesideServed(database);
    const store = await database.open();
    database.clock.advanceBy(90 * 86_400_000);
    const lines: string[] = [];
    const note = (_fields: object, line: string) => void lines.push(line);
    await keepPruning(store, { keepDays: 1, keepFailedDays: 1 }, database.clock, { info: note, warn: note, error: note })();
    expect(lines).toEqual(['Removed what need not be kept any longer']);
    await store.close();
    const left = (await database.rows('executions')).filter(({ status }) => status === 'completed');
    expect(left.map(({ company_id }) => company_id)).toEqual(['1']);
    await database.remove();
  });
});
