import type { Directory } from '@hilo/engine';
import type { Conversations } from './conversations/conversations.ts';
import type { Companies } from './tenants/companies.ts';

/** What canvases see of their company and their bot: `$company` and `$bot`. No provider, no secret. */
export const engineDirectory = (companies: Companies, conversations: Pick<Conversations, 'isActive'>): Directory => ({
  isAttended: conversations.isActive,
  company(companyId) {
    const company = companies.company(companyId);
    if (company === undefined) return undefined;
    const { id, name, plan, kind, settings } = company;
    return { id, name, plan, kind, settings };
  },
  bot(companyId, botId) {
    const bot = companies.botOf(companyId, botId);
    return bot === undefined ? undefined : { id: bot.id, name: bot.name, channel: bot.channel };
  },
});
