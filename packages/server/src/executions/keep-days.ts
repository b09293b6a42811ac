// Retention of single companies, where it is shorter than the service's: `keepDays` beside the name of a company.
import { setImmediate as turn } from 'node:timers/promises';
import { call, type DurableStore, encodeText, pruneEndedOf, type Runner } from '@hilo/stores';
import { statement } from '../platform/database/schema.ts';
import { companies } from '../platform/tables/companies.ts';

const dayMs = 86_400_000;

/** Messages that are removed in one transaction. */
const batch = 500;

type Page = { readonly companyId: string; readonly botId: string; readonly untilMs: number; readonly limit: number };

const botsOf = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db.selectFrom('bots').select('bot_id').where('company_id', '=', companyId),
);

/** The oldest messages of a bot: those with the lowest numbers. One that waits to be sent stays, and those after it. */
const oldestMessages = statement<Pick<Page, 'companyId' | 'botId' | 'limit'>>()((db, { companyId, botId, limit }) =>
  db
    .selectFrom('messages')
    .select(['id', 'message_id', 'created_at_ms', 'status'])
    .where('company_id', '=', companyId)
    .where('bot_id', '=', botId)
    .orderBy('id')
    .limit(limit),
);
const removeMessages = statement<Omit<Page, 'limit' | 'untilMs'> & { readonly upTo: number }>()((db, { companyId, botId, upTo }) =>
  db.deleteFrom('messages').where('company_id', '=', companyId).where('bot_id', '=', botId).where('id', '<=', upTo),
);
const removeOutcome = statement<Omit<Page, 'limit' | 'untilMs'> & { readonly messageId: string }>()((db, { companyId, botId, messageId }) =>
  db.deleteFrom('message_outcomes').where('company_id', '=', companyId).where('bot_id', '=', botId).where('message_id', '=', messageId),
);
const removeFiles = statement<Omit<Page, 'limit'>>()((db, { companyId, botId, untilMs }) =>
  db.deleteFrom('chat_files').where('company_id', '=', companyId).where('bot_id', '=', botId).where('created_at_ms', '<=', untilMs),
);

async function pruneMessages(runner: Runner, companyId: string, untilMs: number): Promise<number> {
  let removed = 0;
  for (const { bot_id: botId } of await runner.read(call(botsOf, { companyId }))) {
    await runner.write([call(removeFiles, { companyId, botId, untilMs })]);
    for (;;) {
      const page = await runner.read(call(oldestMessages, { companyId, botId, limit: batch }));
      const kept = page.findIndex(({ created_at_ms: atMs, status }) => atMs > untilMs || status === 'queued');
      const old = kept === -1 ? page : page.slice(0, kept);
      const last = old.at(-1);
      if (last === undefined) break;
      await runner.write([
        call(removeMessages, { companyId, botId, upTo: Number(last.id) }),
        ...old.map(({ message_id: messageId }) => call(removeOutcome, { companyId, botId, messageId })),
      ]);
      removed += old.length;
      await turn(); // others are served in between
      if (old.length < batch) break;
    }
  }
  return removed;
}

/**
 * Removes messages and histories of companies that keep them for less long than the service.
 *
 * @param exceptCompanies - those that are about to leave, or have left
 * @returns how many executions and messages
 */
export async function pruneCompanies(
  { runner }: Pick<DurableStore, 'runner'>,
  {
    nowMs,
    onlyExported,
    exceptCompanies,
  }: { readonly nowMs: number; readonly onlyExported: boolean; readonly exceptCompanies: readonly string[] },
): Promise<{ readonly executions: number; readonly messages: number }> {
  const removed = { executions: 0, messages: 0 };
  for (const { companyId, keepDays } of await runner.read(companies.allOfEveryCompany())) {
    if (keepDays === undefined || exceptCompanies.includes(companyId)) continue;
    const { histories, messages } = keepDays;
    if (histories !== undefined)
      removed.executions += await pruneEndedOf(runner, { companyId, untilMs: nowMs - histories * dayMs, onlyExported });
    if (messages !== undefined) removed.messages += await pruneMessages(runner, encodeText(companyId), nowMs - messages * dayMs);
  }
  return removed;
}
