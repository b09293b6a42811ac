// Retention of single companies, where it is shorter than the service's: `keepDays` beside the name of a company.
import { setImmediate as turn } from 'node:timers/promises';
import { type DurableStore, integer, pruneEndedOf, type Runner } from '@hilo/stores';
import { bots, companies } from '../platform/tables/companies.ts';
import { chatFiles } from '../platform/tables/files.ts';
import { messages } from '../platform/tables/messages.ts';
import { messageOutcomes } from '../platform/tables/sending.ts';

const dayMs = 86_400_000;

/** Messages that are removed in one transaction. */
const batch = 500;

const { botId: ofBot } = messages.columns;

/** The oldest messages of a bot: those with the lowest numbers. One that waits to be sent stays, and those after it. */
const oldestMessages = messages.read(['id', 'messageId', 'createdAtMs', 'status'], { botId: ofBot, limit: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).orderBy('id').limit(given.limit),
);
const removeMessages = messages.removeWhere({ botId: ofBot, upTo: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('id', '<=', given.upTo),
);
const removeFiles = chatFiles.removeWhere({ botId: ofBot, untilMs: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('created_at_ms', '<=', given.untilMs),
);

async function pruneMessages(runner: Runner, companyId: string, untilMs: number): Promise<number> {
  let removed = 0;
  for (const { botId } of await runner.read(bots.all(companyId))) {
    await runner.write([removeFiles({ companyId, botId, untilMs })]);
    for (;;) {
      const page = await runner.read(oldestMessages({ companyId, botId, limit: batch }));
      const kept = page.findIndex(({ createdAtMs: atMs, status }) => atMs > untilMs || status === 'queued');
      const old = kept === -1 ? page : page.slice(0, kept);
      const last = old.at(-1);
      if (last === undefined) break;
      await runner.write([
        removeMessages({ companyId, botId, upTo: last.id }),
        ...old.map(({ messageId }) => messageOutcomes.remove({ companyId, botId, messageId })),
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
    const { histories: historiesDays, messages: messagesDays } = keepDays;
    if (historiesDays !== undefined)
      removed.executions += await pruneEndedOf(runner, { companyId, untilMs: nowMs - historiesDays * dayMs, onlyExported });
    if (messagesDays !== undefined) removed.messages += await pruneMessages(runner, companyId, nowMs - messagesDays * dayMs);
  }
  return removed;
}
